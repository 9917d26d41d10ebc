import type { SqliteDatabase } from '../persistence/database.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { closeOrder } from './visibility-schema.ts';

/** A closed run whose retention is over. */
export interface ExpiredRun {
  readonly ref: RunRef;
  /** The key of the run's row; undefined when only the listing still has the run. */
  readonly key: number | undefined;
  readonly historyBytes: number;
}

interface Row {
  readonly workflow_id: string;
  readonly run_id: string;
  readonly run_key: number | null;
  readonly history_size_bytes: number | null;
}

const MICROS_PER_MS = 1000;

/** Finds closed runs by their age, the oldest first, by the index that listings use. */
export class ExpiredRuns {
  readonly #find;

  constructor(db: SqliteDatabase) {
    // A run that still owes something to other runs stays until that is done.
    this.#find = db.prepare(
      `SELECT visibility.workflow_id, visibility.run_id, run_key, history_size_bytes
       FROM visibility LEFT JOIN runs USING (namespace, workflow_id, run_id)
       WHERE namespace = ? AND ${closeOrder} < ? AND coalesce(pending_work, 0) = 0
       ORDER BY ${closeOrder}, start_time LIMIT ?`,
    );
  }

  /** Finds up to `limit` runs that closed before a time in ms. */
  closedBefore(namespace: string, time: number, limit: number): ExpiredRun[] {
    const rows = this.#find.all(namespace, Math.floor(time * MICROS_PER_MS), limit) as Row[];
    return rows.map(({ workflow_id: workflowId, run_id: runId, run_key, history_size_bytes }) => ({
      ref: { namespace, workflowId, runId },
      key: run_key ?? undefined,
      historyBytes: history_size_bytes ?? 0,
    }));
  }
}
