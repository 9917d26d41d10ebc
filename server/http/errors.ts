import type { Response } from 'express';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import {
  CorruptError,
  CursorMovedError,
  EventTooLargeError,
  NotStoredError,
  StorageFullError,
  StoreUnavailableError,
  StoreUnwritableError,
  VersionConflictError,
} from '@steadyhand/store';
import { noteForLog } from './log-fields.ts';
import { requestId } from './request-id.ts';
import { scrubOf } from './scrub.ts';

/** The route exists and takes other methods. */
export class MethodNotAllowedError extends ApiError {
  override readonly name = 'MethodNotAllowedError';
  readonly allow: string;

  constructor(method: string, path: string, allow: string) {
    super('invalid_request_error', `${method} is not allowed on ${path}, only ${allow}`, { status: 405 });
    this.allow = allow;
  }
}

/** What a client is told of anything that was thrown. The details of faults of this server go into the log alone. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof NotStoredError) {
    return new ApiError('not_found_error', `${capitalized(thrown.kind)} not found: ${thrown.id}`);
  }
  if (thrown instanceof VersionConflictError || thrown instanceof CursorMovedError) {
    return new ApiError('conflict_error', thrown.message, { cause: thrown });
  }
  if (thrown instanceof StorageFullError || thrown instanceof StoreUnwritableError) {
    const details = { error_code: 'storage_full' };
    const options = { status: 507, retryable: false, cause: thrown };
    return new ApiError('api_error', thrown.message, {
      ...options,
      ...(thrown instanceof StorageFullError ? { details } : {}),
    });
  }
  if (thrown instanceof StoreUnavailableError) {
    const details = { error_code: 'store_unavailable' };
    const message = 'The store cannot be reached now; the same request may succeed in a moment';
    return new ApiError('api_error', message, { status: 503, details, cause: thrown });
  }
  if (thrown instanceof EventTooLargeError) return new ApiError('request_too_large', thrown.message);
  if (thrown instanceof CorruptError)
    return new ApiError('api_error', `The stored data is damaged: ${thrown.message}`, {
      retryable: false,
      cause: thrown,
    });
  if (thrown instanceof URIError) return new InvalidRequestError('The path is not valid percent-encoding');
  return new ApiError('api_error', 'Internal server error', { cause: thrown });
}

/** Answers an error in the API's shape. */
export function sendError(res: Response, error: ApiError): void {
  if (error instanceof MethodNotAllowedError) res.setHeader('allow', error.allow);
  if (error.retryAfterMs !== undefined) {
    res.setHeader('retry-after-ms', String(Math.ceil(error.retryAfterMs)));
    res.setHeader('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  }
  // The official clients obey this over their own rule of thumb, which would retry every 409 and 5xx.
  res.setHeader('x-should-retry', String(error.retryable));
  res.status(error.status).json(errorBody(res, error));
}

/**
 * An error's body, with the id of the request and without the keys that its text may repeat. Whoever answers an error makes it
 * of this; the error's type goes into the request's log line.
 */
export function errorBody(res: Response, error: ApiError): object {
  noteForLog(res, { error_type: error.type });
  const { error: inner, type } = error.body();
  const scrubbed = JSON.parse(scrubOf(res)(JSON.stringify(inner))) as typeof inner;
  return { type, error: scrubbed, request_id: requestId(res) };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
