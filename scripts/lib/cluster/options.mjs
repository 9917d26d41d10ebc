/**
 * What a cluster is made of.
 * @typedef {object} ClusterOptions
 * @property {string} root the product's folder, with dist/ and static/
 * @property {string} dir the folder of everything that the cluster keeps
 * @property {number} port of the address that clients use; 0 takes a free one
 * @property {number} servers
 * @property {number} workers
 * @property {number} inference processes that run image models for the others; with none, each server and worker loads its own
 * @property {number} members machines of the sandbox pool
 * @property {'postgres' | 'dev-server'} temporal Temporal's server on PostgreSQL, or the CLI's development server
 * @property {boolean} faults whether the links between the parts can be cut and slowed, and the clocks of our own be moved
 * @property {boolean} namespaces whether each part is in a network namespace of its own
 * @property {string | undefined} blobs the address of an S3 store, as the variable BLOBS takes it; without one versitygw is started
 * @property {NodeJS.ProcessEnv} env what servers, workers and inference processes have in their environment beside
 * @property {(line: string) => void} tell hears of what happens
 */

/** @satisfies {Partial<ClusterOptions>} */
export const DEFAULTS = /** @type {const} */ ({
  port: 0,
  servers: 2,
  workers: 2,
  inference: 1,
  members: 3,
  temporal: 'postgres',
  faults: false,
  namespaces: false,
  blobs: undefined,
});
