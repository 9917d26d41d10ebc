/**
 * The table of activities that belong to no workflow. `state` is what changes while one goes on, as JSON; `request` holds the
 * rest of what it was started with, as an encoded `StartActivityExecutionRequest`. Of the rows of one id the one with the
 * highest key is the current one.
 */
export const ACTIVITY_SCHEMA = `
CREATE TABLE IF NOT EXISTS activities (
  activity_key INTEGER PRIMARY KEY,
  namespace TEXT NOT NULL,
  activity_id TEXT NOT NULL,
  run_id TEXT NOT NULL,
  is_open INTEGER NOT NULL,
  request TEXT NOT NULL,
  state TEXT NOT NULL,
  UNIQUE (namespace, run_id)
);
CREATE INDEX IF NOT EXISTS activities_by_id ON activities (namespace, activity_id, activity_key);
CREATE INDEX IF NOT EXISTS open_activities ON activities (activity_key) WHERE is_open = 1;
`;
