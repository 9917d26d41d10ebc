import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommand } from '../command.mjs';
import { binary } from './binaries.mjs';
import { bound } from './bound.mjs';
import { freePort } from './free-port.mjs';

/** @typedef {{ readonly host: string, readonly port: number }} Address */

/**
 * Temporal's server, its four services in one process, on PostgreSQL.
 * @param {{ dir: string, at: Address, database: Address, password: string }} options
 */
export async function temporalServer({ dir, at, database, password }) {
  const config = path.join(dir, 'config.json');
  const program = await binary('temporal-server');
  const tool = await binary('temporal-sql-tool');
  return {
    command: bound([program, '--config-file', config, '--allow-no-auth', 'start']),

    /** Makes the databases, or brings them to this server's schema. It needs a PostgreSQL that runs. */
    async prepare() {
      fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
      const dynamic = path.join(dir, 'dynamic.json');
      fs.writeFileSync(dynamic, JSON.stringify(DYNAMIC));
      const text = JSON.stringify(await configuration({ at, database, password, dynamic }), null, 2);
      fs.writeFileSync(config, text, { mode: 0o600 });
      const sql = async (/** @type {string} */ name, /** @type {readonly string[]} */ ...args) => {
        const { code, output } = await runCommand(tool, args, {
          capture: true,
          env: {
            ...process.env,
            SQL_PLUGIN: 'postgres12',
            SQL_HOST: database.host,
            SQL_PORT: String(database.port),
            SQL_USER: 'temporal',
            SQL_PASSWORD: password,
            SQL_DATABASE: name,
          },
        });
        if (code !== 0) throw new Error(`temporal-sql-tool ${args.join(' ')}: ${output.trim()}`);
      };
      // Each of these is nothing where it was done before.
      for (const [name = '', schema = ''] of [
        ['temporal', 'postgresql/v12/temporal'],
        ['temporal_visibility', 'postgresql/v12/visibility'],
      ]) {
        await sql(name, 'create-database');
        await sql(name, 'setup-schema', '-v', '0.0');
        await sql(name, 'update-schema', '--schema-name', schema);
      }
    },
  };
}

/**
 * Temporal's development server, which keeps everything in one SQLite file.
 * @param {{ dir: string, at: Address }} options
 */
export async function temporalDevServer({ dir, at }) {
  fs.mkdirSync(dir, { recursive: true, mode: 0o700 });
  const file = path.join(dir, 'temporal.db');
  const pragmas = ['journal_mode=WAL', 'synchronous=NORMAL'].flatMap((pragma) => ['--sqlite-pragma', pragma]);
  const where = ['--ip', at.host, '--port', String(at.port), '--db-filename', file];
  const program = await binary('temporal');
  return {
    command: bound([
      program,
      'server',
      'start-dev',
      '--headless',
      '--log-level',
      'warn',
      ...where,
      ...pragmas,
    ]),
    prepare: () => Promise.resolve(),
  };
}

/**
 * Makes the namespace, where it is not there, and waits until the server knows it everywhere.
 * @param {Address} at
 * @param {string} namespace
 */
export async function ensureNamespace(at, namespace) {
  const limit = Date.now() + 120_000;
  for (;;) {
    try {
      await tryNamespace(at, namespace);
      return;
    } catch (error) {
      // It listens before all of its services do.
      if (Date.now() > limit) throw error;
      await pause(500);
    }
  }
}

/** @type {(at: Address, namespace: string) => Promise<void>} */
async function tryNamespace(at, namespace) {
  // Loaded when the packages are surely there.
  const { Connection } = await import('@temporalio/client');
  const { msToTs } = await import('@temporalio/common/lib/time.js');
  const connection = await Connection.connect({ address: `${at.host}:${at.port}` });
  try {
    const { workflowService } = connection;
    await workflowService
      .registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('72h') })
      .catch((/** @type {{ code?: number }} */ error) => {
        if (error.code !== ALREADY_EXISTS) throw error;
      });
    // Listing asks the caches that starting a workflow asks.
    await workflowService.listWorkflowExecutions({ namespace, pageSize: 1 });
  } finally {
    await connection.close();
  }
}

const ALREADY_EXISTS = 6;

/** A new namespace and new search attributes are known within a second instead of ten. */
const DYNAMIC = {
  'system.namespaceCacheRefreshInterval': [{ value: '1s' }],
  'system.forceSearchAttributesCacheRefreshOnRead': [{ value: true }],
  'limit.maxIDLength': [{ value: 255 }],
};

/** @param {{ at: Address, database: Address, password: string, dynamic: string }} options */
async function configuration({ at, database, password, dynamic }) {
  const store = (/** @type {string} */ databaseName, /** @type {number} */ connections) => ({
    sql: {
      pluginName: 'postgres12',
      databaseName,
      connectAddr: `${database.host}:${database.port}`,
      connectProtocol: 'tcp',
      user: 'temporal',
      password,
      maxConns: connections,
      maxIdleConns: connections,
      maxConnLifetime: '1h',
    },
  });
  const service = async (grpcPort = 0) => ({
    rpc: {
      grpcPort: grpcPort || (await freePort()),
      membershipPort: await freePort(),
      bindOnIP: at.host,
    },
  });
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      // Fixed for the life of the database. A cluster of many machines takes 512.
      numHistoryShards: 4,
      datastores: { default: store('temporal', 20), visibility: store('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '30s', broadcastAddress: at.host } },
    services: {
      frontend: await service(at.port),
      matching: await service(),
      history: await service(),
      worker: await service(),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `${at.host}:${at.port}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    publicClient: { hostPort: `${at.host}:${at.port}` },
    dynamicConfigClient: { filepath: dynamic, pollInterval: '60s' },
  };
}
