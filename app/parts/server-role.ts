import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { createBatches } from '@steadyhand/batches';
import { createServer } from '@steadyhand/server';
import { createSessions } from '@steadyhand/sessions';
import { createIds } from '@steadyhand/store';
import { createWorkflowService } from '@steadyhand/temporal';
import { knownMachines } from '../known-machines.ts';
import { startLogVerifier } from '../log-verifier.ts';
import { organizationId } from '../organization-id.ts';
import { sandboxPoolService } from '../sandbox-pool.ts';
import {
  desktopHealth,
  sandboxFileService,
  sandboxService,
  screenRecordingService,
  snapshotService,
  storeHealth,
} from '../sandbox-service.ts';
import { serverLimits } from '../server-limits.ts';
import { startSweeps, type Sweeps } from '../sweeps.ts';
import { systemService } from '../system-service.ts';
import { versionOf } from '../version.ts';
import { watchingService } from '../watching-service.ts';
import type { Computers } from './computers.ts';
import { openDelivery } from './delivery.ts';
import type { ImageModels, openProviders } from './models.ts';
import type { Start } from './start.ts';
import type { Storage } from './storage.ts';
import type { Temporal } from './temporal.ts';
import type { WorkerParts } from './worker-role.ts';

/** What the HTTP server serves. */
export interface ServerParts
  extends Storage, Temporal, Computers, Pick<WorkerParts, 'taskQueues' | 'vault' | 'files' | 'live'> {
  readonly images: ImageModels;
  readonly providers: ReturnType<typeof openProviders>;
}

/** Starts the HTTP server, and what delivers its events to Temporal. */
export async function startServerRole(start: Start, parts: ServerParts): Promise<{ readonly url: string }> {
  const { config, root, log, metrics, tracing, shutdown, access, policy, scrub, scrubData, ownMachines } =
    start;
  const { listener, readiness } = start;
  const {
    store,
    guard,
    vault,
    engine,
    connection,
    sandboxes,
    pool,
    images,
    providers,
    files,
    live,
    taskQueues,
  } = parts;
  if (pool !== undefined) metrics.parts.readPool(async () => ({ ...(await pool.figures()) }));
  const { runtime, batches, deliverAll } = openDelivery(start, parts);
  const logVerifier = startLogVerifier(store, log);
  shutdown.add(() => logVerifier.stop());
  const desktop = desktopHealth(await sandboxes.capabilities());
  let sweeps: Sweeps | undefined;
  const server = createServer({
    listener,
    readiness,
    metricsAccess: config.metricsAccess,
    port: config.port,
    host: config.host,
    access,
    organization: await organizationId(store, config.dataDir, config.organizationId),
    log,
    scrub,
    metrics: metrics.registry,
    tracing,
    staticDir: path.join(root, 'static'),
    newId: createIds(),
    health: () => ({
      version: versionOf(root),
      engine: { kind: engine.kind, address: engine.address, namespace: engine.namespace },
      desktop,
      brokenSandboxes: sandboxes.damaged,
      store: storeHealth(guard.state(), logVerifier.broken()),
    }),
    requireRoom: () => guard.requireRoom(),
    providers,
    catalog: providers,
    // A server without a worker does not know the models that the worker has.
    sessions: createSessions({
      store,
      vault,
      models: config.role === 'server' ? undefined : providers,
      live,
    }),
    blobs: store.blobs,
    files,
    batches: createBatches({ store, newId: createIds() }),
    batchRuntime: batches,
    runtime,
    sandboxes: sandboxService(sandboxes),
    ...(pool === undefined ? {} : { sandboxPool: sandboxPoolService(pool) }),
    policy,
    sandboxFiles: sandboxFileService(sandboxes),
    snapshots: snapshotService(sandboxes),
    screenRecording: screenRecordingService(sandboxes),
    watching: watchingService(sandboxes, store),
    ticketKey: await store.settings.getOrMake('ticket-key', () => randomBytes(32).toString('hex')),
    onceOnly: store.onceOnly,
    rates: store.rates,
    workflows: createWorkflowService({
      connection,
      namespace: engine.namespace,
      engine: engine.kind,
      codec: config.codec,
      scrub: scrubData,
      machines: () => knownMachines(ownMachines),
    }),
    ...images,
    system: systemService(
      { ...config, role: config.role === 'all' ? 'all' : 'server' },
      { taskQueues, sweeps: () => sweeps },
    ),
    serverLimits: serverLimits(config),
    docs: config.docs,
    trustedProxies: config.trustedProxies,
    uploadLimitBytes: config.uploadLimitBytes,
    pixelLimit: config.inference.pixelLimit,
  });
  const { url } = await server.listen();
  shutdown.add(() => server.close(config.drain.timeoutMs));
  deliverAll();
  sweeps = startSweeps(store, config.dataDir, log);
  shutdown.add(() => sweeps?.stop());
  return { url };
}
