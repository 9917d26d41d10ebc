import type { ErrorRequestHandler, Request, Response } from 'express';
import type { Logger } from 'pino';
import { ApiError, InvalidRequest } from '../messages/errors.ts';
import { CursorMoved, NotStored, VersionConflict } from '../store/errors.ts';
import { requestId } from './request-id.ts';

/** The largest request body, in bytes: the Messages API's own limit. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** The route exists and takes other methods. */
export class MethodNotAllowed extends ApiError {
  override readonly name = 'MethodNotAllowed';
  readonly allow: string;

  constructor(method: string, path: string, allow: string) {
    super('invalid_request_error', `${method} is not allowed on ${path}, only ${allow}`, { status: 405 });
    this.allow = allow;
  }
}

export function bodyTooLarge(): ApiError {
  return new ApiError('request_too_large', `Request exceeds the maximum size of ${BODY_LIMIT_BYTES} bytes`);
}

/** What a client is told of anything that was thrown. Faults of this side keep their details for the log. */
export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof NotStored) {
    return new ApiError('not_found_error', `${capitalized(thrown.kind)} not found: ${thrown.id}`);
  }
  if (thrown instanceof VersionConflict || thrown instanceof CursorMoved) {
    return new ApiError('conflict_error', thrown.message, { cause: thrown });
  }
  if (thrown instanceof URIError) return new InvalidRequest('The path is not valid percent-encoding');
  return fromBodyParser(thrown) ?? new ApiError('api_error', 'Internal server error', { cause: thrown });
}

/** body-parser's errors carry a `type`; their own messages speak of JavaScript rather than of the request. */
function fromBodyParser(thrown: unknown): ApiError | undefined {
  if (!(thrown instanceof Error) || !('type' in thrown) || typeof thrown.type !== 'string') return undefined;
  switch (thrown.type) {
    case 'entity.too.large':
      return new ApiError(
        'request_too_large',
        `Request exceeds the maximum size of ${BODY_LIMIT_BYTES} bytes`,
      );
    case 'entity.parse.failed':
      return new InvalidRequest(`The request body is not valid JSON: ${thrown.message}`);
    case 'request.aborted':
    case 'request.size.invalid':
      return new InvalidRequest('The request body ended early');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return new InvalidRequest(`The request body cannot be read: ${thrown.message}`);
    default:
      return undefined;
  }
}

/** Answers an error in the API's shape. */
export function sendError(res: Response, error: ApiError): void {
  if (error instanceof MethodNotAllowed) res.setHeader('allow', error.allow);
  if (error.retryAfterMs !== undefined) {
    res.setHeader('retry-after-ms', String(Math.ceil(error.retryAfterMs)));
    res.setHeader('retry-after', String(Math.ceil(error.retryAfterMs / 1000)));
  }
  // The official clients obey this over their own rule of thumb, which would retry every 409 and 5xx.
  res.setHeader('x-should-retry', String(error.retryable));
  res.status(error.status).json({ ...error.body(), request_id: requestId(res) });
}

/** The last handler: every error of every route ends here. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, req: Request, res: Response, next) => {
    const error = toApiError(thrown);
    if (error.status >= 500) {
      log.error(
        { err: thrown, request_id: requestId(res), method: req.method, path: req.path },
        'request failed',
      );
    }
    // Half an answer cannot be taken back: cutting the connection tells the client that it is incomplete.
    if (res.headersSent) next(thrown);
    else sendError(res, error);
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
