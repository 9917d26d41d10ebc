import type { z } from 'zod';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import { toInvalidRequest } from '@steadyhand/messages';
import { NotStoredError } from '@steadyhand/store';

/** An agent, environment, session or event does not exist, which is a 404 of the API. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  constructor(what: string, id: string) {
    super('not_found_error', `${what} not found: ${id}`);
  }
}

/** What comes of a change in the store. Throws NotFoundError where the store has nothing to change. */
export async function changed<T>(change: Promise<T>, what: string, id: string): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw error instanceof NotStoredError ? new NotFoundError(what, id) : error;
  }
}

/** The resource's state forbids the request, which is a 409 of the API. */
export class ConflictError extends ApiError {
  override readonly name = 'ConflictError';
  constructor(message: string) {
    super('conflict_error', message);
  }
}

/**
 * Validates a body, which may be absent, and answers the typed value.
 * @throws {InvalidRequestError} in the API's phrasing, e.g. `name: Field required`
 */
export function parse<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body ?? {}, { reportInput: true });
  if (!parsed.success) throw toInvalidRequest(parsed.error.issues);
  return parsed.data;
}

export { InvalidRequestError };
