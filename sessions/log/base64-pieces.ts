import { createHash } from 'node:crypto';
import { type Blobs, CorruptError } from '@steadyhand/store';

/**
 * A blob's base64 in pieces of at most about 88 KB, read from the disk as they are asked for.
 * @throws {NotStoredError} for an unknown hash; {CorruptError} at the end, when the bytes do not match it
 */
export async function* base64Pieces(blobs: Blobs, hash: string): AsyncGenerator<string, void, undefined> {
  const digest = createHash('sha256');
  const { body } = await blobs.stream(hash);
  // Three bytes are four characters: what is left of a piece goes with the next one.
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
