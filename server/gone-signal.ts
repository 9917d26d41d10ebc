import type { Response } from 'express';

/** Aborted when the client goes away before its answer is complete: whoever works on the answer may stop. */
export function goneSignal(res: Response): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort(new Error('the client closed the connection'));
  });
  return controller.signal;
}
