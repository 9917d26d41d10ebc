/**
 * The tables of batch operations. `batches.state` is the operation as JSON; `batch_targets` has a row for each workflow
 * that it has not come to yet, which goes away in the transaction that changes the workflow.
 */
export const BATCH_SCHEMA = `
CREATE TABLE IF NOT EXISTS batches (
  batch_key INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  job_id TEXT NOT NULL,
  running INTEGER NOT NULL,
  state TEXT NOT NULL,
  UNIQUE (namespace, job_id)
);
CREATE TABLE IF NOT EXISTS batch_targets (
  batch_key INTEGER NOT NULL,
  position INTEGER NOT NULL,
  workflow_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  PRIMARY KEY (batch_key, position)
) WITHOUT ROWID;
`;
