import { lstat, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';

const MIB = 1024 * 1024;
const LOOK_MS = 1_000;
/** However quiet the file system is: what others free at the same time hides what the agent writes. */
const MEASURE_AT_LEAST_EVERY_MS = 60_000;
/** Measuring takes at most this share of the time. */
const SHARE = 0.02;

export interface DiskWatchOptions {
  readonly folder: string;
  readonly limitMib: number;
  /** Called when the folder holds more than it may, and more than it did when that was last said. */
  readonly onFull: (heldMib: number) => void;
}

/**
 * Looks after the size of a folder where the file system has no quota for it. Cheap while nothing happens: the folder is
 * measured only when the file system's free room has gone down by a noticeable part of what is left to it.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #timer: NodeJS.Timeout;
  /** Bytes that are held at most, until deleting has brought them down to the limit. */
  #allowance: number;
  #held = Number.POSITIVE_INFINITY;
  #freeThen = 0;
  #nextMeasure = 0;
  #forcedMeasure = 0;
  #busy = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#allowance = options.limitMib * MIB;
    this.#timer = setInterval(() => void this.#look(), LOOK_MS);
    this.#timer.unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #look(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const { bavail, bsize } = await statfs(this.#options.folder);
      const free = bavail * bsize;
      const now = performance.now();
      const room = Math.max(this.#allowance - this.#held, 0);
      const used = this.#freeThen - free;
      if (now < this.#nextMeasure || (used * 4 < room && now < this.#forcedMeasure)) return;
      await this.#measure(free);
    } catch {
      // The folder is on its way out, with the sandbox.
    } finally {
      this.#busy = false;
    }
  }

  async #measure(free: number): Promise<void> {
    const { limitMib, onFull } = this.#options;
    const began = performance.now();
    this.#held = await bytesBelow(this.#options.folder);
    const took = performance.now() - began;
    this.#freeThen = free;
    this.#nextMeasure = performance.now() + took / SHARE;
    this.#forcedMeasure = performance.now() + Math.max(MEASURE_AT_LEAST_EVERY_MS, took / SHARE);
    const full = this.#held > this.#allowance;
    // Whoever is over the limit may delete, and not add: what is held now is the most from now on.
    this.#allowance = Math.max(limitMib * MIB, Math.min(this.#held, full ? this.#held : this.#allowance));
    if (full) onFull(Math.ceil(this.#held / MIB));
  }
}

/** Room that the files below a folder take; symbolic links are not followed, and what vanishes meanwhile takes none. */
export async function bytesBelow(folder: string): Promise<number> {
  let total = 0;
  const seen = new Set<string>();
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const parent = next;
    const entries = await readdir(parent, { withFileTypes: true }).catch(() => []);
    const sizes = await Promise.all(
      entries.map(async (entry) => {
        const path = join(parent, entry.name);
        if (entry.isDirectory()) waiting.push(path);
        const found = await lstat(path).catch(() => null);
        if (found === null) return 0;
        // A file with several names takes its room once.
        if (found.nlink > 1 && !found.isDirectory()) {
          const identity = `${found.dev}:${found.ino}`;
          if (seen.has(identity)) return 0;
          seen.add(identity);
        }
        return found.blocks * 512;
      }),
    );
    total += sizes.reduce((sum, size) => sum + size, 0);
  }
  return total;
}
