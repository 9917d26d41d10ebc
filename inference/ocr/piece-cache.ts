import type { Character } from './alphabet.ts';
import type { Piece } from './pieces.ts';
import { hashOf, type Pixels } from './pixels.ts';

/** What a piece was read as. The recogniser has `steps` over the piece's whole width. */
export interface PieceReading {
  readonly characters: readonly Character[];
  readonly steps: number;
}

/** Bytes that all readings may take together, as `bytesOf` estimates them. */
const BYTES = 8 * 2 ** 20;

/** Readings by the pieces' pixels, so that what was read once is not read again, wherever in a picture it is. */
export class PieceCache {
  readonly #readings = new Map<string, PieceReading>();
  #bytes = 0;

  get(key: string): PieceReading | undefined {
    const reading = this.#readings.get(key);
    if (reading !== undefined) {
      this.#readings.delete(key);
      this.#readings.set(key, reading);
    }
    return reading;
  }

  set(key: string, reading: PieceReading): void {
    this.#readings.set(key, reading);
    this.#bytes += bytesOf(key, reading);
    for (const [oldest, old] of this.#readings) {
      if (this.#bytes <= BYTES) break;
      this.#readings.delete(oldest);
      this.#bytes -= bytesOf(oldest, old);
    }
  }
}

/** A piece's size, the columns that it fills of the recogniser's input, and two hashes of its pixels. */
export function pieceKey(pixels: Pixels, { area, used }: Piece): string {
  const [a, b] = hashOf(pixels, area);
  return `${area.right - area.left}x${area.bottom - area.top}:${used}:${a}:${b}`;
}

function bytesOf(key: string, { characters }: PieceReading): number {
  return characters.reduce(
    (sum, { others }) => sum + 120 + 40 * Object.keys(others).length,
    200 + 2 * key.length,
  );
}
