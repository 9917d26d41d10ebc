import type { TextLine } from '../common/results.ts';
import { changedTiles, type FrameTiles } from './frame-tiles.ts';
import type { Area } from './pixels.ts';

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

  /** The kept frame of the same size that differs in the fewest tiles, and those tiles. */
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
