import { maybeText, object, type Row, unlessCorrupt } from '../common/rows.ts';
import { environmentOf, lowerName } from '../postgres/names.ts';

/** How one table of PostgreSQL is filled from a SQLite store. */
export interface TransferredTable {
  readonly name: string;
  /** Its columns that are written, with their types. */
  readonly columns: Readonly<Record<string, string>>;
  /** Answers these columns, but for the derived ones, in the order in which they are to be written. */
  readonly select: string;
  /** What PostgreSQL keeps beside what SQLite has. */
  readonly derived?: (row: Row) => Row;
}

/** Batches that are half written, or half deleted, belong to nobody. */
const WHOLE_BATCHES = `(SELECT id FROM batches WHERE status NOT IN ('incoming', 'leaving'))`;
const BATCH_COLUMNS = {
  id: 'text',
  status: 'text',
  requests: 'int',
  created_at: 'text',
  expires_at: 'text',
  cancel_initiated_at: 'text',
  ended_at: 'text',
  unanswered: 'text',
  succeeded: 'int',
  errored: 'int',
  data: 'text',
};
const FILE_COLUMNS = {
  id: 'text',
  created_at: 'text',
  expires_at: 'text',
  filename: 'text',
  mime_type: 'text',
  size_bytes: 'bigint',
  blob: 'text',
  scope: 'text',
  origin: 'text',
  stamp: 'text',
  details: 'text',
};

/**
 * The tables of records. Claims and leases are left out: they are of processes that have ended. So are the rows of
 * objects, which say where the bytes are.
 */
export const TRANSFERRED: readonly TransferredTable[] = [
  {
    name: 'sessions',
    columns: {
      id: 'text',
      agent_id: 'text',
      agent_version: 'int',
      environment_id: 'text',
      status: 'text',
      created_at: 'text',
      updated_at: 'text',
      archived_at: 'text',
      epoch: 'int',
      cursor: 'int',
      head: 'text',
      data: 'text',
      deleting_at: 'text',
    },
    select: 'SELECT * FROM sessions ORDER BY id',
    derived: (row) => ({ environment_id: ofData(row, environmentOf) }),
  },
  {
    name: 'events',
    columns: {
      session: 'text',
      seq: 'int',
      id: 'text',
      type: 'text',
      payload: 'text',
      internal: 'text',
      ref: 'text',
      key: 'text',
      idx: 'int',
      hash: 'text',
      created_at: 'text',
    },
    select: 'SELECT * FROM events ORDER BY session, seq',
  },
  {
    name: 'appends',
    columns: { session: 'text', key: 'text', cursor: 'int', events: 'int', outcome: 'text' },
    select: `SELECT session, key, cursor, outcome,
        (SELECT count(*) FROM events WHERE events.session = appends.session AND events.key = appends.key) AS events
      FROM appends ORDER BY session, key`,
  },
  {
    // The places in it are made anew, in the same order.
    name: 'outbox',
    columns: { session: 'text', seq: 'int' },
    select: 'SELECT session, seq FROM outbox ORDER BY position',
  },
  {
    name: 'session_secrets',
    columns: { session: 'text', sealed: 'bytea' },
    select: 'SELECT session, sealed FROM session_secrets ORDER BY session',
  },
  {
    name: 'session_checks',
    columns: { session: 'text', checked_at: 'text', broken_at: 'int', reason: 'text' },
    select: `SELECT id AS session, checked_at, broken_at, reason
      FROM sessions LEFT JOIN session_checks ON session = id ORDER BY id`,
  },
  {
    name: 'effects',
    columns: {
      scope: 'text',
      key: 'text',
      intent: 'text',
      outcome: 'text',
      begun_at: 'text',
      finished_at: 'text',
      attempt: 'text',
    },
    select: `SELECT scope, key, intent, outcome, begun_at, finished_at, 'moved' AS attempt FROM effects
      ORDER BY scope, key`,
  },
  {
    name: 'agents',
    columns: { id: 'text', latest: 'int', created_at: 'text', archived_at: 'text' },
    select: 'SELECT * FROM agents ORDER BY id',
  },
  {
    name: 'agent_versions',
    columns: { id: 'text', version: 'int', updated_at: 'text', name: 'text', data: 'text' },
    select: 'SELECT * FROM agent_versions ORDER BY id, version',
    derived: (row) => ({ name: ofData(row, lowerName) }),
  },
  {
    name: 'environments',
    columns: {
      id: 'text',
      created_at: 'text',
      updated_at: 'text',
      archived_at: 'text',
      name: 'text',
      data: 'text',
    },
    select: 'SELECT * FROM environments ORDER BY id',
    derived: (row) => ({ name: ofData(row, lowerName) }),
  },
  {
    name: 'blob_uses',
    columns: { scope: 'text', hash: 'text' },
    select: 'SELECT scope, hash FROM blob_uses ORDER BY scope, hash',
  },
  { name: 'files', columns: FILE_COLUMNS, select: 'SELECT * FROM files ORDER BY id' },
  {
    name: 'batches',
    columns: BATCH_COLUMNS,
    select: `SELECT * FROM batches WHERE id IN ${WHOLE_BATCHES} ORDER BY id`,
  },
  {
    name: 'batch_requests',
    columns: { batch: 'text', position: 'int', custom_id: 'text', params: 'bytea' },
    select: `SELECT * FROM batch_requests WHERE batch IN ${WHOLE_BATCHES} ORDER BY batch, position`,
  },
  {
    name: 'batch_results',
    columns: { batch: 'text', position: 'int', type: 'text', result: 'text' },
    select: `SELECT * FROM batch_results WHERE batch IN ${WHOLE_BATCHES} ORDER BY batch, position`,
  },
  {
    name: 'once_only',
    columns: { key: 'text', expires_at: 'bigint' },
    select: 'SELECT * FROM once_only ORDER BY key',
  },
];

/** What a record's data says; null where the data is damaged, as it then is at both places. */
function ofData(row: Row, read: (data: ReturnType<typeof object>) => string | null): string | null {
  if (maybeText(row, 'data') === null) return null;
  return unlessCorrupt(() => read(object(row, 'data'))) ?? null;
}

/** The computers of sessions. A session that is being deleted has one, too: its record goes with it. */
export const COMPUTERS = `
  SELECT DISTINCT json_extract(data, '$.sandbox_id') AS id FROM sessions
  WHERE json_valid(data) AND json_extract(data, '$.sandbox_id') IS NOT NULL ORDER BY 1`;
