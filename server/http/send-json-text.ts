import type { Response } from 'express';
import { timeSlices } from '@steadyhand/sessions';
import { ClientGoneError } from './gone-signal.ts';

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
    if (!(await timeSlices.run(() => res.write(part)))) await room(res);
  };
  for await (const piece of pieces) {
    text += piece;
    if (text.length >= WRITE) await write();
  }
  res.end(text);
}

function room(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      res.off('drain', go).off('close', go);
      resolve();
    };
    res.on('drain', go).on('close', go);
    if (res.closed || !res.writableNeedDrain) go();
  });
}
