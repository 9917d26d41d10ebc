import { NAMESPACE_DETAILS_STEP } from './namespace-details-step.ts';
import { PENDING_ITEMS_STEP } from './pending-items-step.ts';
import { ACTIVITY_SCHEMA } from './activity-schema.ts';
import { BATCH_SCHEMA } from './batch-schema.ts';
import { DEPLOYMENT_SCHEMA } from './deployment-schema.ts';

/**
 * The tables of the engine, which are the first step of the migrations. Visibility adds its own.
 *
 * `runs.state` is the mutable state as JSON. `next_deadline` (ms since the epoch) is the earliest timer or timeout of
 * the run, and `pending_work` is 1 while a restart has to deliver a task of it again: with these two columns a restart
 * finds what to resume without reading every run. `history` has one row for each batch of events, which pages never
 * split.
 */
export const SCHEMA = `
CREATE TABLE IF NOT EXISTS engine_meta (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS namespaces (
  name TEXT PRIMARY KEY,
  id TEXT NOT NULL,
  description TEXT NOT NULL,
  owner_email TEXT NOT NULL,
  retention_ms INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS runs (
  run_key INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  state TEXT NOT NULL,
  next_deadline REAL,
  pending_work INTEGER NOT NULL,
  UNIQUE (namespace, workflow_id, run_id)
);
CREATE INDEX IF NOT EXISTS runs_by_deadline ON runs (next_deadline) WHERE next_deadline IS NOT NULL;
CREATE INDEX IF NOT EXISTS runs_with_work ON runs (run_key) WHERE pending_work = 1;
CREATE TABLE IF NOT EXISTS current_runs (
  namespace TEXT NOT NULL,
  workflow_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  PRIMARY KEY (namespace, workflow_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS history (
  run_key INTEGER NOT NULL,
  first_event_id INTEGER NOT NULL,
  last_event_id INTEGER NOT NULL,
  events BLOB NOT NULL,
  PRIMARY KEY (run_key, first_event_id)
);
`;

/**
 * The table of schedules. The columns of the definition hold encoded protobuf messages and change when somebody updates
 * the schedule; `state` is what changes while it runs, as JSON.
 */
const SCHEDULES = `
CREATE TABLE IF NOT EXISTS schedules (
  schedule_key INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  schedule_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  definition TEXT NOT NULL,
  memo TEXT NOT NULL,
  search_attributes TEXT NOT NULL,
  state TEXT NOT NULL,
  UNIQUE (namespace, schedule_id)
);
`;

/** A step of the schema. A released step is never edited. */
export interface Migration {
  readonly sql: string;
  /**
   * Releases that do not know the step cannot use the file after it. Without this mark the step only adds, so that one may
   * go back to the release before. Within a release (the same minor version) no step breaks.
   */
  readonly isBreaking?: boolean;
}

/**
 * The steps that make the engine's tables, in order; `schema_version` counts those that were applied, `oldest_schema` those
 * that a release has to know. Visibility and search attributes make tables of their own beside these.
 */
export const MIGRATIONS: readonly Migration[] = [
  { sql: SCHEMA },
  { sql: SCHEDULES },
  { sql: PENDING_ITEMS_STEP, isBreaking: true },
  { sql: BATCH_SCHEMA },
  { sql: NAMESPACE_DETAILS_STEP },
  { sql: DEPLOYMENT_SCHEMA },
  { sql: ACTIVITY_SCHEMA },
];
