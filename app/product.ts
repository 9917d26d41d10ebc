import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { createActivities, createBatchActivities } from '@steadyhand/activities';
import { createBatches } from '@steadyhand/batches';
import { ensureSearchAttributes, startEngine } from '@steadyhand/engine';
import { createInference } from '@steadyhand/inference';
import { createDefaultProviders } from '@steadyhand/messages';
import { createSandboxes } from '@steadyhand/sandbox/client';
import { createLogger, createServer } from '@steadyhand/server';
import {
  createFiles,
  createSessions,
  createVault,
  LiveReplies,
  sessionRecording,
} from '@steadyhand/sessions';
import { createWorkflowService } from '@steadyhand/temporal';
import { createIds, createStorageGuard, fileFault, openStore, removeDrafts } from '@steadyhand/store';
import {
  desktopHealth,
  sandboxFileService,
  sandboxService,
  screenRecordingService,
  snapshotService,
  storeHealth,
} from './sandbox-service.ts';
import type { Config } from './config/config.ts';
import { readEngineKeysFile } from './config/engine-keys-file.ts';
import { readEngineTls } from './config/engine-tls.ts';
import { secretsKey } from './secrets-key.ts';
import { readSecretsFile } from './config/secrets-file.ts';
import { readPolicyFile } from './config/policy-file.ts';
import { readProvidersFile } from './config/providers-file.ts';
import { AddressUnavailableError } from './address-unavailable.ts';
import { BatchRuntime } from './batch-runtime.ts';
import { readClients } from './clients.ts';
import { takeDataDir } from './data-dir.ts';
import { knownMachines, readMachines } from './known-machines.ts';
import { organizationId } from './organization-id.ts';
import { startLogVerifier } from './log-verifier.ts';
import { createPictureScaler } from './picture-scaler.ts';
import { poolOf, sandboxPoolService } from './sandbox-pool.ts';
import { deferredScreenReader } from './screen-reader.ts';
import { Shutdown } from './shutdown.ts';
import { routeTemporalLogs } from './temporal-logger.ts';
import { watchingService } from './watching-service.ts';
import { startWorker } from './worker.ts';
import { serverLimits } from './server-limits.ts';
import { startSweeps, type Sweeps } from './sweeps.ts';
import { systemService } from './system-service.ts';
import { WorkflowRuntime } from './workflow-runtime.ts';

const ATTRIBUTES = { state: 'SteadyhandState', session: 'SteadyhandSession' } as const;

export interface Product {
  /** The lines for standard output; the last one says that the product is ready. */
  readonly ready: string;
  /** Rejects when a part has failed that the others need. */
  readonly failed: Promise<void>;
  /** Drains and stops every part, the last started one first. */
  stop(): Promise<void>;
}

/**
 * Creates and starts the parts: store, engine, sandboxes, image models, worker, server.
 * @param root the product's folder, which holds dist/ and static/
 */
export async function startProduct(config: Config, root: string): Promise<Product> {
  const shutdown = new Shutdown();
  try {
    return await start(config, root, shutdown);
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function start(config: Config, root: string, shutdown: Shutdown): Promise<Product> {
  const dist = (file: string): string => path.join(root, 'dist', file);
  const screenReader = deferredScreenReader();
  const providersFile = readProvidersFile({
    named: config.providersFile,
    env: process.env,
    recognizer: screenReader.recognizer,
  });
  const policy = readPolicyFile(config.policyFile);
  const ownMachines = await readMachines(config.machinesFile);
  const serverSecrets = readSecretsFile(config.secretsFile);
  const dataDir = takeDataDir(config.dataDir, config.role);
  shutdown.add(() => dataDir.release());
  // The process that wrote these drafts has ended.
  await removeDrafts(config.dataDir, 0);
  const { access, newKey, scrub, scrubData, warnings } = await readClients(config, providersFile);
  const log = createLogger(config.logLevel, undefined, scrub);
  for (const warning of [...dataDir.warnings, ...warnings]) log.warn(warning);
  routeTemporalLogs(log);

  const guard = createStorageGuard({
    dir: config.dataDir,
    reserveBytes: config.storageReserveBytes,
    onChange: (state) => {
      if (state.status === 'ok') log.info('the store can be written again');
      else log.error(state, 'the store cannot be written');
    },
  });
  shutdown.add(() => guard.close());
  const store = await openStore({ dir: path.join(config.dataDir, 'store'), part: config.role, guard });
  // This is not awaited, because a slow disk takes long to write the reserve.
  guard.look().catch((error: unknown) => log.warn({ err: error }, 'no reserve of room was made'));
  shutdown.add(() => store.close());
  const vault = createVault(await secretsKey(config.dataDir), serverSecrets);
  const engineDir = path.join(config.dataDir, 'engine');
  const { keysFile, tlsFiles } = config.engine;
  const engine = await startEngine({
    ...config.engine,
    ...(keysFile === undefined ? {} : { keys: readEngineKeysFile(keysFile) }),
    tls: tlsFiles === undefined ? undefined : readEngineTls(tlsFiles),
    dataDir: engineDir,
    log,
    onCommitError: (error) => void guard.failed(error),
  }).catch((error: unknown) => {
    throw fileFault(path.join(engineDir, 'engine.db'), error);
  });
  shutdown.add(() => engine.stop());
  const hasAttributes = await ensureSearchAttributes(engine, {
    [ATTRIBUTES.state]: 'Keyword',
    [ATTRIBUTES.session]: 'Keyword',
  });

  const sandboxDir = path.join(config.dataDir, 'sandboxes');
  const pool = poolOf(config.sandbox.pool, { dir: sandboxDir, logger: log });
  const sandboxes = createSandboxes({
    dir: sandboxDir,
    daemonEntry: dist('sandbox-daemon.mjs'),
    guestEntry: dist('sandbox-guest.cjs'),
    isolation: config.sandbox.isolation,
    allowPrivate: config.sandbox.allowPrivate,
    resolve: config.sandbox.resolve,
    defaults: { limits: config.sandbox.limits },
    containerImage: config.sandbox.image,
    ...(pool === undefined ? {} : { pool }),
    logger: log,
  });
  shutdown.add(() => sandboxes.close());
  await sandboxes.adopt();
  const inference = createInference({ ...config.inference, root, modelsDir: config.modelsDir, log });
  shutdown.add(() => inference.close());
  screenReader.open(inference);
  const providers = createDefaultProviders({
    ...anthropicUpstream(config),
    table: providersFile?.table,
    recognizer: screenReader.recognizer,
    scaler: createPictureScaler(),
    sessionRecording: (session) => sessionRecording(store, session),
  });

  const files = createFiles({ store, newId: createIds() });
  // A worker in another process shows nothing before its events stand in the log.
  const live = config.role === 'all' ? new LiveReplies() : undefined;
  let failed = new Promise<void>(() => {});
  if (config.role !== 'server') {
    const worker = await startWorker({
      engine,
      bundlePath: dist('workflow-bundle.js'),
      activities: createActivities({ store, providers, sandboxes, policy, vault, live }),
      batchActivities: createBatchActivities({ store, providers, files }),
      batchConcurrency: config.batchConcurrency,
    });
    failed = worker.ended;
    shutdown.add(() => worker.stop());
  }
  if (config.role === 'worker') {
    return { ready: `Steadyhand worker ready on ${engine.address}`, failed, stop: () => shutdown.run() };
  }

  const connection = await Connection.connect(engine.connection);
  shutdown.add(() => connection.close());
  const client = new Client({ connection, namespace: engine.namespace });
  const runtime = new WorkflowRuntime({
    client,
    store,
    sandboxes,
    log,
    attributes: hasAttributes ? ATTRIBUTES : undefined,
  });
  shutdown.add(() => runtime.close());
  const batches = new BatchRuntime({ client, store, log, concurrency: config.batchConcurrency });
  shutdown.add(() => batches.close());
  const logVerifier = startLogVerifier(store, log);
  shutdown.add(() => logVerifier.stop());
  const desktop = desktopHealth(await sandboxes.capabilities());
  let sweeps: Sweeps | undefined;
  const server = createServer({
    port: config.port,
    host: config.host,
    access,
    organization: await organizationId(config.dataDir, config.organizationId),
    log,
    scrub,
    staticDir: path.join(root, 'static'),
    newId: createIds(),
    health: () => ({
      version: versionOf(root),
      engine: { kind: engine.kind, address: engine.address, namespace: engine.namespace },
      desktop,
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
    workflows: createWorkflowService({
      connection,
      namespace: engine.namespace,
      engine: engine.kind,
      codec: config.codec,
      scrub: scrubData,
      machines: () => knownMachines(ownMachines),
    }),
    inference,
    system: systemService(config, { sweeps: () => sweeps }),
    serverLimits: serverLimits(config),
    docs: config.docs,
    trustedProxies: config.trustedProxies,
    uploadLimitBytes: config.uploadLimitBytes,
    pixelLimit: config.inference.pixelLimit,
  });
  const { url } = await server.listen().catch((error: unknown) => {
    throw new AddressUnavailableError(config.host, config.port, error);
  });
  shutdown.add(() => server.close());
  // These are not awaited, because readiness does not depend on them; a failed delivery is tried again.
  runtime
    .deliverAll()
    .catch((error: unknown) => log.error({ err: error }, 'events of an earlier run not delivered'))
    .then(() => runtime.reviveAll())
    .catch((error: unknown) => log.error({ err: error }, 'sessions without a workflow not looked for'));
  runtime
    .finishDeletions()
    .catch((error: unknown) => log.error({ err: error }, 'deletions of an earlier run not finished'));
  sweeps = startSweeps(store, config.dataDir, log);
  shutdown.add(() => sweeps?.stop());
  batches
    .deliverAll()
    .catch((error: unknown) => log.error({ err: error }, 'batches of an earlier run not handed on'));
  const ready = [
    ...(newKey === undefined ? [] : [`API key: ${newKey}`]),
    ...(engine.tokenFile === undefined ? [] : [temporalCommand(engine.address, engine.tokenFile)]),
    `Steadyhand ready on ${url}`,
  ].join('\n');
  return { ready, failed, stop: () => shutdown.run() };
}

function anthropicUpstream({ anthropic }: Config): Parameters<typeof createDefaultProviders>[0] {
  const { apiKey, baseUrl } = anthropic;
  if (apiKey === undefined) return {};
  return { anthropic: { apiKey, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) } };
}

/** A command line for Temporal's own tools. Without `TEMPORAL_TLS=false` they would use TLS, because there is an API key. */
function temporalCommand(address: string, tokenFile: string): string {
  const quoted = `'${tokenFile.replaceAll("'", String.raw`'\''`)}'`;
  const env = `TEMPORAL_ADDRESS=${address} TEMPORAL_TLS=false TEMPORAL_API_KEY="$(cat ${quoted})"`;
  return `Temporal, token in ${tokenFile}: ${env} temporal workflow list`;
}

function versionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
