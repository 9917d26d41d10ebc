import type { TextLine } from '../common/results.ts';
import { changedTiles, type FrameTiles } from './frame-tiles.ts';
import { type Area, hashOf, type Pixels } from './pixels.ts';
import type { Character } from './alphabet.ts';
import type { Piece } from './pieces.ts';

/** A region that the detector found, and the lines that were read in it. */
export interface ReadRegion {
  /** Where the letters are. */
  readonly area: Area;
  /** Where letters were looked for. */
  readonly outer: Area;
  readonly lines: readonly TextLine[];
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly tiles: FrameTiles;
  readonly regions: readonly ReadRegion[];
}

/** A frame is kept as its hashes and texts alone, about 100 KB for a full screen. */
const FRAMES = 8;

/** The pictures that were read last, for finding what is new in the next one. */
export class FrameCache {
  readonly #frames: Frame[] = [];

  /** Answers the kept frame of the same size that differs in the fewest tiles, and those tiles. */
  nearest(width: number, height: number, tiles: FrameTiles): { frame: Frame; changed: number[] } | undefined {
    let best: { frame: Frame; changed: number[] } | undefined;
    for (const frame of this.#frames) {
      if (frame.width !== width || frame.height !== height) continue;
      const changed = changedTiles(frame.tiles, tiles);
      if (best === undefined || changed.length < best.changed.length) best = { frame, changed };
    }
    return best;
  }

  /** Puts a frame first, and drops the one that was not used for longest where there are too many. */
  keep(frame: Frame): void {
    const at = this.#frames.indexOf(frame);
    if (at >= 0) this.#frames.splice(at, 1);
    this.#frames.unshift(frame);
    this.#frames.splice(FRAMES);
  }
}

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

/** Answers a piece's size, the columns that it fills of the recogniser's input, and two hashes of its pixels. */
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
