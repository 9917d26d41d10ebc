import { createHash } from 'node:crypto';
import { BytesTooManyError } from '../contract/errors.ts';

/** How much of the beginning is kept in memory, to tell the type of the bytes by. */
const HEAD_BYTES = 8 * 1024;

/** Takes notes of bytes that pass by: their hash, number and beginning. */
export class PassingBytes {
  readonly #digest = createHash('sha256');
  readonly #head: Uint8Array[] = [];
  readonly #maxBytes: number;
  size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Throws BytesTooManyError when these are too many. */
  add(piece: Uint8Array): void {
    if (this.size < HEAD_BYTES) this.#head.push(Uint8Array.from(piece.subarray(0, HEAD_BYTES - this.size)));
    this.size += piece.byteLength;
    if (this.size > this.#maxBytes) throw new BytesTooManyError(this.#maxBytes);
    this.#digest.update(piece);
  }

  /** What is known at the end. */
  facts(): { readonly size: number; readonly hash: string; readonly head: Uint8Array } {
    return { size: this.size, hash: this.#digest.digest('hex'), head: Buffer.concat(this.#head) };
  }
}

/** Gathers bytes into parts of one size; only the last one may be shorter, and there is always one. */
export async function* inParts(
  source: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<{ readonly bytes: Buffer; readonly isLast: boolean }> {
  let part = Buffer.allocUnsafe(partBytes);
  let filled = 0;
  for await (const piece of source) {
    for (let at = 0; at < piece.byteLength;) {
      // A full part goes out once more bytes are known to follow, so that the last one is known as such.
      if (filled === partBytes) {
        yield { bytes: part, isLast: false };
        part = Buffer.allocUnsafe(partBytes);
        filled = 0;
      }
      const taken = piece.subarray(at, at + partBytes - filled);
      part.set(taken, filled);
      filled += taken.byteLength;
      at += taken.byteLength;
    }
  }
  yield { bytes: part.subarray(0, filled), isLast: true };
}
