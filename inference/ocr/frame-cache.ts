import { changedTiles, type FrameTiles } from './frame-tiles.ts';
import type { Area } from './pixels.ts';
import type { TextLine } from '../common/results.ts';

/** A region that the detector found, and the lines read in it. */
export interface ReadRegion {
  /** Where its letters are. */
  readonly area: Area;
  /** Where they were looked for. */
  readonly outer: Area;
  readonly lines: readonly TextLine[];
}

export interface Frame {
  readonly width: number;
  readonly height: number;
  readonly tiles: FrameTiles;
  readonly regions: readonly ReadRegion[];
}

/** A frame is remembered by its hashes and texts alone: some 100 KB for a full screen. */
const FRAMES = 8;

/** The pictures read last, for finding what is new in the next one. */
export class FrameCache {
  readonly #frames: Frame[] = [];

  /** The remembered frame of the same size that differs in the fewest tiles, and which they are. */
  nearest(width: number, height: number, tiles: FrameTiles): { frame: Frame; changed: number[] } | undefined {
    let best: { frame: Frame; changed: number[] } | undefined;
    for (const frame of this.#frames) {
      if (frame.width !== width || frame.height !== height) continue;
      const changed = changedTiles(frame.tiles, tiles);
      if (best === undefined || changed.length < best.changed.length) best = { frame, changed };
    }
    return best;
  }

  /** Puts a frame first; beyond the number that is kept the one not met for longest is forgotten. */
  keep(frame: Frame): void {
    const at = this.#frames.indexOf(frame);
    if (at >= 0) this.#frames.splice(at, 1);
    this.#frames.unshift(frame);
    this.#frames.splice(FRAMES);
  }
}
