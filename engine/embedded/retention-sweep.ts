import type { EngineLogger } from '../connection/engine-logger.ts';
import type { RunRegistry } from './mutable-state/run-registry.ts';
import type { CommitGroup } from './persistence/commit-group.ts';
import { type SqliteDatabase, releaseFreePages, truncateLog } from './persistence/database.ts';
import type { NamespaceRegistry } from './persistence/namespace-registry.ts';
import type { Clock } from './primitives/clock.ts';
import type { Limits } from './primitives/limits.ts';
import type { ActivityStore } from './standalone-activities/activity-store.ts';
import { type ExpiredRun, ExpiredRuns } from './visibility/expired-runs.ts';
import type { VisibilityStore } from './visibility/visibility-store.ts';

/** The bounds of one batch of removals, which takes some milliseconds; then others have their turn. */
const BATCH_RUNS = 10;
const BATCH_BYTES = 1024 * 1024;
const PAUSE_MS = 5;

/** What removing closed runs takes. */
interface RetentionParts {
  readonly logger: EngineLogger;
  readonly now: Clock;
  readonly limits: Pick<Limits, 'retentionSweepMs'>;
  readonly group: CommitGroup;
  readonly namespaces: NamespaceRegistry;
  readonly runs: RunRegistry;
  readonly visibility: VisibilityStore;
  readonly activityStore: Pick<ActivityStore, 'delete'>;
}

/**
 * Removes closed runs once their namespace's retention is over: at the start, and then every `retentionSweepMs`. A run
 * is removed whole, with its history and its place in listings, in one commit with a few others; then the file shrinks.
 */
export class RetentionSweep {
  readonly #parts: RetentionParts;
  readonly #db: SqliteDatabase;
  readonly #expired: ExpiredRuns;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: RetentionParts, db: SqliteDatabase) {
    this.#parts = parts;
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
        this.#parts.logger.error({ err: error }, 'closed runs could not be removed, which is tried again');
        this.#scheduleNext();
      }
    }, ms).unref();
  }

  #scheduleNext(): void {
    this.#after(this.#parts.limits.retentionSweepMs, () => this.#remove(0));
  }

  /** @param removed how many runs this sweep has removed so far */
  #remove(removed: number): void {
    const batch = this.#nextBatch();
    if (batch.length > 0) {
      this.#removeBatch(batch);
      this.#after(PAUSE_MS, () => this.#remove(removed + batch.length));
      return;
    }
    if (removed > 0)
      this.#parts.logger.info({ runs: removed }, 'closed runs removed, their retention is over');
    this.#shrink(false);
  }

  #nextBatch(): ExpiredRun[] {
    const { namespaces, now, group } = this.#parts;
    // The file is searched, so what has changed in memory is written first.
    group.flush();
    for (const { name, retentionMs } of namespaces.all()) {
      const found = this.#expired.closedBefore(name, now() - retentionMs, BATCH_RUNS);
      if (found.length > 0) return bounded(found);
    }
    return [];
  }

  #removeBatch(batch: readonly ExpiredRun[]): void {
    const { runs, group, visibility, activityStore } = this.#parts;
    runs.transact(() => {
      for (const { ref, key } of batch) {
        if (key !== undefined) {
          runs.delete(ref, key);
          continue;
        }
        group.write(() => {
          visibility.delete(ref.namespace, ref.runId);
          activityStore.delete(ref.namespace, ref.runId);
        });
      }
    });
    group.flush();
  }

  #shrink(hasShrunk: boolean): void {
    if (releaseFreePages(this.#db)) {
      this.#after(PAUSE_MS, () => this.#shrink(true));
      return;
    }
    if (hasShrunk) truncateLog(this.#db);
    this.#scheduleNext();
  }
}

/** Takes as many runs as the size of their histories allows, but at least one. */
function bounded(found: readonly ExpiredRun[]): ExpiredRun[] {
  let bytes = 0;
  const batch: ExpiredRun[] = [];
  for (const run of found) {
    bytes += run.historyBytes;
    if (batch.length > 0 && bytes > BATCH_BYTES) break;
    batch.push(run);
  }
  return batch;
}
