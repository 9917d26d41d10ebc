import { statfs } from 'node:fs/promises';
import { measureFolders } from './measure-folders.ts';

/** Below this share of the limit, free room does not make a growth urgent. */
const LITTLE = 1 / 32;

/**
 * The most that may be held. Over the limit files may be deleted and not added: the amount held becomes the most, with a
 * margin for what the programs of a desktop that starts anew write by themselves.
 */
export class Allowance {
  readonly #limit: number;
  readonly #margin: number;
  #most: number;
  /** The amount that was last measured. */
  held = Number.POSITIVE_INFINITY;

  /**
   * @param limit null means no limit
   * @param margin what may come when the limit is exceeded already
   */
  constructor(limit: number | null, margin: number) {
    this.#limit = limit ?? Number.POSITIVE_INFINITY;
    this.#margin = margin;
    this.#most = this.#limit;
  }

  get isOver(): boolean {
    return this.held > this.#most;
  }

  /** The share of the remaining room that an amount takes; 1 or more is too much. */
  shareOfRoom(amount: number): number {
    if (this.#limit === Number.POSITIVE_INFINITY || amount <= 0) return 0;
    return amount / Math.max(this.#most - this.held, this.#limit * LITTLE);
  }

  /** Updates the most after a measurement; `ended` says that the writing programs were ended because of it. */
  settle(ended: boolean): void {
    const most = this.held + this.#margin;
    if (this.held <= this.#limit) this.#most = this.#limit;
    else this.#most = ended ? most : Math.min(most, this.#most);
  }
}

const MIB = 1024 * 1024;
/** More than a new desktop writes by itself: sockets, caches and settings of its programs. */
const MARGIN = { bytes: MIB, files: 16 };
const CHECK_MS = 500;
/** The times between two measurements while the file system reports no growth: after an action, and the longest. */
const SOONEST_MS = 2_000;
const LATEST_MS = 60_000;
/** The largest share of the time that measuring may take: when the limit may be exceeded already, and otherwise. */
const URGENT_SHARE = 0.25;
const SHARE = 0.1;

interface DiskWatchOptions {
  /** Folders of one file system. */
  readonly folders: readonly [string, ...string[]];
  /** Null means no limit. */
  readonly limitMib: number | null;
  readonly limitFiles: number | null;
  /** Returns the bytes of files that are unlinked and still open. */
  readonly heldOpen: () => Promise<number>;
  /**
   * Called when the folders hold more than they may, and more than when it was last called. Ends the programs that
   * write there. `reason` is a sentence for the model.
   */
  readonly onFull: (reason: string) => Promise<void>;
}

/**
 * Limits the size and the number of files where the file system has no quota for them. Twice a second it asks the file
 * system for its free room, which is cheap. The folders are measured at once when the free room has gone down by as
 * much as they may still grow, early when it has gone down noticeably, and otherwise at intervals: more often after
 * actions, because files that others free at the same time hide what the agent writes.
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
    this.#bytes = new Allowance(options.limitMib === null ? null : options.limitMib * MIB, MARGIN.bytes);
    this.#files = new Allowance(options.limitFiles, MARGIN.files);
    this.#timer = setInterval(() => void this.#check(), CHECK_MS);
    this.#timer.unref();
  }

  /** To be called when something may write. */
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
      // The folder is being removed with the sandbox.
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
      // What was written until the end counts too, so that the agent is not ended again before it can delete files.
      await this.#measureOnce(true);
    }
    this.#bytes.settle(reason !== null);
    this.#files.settle(reason !== null);
    this.#freeThen = free;
    this.#measuredAt = performance.now();
    const same = before[0] === this.#bytes.held && before[1] === this.#files.held;
    this.#everyMs = same ? Math.min(this.#everyMs * 2, LATEST_MS) : SOONEST_MS;
  }

  /** Measures once and returns the bytes of unlinked open files, which are part of the amount held. */
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
