import type { temporal } from '@temporalio/proto';
import type { SqliteDatabase } from '../persistence/database.ts';
import { StartActivityExecutionRequest, fromEncoded, toEncoded } from '../protocol/proto.ts';
import { type ActivityState, type StandaloneActivity, isClosed } from './activity.ts';

/** What an activity was started with and what never changes: its input, header and metadata, and its search attributes. */
export type ActivityRequest = Pick<
  temporal.api.workflowservice.v1.IStartActivityExecutionRequest,
  'input' | 'header' | 'userMetadata' | 'searchAttributes'
>;

interface Row {
  readonly activity_key: number;
  readonly namespace: string;
  readonly activity_id: string;
  readonly run_id: string;
  readonly state: string;
}

const COLUMNS = 'activity_key, namespace, activity_id, run_id, state';

/** The table of activities that belong to no workflow. Changes have to be made within a transaction of the commit group. */
export class ActivityStore {
  readonly #open;
  readonly #newest;
  readonly #run;
  readonly #request;
  readonly #insert;
  readonly #save;
  readonly #delete;
  #nextKey: number;

  constructor(db: SqliteDatabase) {
    const { last } = db.prepare('SELECT max(activity_key) AS last FROM activities').get() as {
      last: number | null;
    };
    this.#nextKey = (last ?? 0) + 1;
    this.#open = db.prepare(`SELECT ${COLUMNS} FROM activities WHERE is_open = 1 ORDER BY activity_key`);
    this.#newest = db.prepare(
      `SELECT ${COLUMNS} FROM activities WHERE namespace = ? AND activity_id = ? ORDER BY activity_key DESC LIMIT 1`,
    );
    this.#run = db.prepare(
      `SELECT ${COLUMNS} FROM activities WHERE namespace = ? AND activity_id = ? AND run_id = ?`,
    );
    this.#request = db.prepare('SELECT request FROM activities WHERE activity_key = ?');
    this.#insert = db.prepare(
      'INSERT INTO activities (activity_key, namespace, activity_id, run_id, is_open, request, state) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#save = db.prepare('UPDATE activities SET is_open = ?, state = ? WHERE activity_key = ?');
    this.#delete = db.prepare('DELETE FROM activities WHERE namespace = ? AND run_id = ?');
  }

  allocateKey(): number {
    return this.#nextKey++;
  }

  open(): StandaloneActivity[] {
    return (this.#open.all() as Row[]).map(toActivity);
  }

  /** Finds a run of an activity, or the newest one of its id. */
  find(namespace: string, activityId: string, runId: string): StandaloneActivity | undefined {
    const row = (
      runId === '' ? this.#newest.get(namespace, activityId) : this.#run.get(namespace, activityId, runId)
    ) as Row | undefined;
    return row && toActivity(row);
  }

  request(key: number): ActivityRequest {
    const row = this.#request.get(key) as { request: string } | undefined;
    return row ? fromEncoded(StartActivityExecutionRequest, row.request) : {};
  }

  insert({ key, ref, state }: StandaloneActivity, request: ActivityRequest): void {
    const { namespace, activityId, runId } = ref;
    const encoded = toEncoded(StartActivityExecutionRequest, StartActivityExecutionRequest.create(request));
    this.#insert.run(key, namespace, activityId, runId, openOf(state), encoded, JSON.stringify(state));
  }

  save(key: number, state: ActivityState): void {
    this.#save.run(openOf(state), JSON.stringify(state), key);
  }

  /** Does nothing where the run is that of a workflow. */
  delete(namespace: string, runId: string): void {
    this.#delete.run(namespace, runId);
  }
}

/** libsql takes no booleans. */
function openOf(state: ActivityState): number {
  return isClosed(state) ? 0 : 1;
}

function toActivity(row: Row): StandaloneActivity {
  return {
    key: row.activity_key,
    ref: { namespace: row.namespace, activityId: row.activity_id, runId: row.run_id },
    state: JSON.parse(row.state) as ActivityState,
  };
}
