import { createHash } from 'node:crypto';
import { CorruptError } from '../contract/errors.ts';

/** Holds the last piece back until the hash of all is known to be right. */
export async function* checked(
  pieces: AsyncIterable<Uint8Array>,
  sha256: string,
  name: string,
): AsyncGenerator<Uint8Array> {
  const digest = createHash('sha256');
  let held: Uint8Array | undefined;
  for await (const piece of pieces) {
    digest.update(piece);
    if (held !== undefined) yield held;
    held = piece;
  }
  if (digest.digest('hex') !== sha256)
    throw new CorruptError(`the bytes of object ${name} are not ${sha256}`);
  if (held !== undefined) yield held;
}
