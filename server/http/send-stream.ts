import type { Response } from 'express';
import { ClientGoneError } from './gone-signal.ts';
import { createPace } from './pacing.ts';

/** How long a client may take nothing of an answer. What it keeps waiting is held in memory. */
const STALL_MS = 30_000;

/**
 * Sends pieces as they are made and as fast as the client takes them. Throws ClientGoneError when it stopped taking: when it
 * left, or took nothing for `stallMs`.
 */
export async function sendStream(
  res: Response,
  pieces: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  stallMs = STALL_MS,
): Promise<void> {
  // A client that takes as fast as it is given would otherwise be all that this thread attends to.
  const pace = createPace();
  for await (const piece of pieces) {
    if (res.closed) throw new ClientGoneError();
    if (!res.write(piece)) await drained(res, stallMs);
    await pace();
  }
  res.end();
}

function drained(res: Response, stallMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(stalled);
      res.off('drain', go).off('close', go);
    };
    const go = (): void => {
      stop();
      resolve();
    };
    const stalled = setTimeout(() => {
      stop();
      reject(new ClientGoneError());
    }, stallMs);
    res.on('drain', go).on('close', go);
  });
}
