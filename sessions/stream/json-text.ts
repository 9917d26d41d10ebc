import { createHash } from 'node:crypto';
import { type Blobs, CorruptError } from '@steadyhand/store';
import type { JsonPart } from './event-json.ts';

/** The approximate length of a piece, in characters. */
const PIECE = 64 * 1024;

/** The text of serialized events in pieces, with the base64 of pictures in place of their blobs. */
export async function* jsonText(
  parts: readonly JsonPart[],
  blobs: Blobs,
): AsyncGenerator<string, void, undefined> {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') {
      text += part;
    } else {
      yield text;
      text = '';
      yield* base64Pieces(blobs, part.sha256);
    }
    if (text.length < PIECE) continue;
    yield text;
    text = '';
  }
  if (text !== '') yield text;
}

/**
 * A blob's base64 in pieces of at most about 88 KB, read from the disk on demand.
 * @throws {NotStoredError} for an unknown hash; {CorruptError} at the end, when the bytes do not match it
 */
async function* base64Pieces(blobs: Blobs, hash: string): AsyncGenerator<string, void, undefined> {
  const digest = createHash('sha256');
  const { body } = await blobs.stream(hash);
  // Three bytes are four characters, so the rest of a chunk is encoded with the next one.
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of body as AsyncIterable<Buffer>) {
    digest.update(chunk);
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    rest = bytes.subarray(whole);
    yield bytes.toString('base64', 0, whole);
  }
  if (digest.digest('hex') !== hash)
    throw new CorruptError(`the bytes of blob ${hash} do not match its name`);
  if (rest.length > 0) yield rest.toString('base64');
}
