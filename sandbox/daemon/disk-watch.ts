import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';

const MIB = 1024 * 1024;
const LOOK_MS = 1_000;
/** However quiet the file system is: what others free at the same time hides what the agent writes. */
const MEASURE_AT_LEAST_EVERY_MS = 60_000;
/** Measuring takes at most this share of the time. */
const SHARE = 0.02;

export interface DiskWatchOptions {
  /** Of one file system. */
  readonly folders: readonly [string, ...string[]];
  readonly limitMib: number;
  /** Called when the folders hold more than it may, and more than it did when that was last said. Ends what writes there. */
  readonly onFull: (heldMib: number) => Promise<void>;
}

/**
 * Looks after the size of folders where the file system has no quota for them. Cheap while nothing happens: they are
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
      const { bavail, bsize } = await statfs(this.#options.folders[0]);
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
    this.#held = await bytesBelow(this.#options.folders);
    const took = performance.now() - began;
    const full = this.#held > this.#allowance;
    if (full) {
      await onFull(Math.ceil(this.#held / MIB));
      // With what was written until the end: whoever comes to delete it is not to be ended for that.
      this.#held = await bytesBelow(this.#options.folders);
    }
    this.#freeThen = free;
    this.#nextMeasure = performance.now() + took / SHARE;
    this.#forcedMeasure = performance.now() + Math.max(MEASURE_AT_LEAST_EVERY_MS, took / SHARE);
    // Whoever is over the limit may delete, and not add: what is held now is the most from now on.
    this.#allowance = Math.max(limitMib * MIB, Math.min(this.#held, full ? this.#held : this.#allowance));
  }
}

/**
 * Room that the files below folders take; symbolic links are not followed, and what vanishes meanwhile takes none. Measured by
 * `du`: it gets to the ground of trees that are deeper than a path can say.
 */
export function bytesBelow(folders: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    // The folders may be links; a folder that is not there is said on standard error, and the sum stands all the same.
    execFile('du', ['-skcD', '--', ...folders], { maxBuffer: 64 * MIB }, (error, stdout) => {
      const total = /^(\d+)\ttotal$/m.exec(stdout)?.[1];
      if (total === undefined) reject(error ?? new Error('du gave no sum'));
      else resolve(Number(total) * 1024);
    });
  });
}
