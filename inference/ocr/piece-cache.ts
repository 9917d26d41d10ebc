import type { Character } from './alphabet.ts';
import type { Piece } from './pieces.ts';
import type { Pixels } from './pixels.ts';

/** What a piece was read as; `steps` of the recogniser over its whole width. */
export interface PieceReading {
  readonly characters: readonly Character[];
  readonly steps: number;
}

/** Bytes that readings may take together, by the estimate below. */
const BYTES = 8 * 2 ** 20;

/** Readings by the pixels of the piece, so that what was read once is not read again wherever it stands. */
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

/** Its size, what it fills of the recogniser's input, and two hashes of its pixels. */
export function pieceKey({ width, data }: Pixels, { area, used }: Piece): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let y = area.top; y < area.bottom; y += 1) {
    for (let at = (y * width + area.left) * 3; at < (y * width + area.right) * 3; at += 3) {
      const value = ((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0);
      a = Math.imul(a ^ value, 0x01000193);
      b = Math.imul((b << 13) | (b >>> 19), 5) + Math.imul(value, 0x85ebca6b);
    }
  }
  return `${String(area.right - area.left)}x${String(area.bottom - area.top)}:${String(used)}:${String(a)}:${String(b)}`;
}

function bytesOf(key: string, { characters }: PieceReading): number {
  return characters.reduce(
    (sum, { others }) => sum + 120 + 40 * Object.keys(others).length,
    200 + 2 * key.length,
  );
}
