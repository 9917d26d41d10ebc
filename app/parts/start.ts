import path from 'node:path';
import type { Logger } from 'pino';
import type { Tracing } from '@steadyhand/contracts';
import { createLogger, type Access, type Listener, Readiness, type Scrub } from '@steadyhand/server';
import { removeDrafts } from '@steadyhand/store';
import { createMetrics, type Metrics } from '@steadyhand/telemetry';
import { openTracing } from '../tracing/open-tracing.ts';
import { versionOf } from '../version.ts';
import { readClients } from '../clients.ts';
import type { Config } from '../config/config.ts';
import { readPolicyFile } from '../config/policy-file.ts';
import { type ProvidersFile, readProvidersFile } from '../config/providers-file.ts';
import { readSecretsFile } from '../config/secrets-file.ts';
import { takeDataDir } from '../data-dir.ts';
import { readMachines } from '../known-machines.ts';
import { deferredScreenReader } from '../screen-reader.ts';
import type { Shutdown } from '../shutdown.ts';
import { draftFolders } from '../sweeps.ts';
import { routeTemporalLogs } from '../temporal-logger.ts';
import { openListening } from './listening.ts';
import { Patience } from './patience.ts';

/** What every part is made with. */
export interface Start {
  readonly config: Config;
  /** The product's folder, which holds dist/ and static/. */
  readonly root: string;
  /** A file in dist/. */
  readonly dist: (file: string) => string;
  /** Where a part says how it is stopped. */
  readonly shutdown: Shutdown;
  /** Waits for what cannot be reached yet. */
  readonly patience: Patience;
  readonly log: Logger;
  /** The HTTP port, which answers probes from the beginning. */
  readonly listener: Listener;
  /** Where a part says how it is looked at. */
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  /** Undefined where no traces are asked for. */
  readonly tracing: Tracing | undefined;
  readonly access: Access;
  /** A client key that was made just now, to be printed once. */
  readonly newKey: string | undefined;
  readonly scrub: Scrub;
  /** The same for large texts: takes out the keys that are known as they are, and no others. */
  readonly scrubData: Scrub;
  readonly providersFile: ProvidersFile | undefined;
  /** Rules for every session and sandbox. */
  readonly policy: ReturnType<typeof readPolicyFile>;
  /** Values that sessions may use by name. */
  readonly serverSecrets: ReturnType<typeof readSecretsFile>;
  /** Further state machines whose histories are explained. */
  readonly ownMachines: Awaited<ReturnType<typeof readMachines>>;
  /** Reads screens for scripts; it is busy until the image models are there. */
  readonly screenReader: ReturnType<typeof deferredScreenReader>;
}

/**
 * Reads the files that the configuration names, takes the data folder, opens the log, and listens.
 * @param signal ends the waiting for what cannot be reached yet
 */
export async function openStart(
  config: Config,
  root: string,
  shutdown: Shutdown,
  signal: AbortSignal,
): Promise<Start> {
  const screenReader = deferredScreenReader();
  const providersFile = readProvidersFile({
    named: config.providersFile,
    env: process.env,
    recognizer: screenReader.recognizer,
    isShared: config.store !== undefined,
  });
  const files = {
    providersFile,
    policy: readPolicyFile(config.policyFile),
    ownMachines: await readMachines(config.machinesFile),
    serverSecrets: readSecretsFile(config.secretsFile),
  };
  const folderWarnings = await openDataDir(config, shutdown);
  const { warnings, ...clients } = await readClients(config, providersFile);
  const tracing = await openTracing(config, {
    version: versionOf(root),
    shutdown,
    warn: (fault) => log.warn(fault),
  });
  const log = createLogger(config.logLevel, undefined, clients.scrub, tracing && (() => tracing.logFields()));
  for (const warning of [...folderWarnings, ...warnings]) log.warn(warning);
  if (config.role !== 'inference') routeTemporalLogs(log, config.temporalMetrics);
  const readiness = new Readiness({ scrub: clients.scrub });
  const listener = await openListening(config, { readiness, log, scrub: clients.scrub, shutdown });
  const patience = new Patience({ log, readiness, signal, limitMs: config.startWaitMs });
  const dist = (file: string): string => path.join(root, 'dist', file);
  const metrics = createMetrics();
  metrics.parts.readReadiness(() => readiness.read());
  const parts = { config, root, dist, shutdown, patience, log, listener, readiness, metrics, tracing };
  return { ...parts, ...clients, ...files, screenReader };
}

/** Takes the data folder, which image models do without; answers with lines for the log. */
async function openDataDir({ dataDir, role }: Config, shutdown: Shutdown): Promise<readonly string[]> {
  if (role === 'inference') return [];
  const taken = takeDataDir(dataDir, role);
  shutdown.add(() => taken.release());
  // The process that wrote these drafts has ended.
  for (const folder of draftFolders(dataDir)) await removeDrafts(folder, 0);
  return taken.warnings;
}
