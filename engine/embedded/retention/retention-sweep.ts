import type { Kernel } from '../kernel.ts';
import type { SqliteDatabase } from '../persistence/database.ts';
import { giveBackPages, truncateLog } from '../persistence/free-pages.ts';
import { type ExpiredRun, ExpiredRuns } from './expired-runs.ts';

/** One piece of the work, then others have their turn: some milliseconds. */
const PIECE_RUNS = 10;
const PIECE_BYTES = 1024 * 1024;
const PAUSE_MS = 5;

/**
 * Removes closed runs once their namespace's retention is over: at the start, and then every `retentionSweepMs`. A run goes
 * whole, with its history and its place in listings, in one commit with a few others; then the file gives its room back.
 */
export class RetentionSweep {
  readonly #kernel: Kernel;
  readonly #db: SqliteDatabase;
  readonly #expired: ExpiredRuns;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(kernel: Kernel, db: SqliteDatabase) {
    this.#kernel = kernel;
    this.#db = db;
    this.#expired = new ExpiredRuns(db);
  }

  start(): void {
    this.#after(PAUSE_MS, () => this.#remove(0));
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #after(ms: number, work: () => void): void {
    if (this.#stopped) return;
    this.#timer = setTimeout(() => {
      try {
        work();
      } catch (error) {
        this.#kernel.logger.error({ err: error }, 'closed runs could not be removed, which is tried again');
        this.#rest();
      }
    }, ms).unref();
  }

  #rest(): void {
    this.#after(this.#kernel.limits.retentionSweepMs, () => this.#remove(0));
  }

  /** @param removed runs so far, in this sweep */
  #remove(removed: number): void {
    const piece = this.#nextPiece();
    if (piece.length > 0) {
      this.#removePiece(piece);
      this.#after(PAUSE_MS, () => this.#remove(removed + piece.length));
      return;
    }
    if (removed > 0)
      this.#kernel.logger.info({ runs: removed }, 'closed runs removed, their retention is over');
    this.#giveBack(false);
  }

  #nextPiece(): ExpiredRun[] {
    const { namespaces, now, group } = this.#kernel;
    // What has changed in memory stands in the file first: it is searched.
    group.flush();
    for (const { name, retentionMs } of namespaces.all()) {
      const found = this.#expired.closedBefore(name, now() - retentionMs, PIECE_RUNS);
      if (found.length > 0) return bounded(found);
    }
    return [];
  }

  #removePiece(piece: readonly ExpiredRun[]): void {
    const { runs, group, visibility, timers } = this.#kernel;
    runs.transact(() => {
      for (const { ref, key } of piece) {
        group.write(() => visibility.delete(ref.namespace, ref.runId));
        if (key === undefined) continue;
        runs.delete(ref, key);
        timers.set(key, ref, undefined);
      }
    });
    group.flush();
  }

  #giveBack(given: boolean): void {
    if (giveBackPages(this.#db)) {
      this.#after(PAUSE_MS, () => this.#giveBack(true));
      return;
    }
    if (given) truncateLog(this.#db);
    this.#rest();
  }
}

/** As many as their histories allow, one at least. */
function bounded(found: readonly ExpiredRun[]): ExpiredRun[] {
  let bytes = 0;
  const piece: ExpiredRun[] = [];
  for (const run of found) {
    bytes += run.historyBytes;
    if (piece.length > 0 && bytes > PIECE_BYTES) break;
    piece.push(run);
  }
  return piece;
}
