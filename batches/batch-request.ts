import { z } from 'zod';
import { InvalidRequestError } from '@steadyhand/contracts';
import { toInvalidRequest } from '@steadyhand/messages';
import { NOT_AN_OBJECT, type SplitRequest } from './request-splitter.ts';

/** The client's name for a request. */
export const customId = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[a-zA-Z0-9_-]{1,64}$/);

const betas = z.array(z.string());

/** A request as it is stored. Its params are checked when it is answered, as the API does. */
export interface AcceptedRequest {
  readonly position: number;
  readonly custom_id: string;
  /** A JSON object in UTF-8. */
  readonly params: Uint8Array;
}

/**
 * Checks a request before its batch is accepted: it needs a unique name, params that are an object, and nothing else.
 * @param taken the names of the batch so far, with their positions; the request's is added
 * @throws {InvalidRequestError}
 */
export function acceptRequest(request: SplitRequest, taken: Map<string, number>): AcceptedRequest {
  const { position, params, extra } = request;
  const path = ['requests', position, 'custom_id'];
  const id = customId.safeParse(valueOf(request.customId), { reportInput: true });
  if (!id.success) throw toInvalidRequest(id.error.issues.map((issue) => ({ ...issue, path })));
  const other = taken.get(id.data);
  if (other !== undefined) {
    throw new InvalidRequestError(
      `${path.join('.')}: must be unique; requests.${other} has '${id.data}' too`,
    );
  }
  taken.set(id.data, position);
  if (params === undefined) throw new InvalidRequestError(`requests.${position}.params: Field required`);
  if (params[0] !== 0x7b) throw new InvalidRequestError(`requests.${position}.params: ${NOT_AN_OBJECT}`);
  if (extra !== undefined) {
    throw new InvalidRequestError(`requests.${position}.${extra}: Extra inputs are not permitted`);
  }
  return { position, custom_id: id.data, params };
}

/** The betas that the body names. Throws InvalidRequestError. */
export function betasOf(text: Uint8Array | undefined): readonly string[] {
  if (text === undefined) return [];
  const parsed = betas.safeParse(valueOf(text), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw toInvalidRequest(parsed.error.issues.map((issue) => ({ ...issue, path: ['betas', ...issue.path] })));
}

function valueOf(text: Uint8Array | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(Buffer.from(text).toString('utf8'));
}
