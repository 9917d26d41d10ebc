import type { ItemChange, ItemRow } from './pending-items.ts';
import type { RunRecord } from './record.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import type { SqliteDatabase } from '../persistence/database.ts';

export interface RunRow {
  readonly runKey: number;
  readonly ref: RunRef;
  readonly state: string;
  readonly nextDeadline: number | null;
  readonly pendingWork: 0 | 1;
}

interface RefRow {
  readonly run_key: number;
  readonly namespace: string;
  readonly workflow_id: string;
  readonly run_id: string;
}

/** A run as the file has it. */
export interface StoredRun {
  readonly run_key: number;
  readonly state: RunRecord;
  readonly items: readonly ItemRow[];
}

/** The `runs`, `pending_items` and `current_runs` tables. */
export class RunStore {
  readonly #find;
  readonly #save;
  readonly #delete;
  readonly #items;
  readonly #saveItem;
  readonly #deleteItem;
  readonly #deleteItems;
  readonly #setCurrent;
  readonly #current;
  readonly #newestOther;
  readonly #deleteCurrent;
  readonly #withDeadline;
  readonly #withWork;
  #nextKey: number;

  constructor(db: SqliteDatabase) {
    this.#find = db.prepare(
      'SELECT run_key, state FROM runs WHERE namespace = ? AND workflow_id = ? AND run_id = ?',
    );
    this.#save = db.prepare(
      `INSERT INTO runs (run_key, namespace, workflow_id, run_id, state, next_deadline, pending_work)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (run_key) DO UPDATE SET
         state = excluded.state, next_deadline = excluded.next_deadline, pending_work = excluded.pending_work`,
    );
    this.#delete = db.prepare('DELETE FROM runs WHERE run_key = ?');
    this.#items = db.prepare('SELECT kind, id, item FROM pending_items WHERE run_key = ? ORDER BY kind, id');
    this.#saveItem = db.prepare(
      'INSERT OR REPLACE INTO pending_items (run_key, kind, id, item) VALUES (?, ?, ?, ?)',
    );
    this.#deleteItem = db.prepare('DELETE FROM pending_items WHERE run_key = ? AND kind = ? AND id = ?');
    this.#deleteItems = db.prepare('DELETE FROM pending_items WHERE run_key = ?');
    this.#setCurrent = db.prepare(
      `INSERT INTO current_runs (namespace, workflow_id, run_id) VALUES (?, ?, ?)
       ON CONFLICT (namespace, workflow_id) DO UPDATE SET run_id = excluded.run_id`,
    );
    this.#current = db.prepare('SELECT run_id FROM current_runs WHERE namespace = ? AND workflow_id = ?');
    this.#newestOther = db.prepare(
      `SELECT run_id FROM runs WHERE namespace = ? AND workflow_id = ? AND run_key <> ?
       ORDER BY run_key DESC LIMIT 1`,
    );
    this.#deleteCurrent = db.prepare('DELETE FROM current_runs WHERE namespace = ? AND workflow_id = ?');
    this.#withDeadline = db.prepare(
      'SELECT run_key, namespace, workflow_id, run_id, next_deadline FROM runs WHERE next_deadline IS NOT NULL',
    );
    this.#withWork = db.prepare(
      'SELECT run_key, namespace, workflow_id, run_id FROM runs WHERE pending_work = 1 ORDER BY run_key',
    );
    const newest = db.prepare('SELECT max(run_key) AS newest FROM runs').get() as { newest: number | null };
    this.#nextKey = (newest.newest ?? 0) + 1;
  }

  allocateKey(): number {
    return this.#nextKey++;
  }

  find(ref: RunRef): StoredRun | undefined {
    const row = this.#find.get(ref.namespace, ref.workflowId, ref.runId) as
      | { run_key: number; state: string }
      | undefined;
    if (!row) return undefined;
    const items = this.#items.all(row.run_key) as ItemRow[];
    return { run_key: row.run_key, state: JSON.parse(row.state) as RunRecord, items };
  }

  save(row: RunRow): void {
    const { namespace, workflowId, runId } = row.ref;
    this.#save.run(row.runKey, namespace, workflowId, runId, row.state, row.nextDeadline, row.pendingWork);
  }

  saveItem(runKey: number, { kind, id, item }: ItemChange): void {
    if (item === undefined) this.#deleteItem.run(runKey, kind, id);
    else this.#saveItem.run(runKey, kind, id, item);
  }

  setCurrent(ref: RunRef): void {
    this.#setCurrent.run(ref.namespace, ref.workflowId, ref.runId);
  }

  currentRunId(namespace: string, workflowId: string): string | undefined {
    const row = this.#current.get(namespace, workflowId) as { run_id: string } | undefined;
    return row?.run_id;
  }

  /** Deletes the row; an older run of the same workflow id, if any, becomes the current one. */
  delete(ref: RunRef, runKey: number): void {
    this.#delete.run(runKey);
    this.#deleteItems.run(runKey);
    if (this.currentRunId(ref.namespace, ref.workflowId) !== ref.runId) return;
    const older = this.#newestOther.get(ref.namespace, ref.workflowId, runKey) as
      | { run_id: string }
      | undefined;
    if (older) this.setCurrent({ ...ref, runId: older.run_id });
    else this.#deleteCurrent.run(ref.namespace, ref.workflowId);
  }

  /** Lists the runs that wait for a deadline. */
  *withDeadline(): Generator<{ key: number; ref: RunRef; at: number }> {
    for (const row of this.#withDeadline.iterate() as Iterable<RefRow & { next_deadline: number }>) {
      yield { key: row.run_key, ref: toRef(row), at: row.next_deadline };
    }
  }

  /** Lists the runs that have a task to deliver again. */
  withPendingWork(): RunRef[] {
    return (this.#withWork.all() as RefRow[]).map(toRef);
  }
}

function toRef(row: RefRow): RunRef {
  return { namespace: row.namespace, workflowId: row.workflow_id, runId: row.run_id };
}
