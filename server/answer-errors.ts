import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { InferenceError } from '@steadyhand/inference';
import { discardRest } from './body/body-reader.ts';
import { RequestRefusedError } from './body/request-refused.ts';
import { sendError, toApiError } from './http/errors.ts';
import { ClientGoneError } from './http/gone-signal.ts';
import { requestId } from './http/request-id.ts';
import { scrubOf } from './http/scrub.ts';
import { detailBody, type Failure, protocolBody, toFailure } from './inference/errors.ts';

/**
 * Which shape an answer's errors take: `messages` is the Messages API's (all under /v1), `protocol` the Open Inference
 * Protocol's (all under /v2), `detail` FastAPI's (everything else).
 */
type ErrorShape = 'messages' | 'protocol' | 'detail';

function errorShapeOf({ originalUrl }: Pick<Request, 'originalUrl'>): ErrorShape {
  const first = /^\/(v[12])(?:[/?]|$)/i.exec(originalUrl)?.[1]?.toLowerCase();
  if (first === 'v1') return 'messages';
  return first === 'v2' ? 'protocol' : 'detail';
}

/** Answers 404 to what no route took outside /v1, where only what is there asks for a key. */
export const notFoundOutsideV1: RequestHandler = (req, _res, next) => {
  if (errorShapeOf(req) === 'messages') next();
  else throw new RequestRefusedError(404, 'Not Found');
};

/** The last handler: every error of every route ends here. */
export function answerErrors(log: Logger): ErrorRequestHandler {
  return (thrown: unknown, req: Request, res: Response, next) => {
    // Its going away is in the request's own line.
    if (thrown instanceof ClientGoneError) {
      res.destroy();
      return;
    }
    const shape = errorShapeOf(req);
    const status = shape === 'messages' ? toApiError(thrown).status : toFailure(thrown).status;
    const overload = thrown instanceof InferenceError && thrown.retryable;
    if (status >= 500 && !overload) {
      log.error(
        { err: thrown, request_id: requestId(res), method: req.method, path: req.path },
        'request failed',
      );
    }
    // Half an answer cannot be taken back: cutting the connection tells the client that it is incomplete.
    if (res.headersSent) next(thrown);
    else {
      discardRest(req, res);
      if (shape === 'messages') sendError(res, toApiError(thrown));
      else sendFailure(res, toFailure(thrown), shape);
    }
  };
}

function sendFailure(res: Response, failure: Failure, shape: 'protocol' | 'detail'): void {
  // What was meant for the answer that failed.
  res.removeHeader('content-length');
  res.status(failure.status).type('json').set(failure.headers);
  const body = shape === 'protocol' ? protocolBody(failure) : detailBody(failure);
  res.send(scrubOf(res)(JSON.stringify(body)));
}
