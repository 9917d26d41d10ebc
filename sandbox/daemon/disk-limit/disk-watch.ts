import { statfs } from 'node:fs/promises';
import { Allowance } from './allowance.ts';
import { measureFolders } from './measure-folders.ts';

const MIB = 1024 * 1024;
const CHECK_MS = 500;
/** How soon the folders are measured again where the file system tells nothing, after an action and at the longest. */
const SOONEST_MS = 2_000;
const LATEST_MS = 60_000;
/** The share of the time that measuring takes at most: where it may be too much already, and otherwise. */
const URGENT_SHARE = 0.25;
const SHARE = 0.1;

export interface DiskWatchOptions {
  /** Of one file system. */
  readonly folders: readonly [string, ...string[]];
  /** Null: not held. */
  readonly limitMib: number | null;
  readonly limitFiles: number | null;
  /** Bytes of files that are unlinked and still open. */
  readonly heldOpen: () => Promise<number>;
  /**
   * Called when the folders hold more than they may, and more than they did when that was last said. Ends what writes there.
   * `reason` is a sentence for the model.
   */
  readonly onFull: (reason: string) => Promise<void>;
}

/**
 * Looks after the size and the number of files where the file system has no quota for them. Twice a second it asks the file
 * system how much room it has, which costs nothing; the folders themselves are measured at once when that has gone down by as
 * much as is left to them, soon when it has gone down noticeably, and otherwise now and then: more often after actions, since
 * what others free at the same time hides what the agent writes.
 */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #bytes: Allowance;
  readonly #files: Allowance;
  #freeThen = { bytes: 0, files: 0 };
  #tookMs = 0;
  #measuredAt = Number.NEGATIVE_INFINITY;
  #everyMs = SOONEST_MS;
  #busy = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#bytes = new Allowance(options.limitMib === null ? null : options.limitMib * MIB);
    this.#files = new Allowance(options.limitFiles);
    this.#timer = setInterval(() => void this.#check(), CHECK_MS);
    this.#timer.unref();
  }

  /** Something is done that may write. */
  wake(): void {
    this.#everyMs = SOONEST_MS;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  async #check(): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    try {
      const { bavail, bsize, ffree } = await statfs(this.#options.folders[0]);
      const free = { bytes: bavail * bsize, files: ffree };
      const grown = Math.max(
        this.#bytes.shareOfRoom(this.#freeThen.bytes - free.bytes),
        this.#files.shareOfRoom(this.#freeThen.files - free.files),
      );
      const since = performance.now() - this.#measuredAt;
      const urgent = grown >= 1;
      const due = grown >= 0.25 || since >= this.#everyMs;
      const rest = this.#tookMs / (urgent ? URGENT_SHARE : SHARE);
      if ((!urgent && !due) || since < rest) return;
      await this.#measure(free, urgent);
    } catch {
      // The folder is on its way out, with the sandbox.
    } finally {
      this.#busy = false;
    }
  }

  async #measure(free: { readonly bytes: number; readonly files: number }, urgent: boolean): Promise<void> {
    const began = performance.now();
    const before = [this.#bytes.held, this.#files.held];
    const open = await this.#measureOnce(urgent);
    this.#tookMs = performance.now() - began;
    const reason = this.#reason(open);
    if (reason !== null) {
      await this.#options.onFull(reason);
      // With what was written until the end: whoever comes to delete it is not to be ended for that.
      await this.#measureOnce(true);
    }
    this.#bytes.settle(reason !== null);
    this.#files.settle(reason !== null);
    this.#freeThen = free;
    this.#measuredAt = performance.now();
    const same = before[0] === this.#bytes.held && before[1] === this.#files.held;
    this.#everyMs = same ? Math.min(this.#everyMs * 2, LATEST_MS) : SOONEST_MS;
  }

  /** Bytes of what is unlinked and open are part of what is held. */
  async #measureOnce(urgent: boolean): Promise<number> {
    const { folders, heldOpen, limitFiles } = this.#options;
    const { bytes, files } = await measureFolders(folders, { count: limitFiles !== null, urgent });
    const open = await heldOpen();
    this.#bytes.held = bytes + open;
    this.#files.held = files;
    return open;
  }

  #reason(open: number): string | null {
    const { limitMib, limitFiles } = this.#options;
    if (this.#bytes.isOver) {
      const unlinked = open < MIB ? '' : `, ${mib(open)} of it in deleted files that were still open`;
      return `its folders held ${mib(this.#bytes.held)}${unlinked}, more than the ${limitMib} MiB it may: delete files first.`;
    }
    if (this.#files.isOver)
      return `its folders held ${this.#files.held} files and folders, more than the ${limitFiles} they may: delete some first.`;
    return null;
  }
}

function mib(bytes: number): string {
  return `${Math.ceil(bytes / MIB)} MiB`;
}
