import type { Request, Response } from 'express';
import { ClientGoneError } from './gone-signal.ts';
import { createPace } from './pacing.ts';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { timeSlices } from '@steadyhand/sessions';

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

/** How Node says that the other end of a pipe has closed, while bytes went through and before any did. */
const CLOSED = new Set<unknown>(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/**
 * Answers with bytes from the disk, or without them where the client only asked about them or has them already; the headers
 * are set before. Throws ClientGoneError when the client left, and the fault of the disk.
 */
export async function sendBytes(req: Request, res: Response, body: Readable): Promise<void> {
  if (req.fresh || req.method === 'HEAD') {
    body.destroy();
    res.status(req.fresh ? 304 : 200).end();
    return;
  }
  try {
    await pipeline(body, res);
  } catch (error) {
    throw CLOSED.has((error as NodeJS.ErrnoException).code) ? new ClientGoneError() : error;
  }
}

/** Characters that one write gathers at most, about. */
const WRITE = 32 * 1024;

/**
 * Answers with JSON that comes in pieces, as fast as the client takes them. An answer that fails half way breaks off.
 * @throws {ClientGoneError} when the client has left
 */
export async function sendJsonText(
  res: Response,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<void> {
  res.type('json');
  let text = '';
  const write = async (): Promise<void> => {
    if (res.closed) throw new ClientGoneError();
    const part = text;
    text = '';
    if (!(await timeSlices.run(() => res.write(part)))) await drained(res);
  };
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= WRITE) await write();
  }
  res.end(text);
}

/** Resolves when the client has room for more or is gone; rejects when it takes nothing for `stallMs`, where that is given. */
function drained(res: Response, stallMs?: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(stalled);
      res.off('drain', go).off('close', go);
    };
    const go = (): void => {
      stop();
      resolve();
    };
    const stall = (): void => {
      stop();
      reject(new ClientGoneError());
    };
    const stalled = stallMs === undefined ? undefined : setTimeout(stall, stallMs);
    res.on('drain', go).on('close', go);
    if (res.closed || !res.writableNeedDrain) go();
  });
}
