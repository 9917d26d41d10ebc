import { statfsSync } from 'node:fs';

const MIB = 1024 * 1024;
const LOOK_MS = 250;
/**
 * A folder counts as full when it has less room than this, and as having room again when it has more than four times
 * this.
 */
const FULL_BYTES = 256 * 1024;

/** Detects whether folders with sizes of their own were full while something ran. */
export class FullFolders {
  readonly #paths: readonly string[];
  /** Folders that were reported and have had no room since. */
  readonly #told = new Set<string>();

  constructor(paths: readonly string[]) {
    this.#paths = paths;
  }

  /**
   * Watches from now until `end`. `take` returns what was full; each folder is reported once until it has room again.
   */
  watch(): {
    readonly take: () => { readonly path: string; readonly mib: number }[];
    readonly end: () => void;
  } {
    const seen = new Map<string, number>();
    const look = (): void => {
      for (const path of this.#paths) this.#look(path, seen);
    };
    const timer = setInterval(look, LOOK_MS);
    return {
      take: () => {
        look();
        return [...seen].map(([path, mib]) => ({ path, mib }));
      },
      end: () => clearInterval(timer),
    };
  }

  #look(path: string, seen: Map<string, number>): void {
    try {
      const { bavail, ffree, bsize, blocks } = statfsSync(path);
      const free = bavail * bsize;
      if (free > 4 * FULL_BYTES && ffree > 0) this.#told.delete(path);
      if ((free >= FULL_BYTES && ffree > 0) || this.#told.has(path)) return;
      this.#told.add(path);
      seen.set(path, Math.round((blocks * bsize) / MIB));
    } catch {
      // The folder does not exist.
    }
  }
}
