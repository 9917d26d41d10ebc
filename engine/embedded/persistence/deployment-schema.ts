/** The table of worker deployments. `record` is the deployment with its versions, as JSON. */
export const DEPLOYMENT_SCHEMA = `
CREATE TABLE IF NOT EXISTS worker_deployments (
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (namespace, name)
) WITHOUT ROWID;
`;
