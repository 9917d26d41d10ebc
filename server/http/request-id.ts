import type { RequestHandler, Response } from 'express';

const HEADER = 'request-id';

/**
 * Gives every request an id of its own (`req_...`), in the `request-id` header of its answer, in the body of an error
 * and in the log. A client's own id is not taken over: two requests must never share one.
 */
export function assignRequestId(newId: (prefix: string) => string): RequestHandler {
  return (_req, res, next) => {
    res.setHeader(HEADER, newId('req'));
    next();
  };
}

/** The id of the request that this answers. */
export function requestId(res: Response): string {
  return String(res.getHeader(HEADER));
}
