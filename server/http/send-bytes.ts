import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { ClientGoneError } from './gone-signal.ts';

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
