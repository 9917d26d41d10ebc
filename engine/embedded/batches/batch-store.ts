import type { CommitGroup } from '../persistence/commit-group.ts';
import type { SqliteDatabase } from '../persistence/database.ts';
import type { EncodedMessage } from '../protocol/proto.ts';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';

/** A batch operation as it is stored, in plain JSON. Times are in ms since the epoch. */
export interface BatchRecord {
  readonly namespace: string;
  readonly jobId: string;
  /** Names the job as a run, as the server's jobs are. */
  readonly runId: string;
  /** The StartBatchOperationRequest. */
  readonly request: EncodedMessage;
  readonly startTime: number;
  readonly total: number;
  closeTime?: number;
  /** The BatchOperationState. */
  state: number;
  completed: number;
  failed: number;
}

export interface StoredBatch {
  readonly key: number;
  readonly record: BatchRecord;
}

/** A workflow that a batch operation has still to change; without a run id the newest run is meant. */
export interface BatchTarget extends WorkflowExecutionRef {
  readonly position: number;
}

interface Row {
  readonly batch_key: number;
  readonly state: string;
}

/** The batch operations and what they have still to do. Writes belong to the current transaction. */
export class BatchStore {
  readonly #group: Pick<CommitGroup, 'write'>;
  readonly #insert;
  readonly #insertTarget;
  readonly #update;
  readonly #find;
  readonly #get;
  readonly #list;
  readonly #running;
  readonly #targets;
  readonly #targetsOf;
  readonly #deleteTarget;
  readonly #deleteTargets;
  readonly #delete;
  #nextKey: number;

  constructor(db: SqliteDatabase, group: Pick<CommitGroup, 'write'>) {
    this.#group = group;
    this.#insert = db.prepare(
      'INSERT INTO batches (batch_key, namespace, job_id, running, state) VALUES (?, ?, ?, 1, ?)',
    );
    this.#insertTarget = db.prepare(
      'INSERT INTO batch_targets (batch_key, position, workflow_id, run_id) VALUES (?, ?, ?, ?)',
    );
    this.#update = db.prepare('UPDATE batches SET running = ?, state = ? WHERE batch_key = ?');
    this.#find = db.prepare('SELECT batch_key, state FROM batches WHERE namespace = ? AND job_id = ?');
    this.#get = db.prepare('SELECT batch_key, state FROM batches WHERE batch_key = ?');
    this.#list = db.prepare(
      'SELECT batch_key, state FROM batches WHERE namespace = ? AND batch_key < ? ORDER BY batch_key DESC LIMIT ?',
    );
    this.#running = db.prepare('SELECT batch_key, state FROM batches WHERE running = 1 ORDER BY batch_key');
    this.#targets = db.prepare(
      'SELECT position, workflow_id, run_id FROM batch_targets WHERE batch_key = ? ORDER BY position LIMIT ?',
    );
    this.#targetsOf = db.prepare('SELECT count(*) AS left FROM batch_targets WHERE batch_key = ?');
    this.#deleteTarget = db.prepare('DELETE FROM batch_targets WHERE batch_key = ? AND position = ?');
    this.#deleteTargets = db.prepare('DELETE FROM batch_targets WHERE batch_key = ?');
    this.#delete = db.prepare('DELETE FROM batches WHERE batch_key = ?');
    const newest = db.prepare('SELECT max(batch_key) AS newest FROM batches').get() as {
      newest: number | null;
    };
    this.#nextKey = (newest.newest ?? 0) + 1;
  }

  create(record: BatchRecord, targets: readonly WorkflowExecutionRef[]): number {
    const key = this.#nextKey++;
    this.#group.write(() => {
      this.#insert.run(key, record.namespace, record.jobId, JSON.stringify(record));
      for (const [position, { workflowId, runId }] of targets.entries()) {
        this.#insertTarget.run(key, position, workflowId, runId);
      }
    });
    return key;
  }

  save({ key, record }: StoredBatch): void {
    const running = record.closeTime === undefined ? 1 : 0;
    const state = JSON.stringify(record);
    this.#group.write(() => {
      this.#update.run(running, state, key);
      if (running === 0) this.#deleteTargets.run(key);
    });
  }

  removeTarget(key: number, position: number): void {
    this.#group.write(() => {
      this.#deleteTarget.run(key, position);
    });
  }

  delete(key: number): void {
    this.#group.write(() => {
      this.#delete.run(key);
    });
  }

  find(namespace: string, jobId: string): StoredBatch | undefined {
    return toBatch(this.#find.get(namespace, jobId) as Row | undefined);
  }

  get(key: number): StoredBatch | undefined {
    return toBatch(this.#get.get(key) as Row | undefined);
  }

  /** Lists the operations of a namespace with a key below `before`, the newest first. */
  list(namespace: string, before: number, limit: number): StoredBatch[] {
    const rows = this.#list.all(namespace, before, limit) as Row[];
    return rows.flatMap((row) => toBatch(row) ?? []);
  }

  running(): StoredBatch[] {
    return (this.#running.all() as Row[]).flatMap((row) => toBatch(row) ?? []);
  }

  targets(key: number, limit: number): BatchTarget[] {
    const rows = this.#targets.all(key, limit) as {
      position: number;
      workflow_id: string;
      run_id: string;
    }[];
    return rows.map((row) => ({
      position: row.position,
      workflowId: row.workflow_id,
      runId: row.run_id,
    }));
  }

  /** How many workflows the operation has not come to. */
  left(key: number): number {
    return (this.#targetsOf.get(key) as { left: number }).left;
  }
}

function toBatch(row: Row | undefined): StoredBatch | undefined {
  return row && { key: row.batch_key, record: JSON.parse(row.state) as BatchRecord };
}
