import { setTimeout as pause } from 'node:timers/promises';
import { createFiles, createVault } from '@steadyhand/sessions';
import { createIds } from '@steadyhand/store';
import type { Config } from './config/config.ts';
import { openComputers } from './parts/computers.ts';
import { startInferenceRole } from './parts/inference-role.ts';
import { openLiveReplies } from './parts/live-replies.ts';
import { openImageModels, openProviders } from './parts/models.ts';
import { startServerRole } from './parts/server-role.ts';
import { openStart, type Start } from './parts/start.ts';
import { openStorage } from './parts/storage.ts';
import { startTemporal } from './parts/temporal.ts';
import { showWorkerProbes } from './parts/worker-probes.ts';
import { startWorkerRole } from './parts/worker-role.ts';
import { secretsKeys } from './secrets-key.ts';
import { Shutdown } from './shutdown.ts';
import { taskQueuesOf } from './task-queues.ts';

export interface Product {
  /** The lines for standard output; the last one says that the product is ready. */
  readonly ready: string;
  /** Rejects when a part has failed that the others need. */
  readonly failed: Promise<void>;
  /** Whether that was all: nothing serves, and the process is to end. */
  readonly isOver?: boolean;
  /** Says that it drains, and then stops every part, the last started one first. */
  stop(): Promise<void>;
}

/**
 * Creates and starts the parts of the role: store, engine, sandboxes, image models, worker, server.
 * @param root the product's folder, which holds dist/ and static/
 * @param signal ends a start that waits for what cannot be reached yet, with a StartStoppedError
 */
export async function startProduct(config: Config, root: string, signal: AbortSignal): Promise<Product> {
  const shutdown = new Shutdown();
  try {
    const start = await openStart(config, root, shutdown, signal);
    const { readiness } = start;
    const started = await beginningOf(config)(start);
    readiness.obstacle = null;
    return {
      ...started,
      async stop() {
        readiness.obstacle = 'it is shutting down';
        await pause(config.drain.delayMs);
        await shutdown.run();
      },
    };
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

type Started = Omit<Product, 'stop'>;

const NEVER = new Promise<void>(() => {});

function beginningOf({ role, migratesOnly }: Config): (start: Start) => Promise<Started> {
  if (migratesOnly) return migrate;
  return role === 'inference' ? startModels : startRole;
}

/** Opening the store and the namespace brings them to what this version needs; nobody waits for that later. */
async function migrate(start: Start): Promise<Started> {
  const { guard } = await openStorage(start);
  const { engine } = await startTemporal(start, guard);
  return {
    ready: `Steadyhand migrated: the store and the namespace ${engine.namespace} are what this version needs`,
    failed: NEVER,
    isOver: true,
  };
}

async function startModels(start: Start): Promise<Started> {
  startInferenceRole(start);
  const { url } = await start.listener.listen(start.config.host, start.config.port);
  return { ready: `Steadyhand inference ready on ${url}`, failed: NEVER };
}

async function startRole(start: Start): Promise<Started> {
  const { config, newKey } = start;
  const storage = await openStorage(start);
  const { store, guard } = storage;
  const { key, previous } = await secretsKeys(store, config.dataDir, config.secretsKey);
  const vault = createVault(key, start.serverSecrets, previous);
  const temporal = await startTemporal(start, guard);
  const { engine } = temporal;
  const computers = await openComputers(start, store);
  const images = openImageModels(start);
  const providers = openProviders(start, store);
  const files = createFiles({ store, newId: createIds() });
  const live = openLiveReplies(start, store);
  const taskQueues = await taskQueuesOf(store);
  const parts = { ...storage, ...temporal, ...computers, taskQueues, vault, images, providers, files, live };

  let failed = NEVER;
  if (config.role !== 'server') ({ failed } = await startWorkerRole(start, parts));
  if (config.role === 'worker') {
    const url = await showWorkerProbes(start);
    return { ready: `Steadyhand worker ready on ${engine.address}, health on ${url}`, failed };
  }
  const { url } = await startServerRole(start, parts);
  const ready = [
    ...(newKey === undefined ? [] : [`API key: ${newKey}`]),
    ...(engine.tokenFile === undefined ? [] : [temporalCommand(engine.address, engine.tokenFile)]),
    `Steadyhand ready on ${url}`,
  ].join('\n');
  return { ready, failed };
}

/** A command line for Temporal's own tools. Without `TEMPORAL_TLS=false` they would use TLS, because there is an API key. */
function temporalCommand(address: string, tokenFile: string): string {
  const quoted = `'${tokenFile.replaceAll("'", String.raw`'\''`)}'`;
  const env = `TEMPORAL_ADDRESS=${address} TEMPORAL_TLS=false TEMPORAL_API_KEY="$(cat ${quoted})"`;
  return `Temporal, token in ${tokenFile}: ${env} temporal workflow list`;
}
