import type { Response } from 'express';

/** Nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';

  constructor() {
    super('the client closed the connection');
  }
}

/**
 * Aborted when the client goes away before its answer is complete: whoever works on the answer may stop.
 * @param ending aborts it too, with its own reason: the server waits no longer
 */
export function goneSignal(res: Response, ending?: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const end = (): void => controller.abort(ending?.reason);
  const closed = (): void => {
    ending?.removeEventListener('abort', end);
    if (!res.writableFinished) controller.abort(new ClientGoneError());
  };
  if (res.closed) closed();
  else {
    res.once('close', closed);
    // Not AbortSignal.any: it would hold on to the signal of every answer for as long as the server lives.
    if (ending?.aborted) end();
    else ending?.addEventListener('abort', end, { once: true });
  }
  return controller.signal;
}
