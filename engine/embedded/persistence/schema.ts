/**
 * The tables of the engine (visibility adds its own), the first step of the migrations.
 *
 * `runs.state` is the mutable state as JSON. `next_deadline` (ms since the epoch) is the earliest timer or timeout of the
 * run, `pending_work` is 1 while a task of it has to be delivered again after a restart: with these two columns a restart
 * finds what to re-arm without reading every run. `history` has one row for each batch of events, the unit that pages of
 * histories never split.
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
