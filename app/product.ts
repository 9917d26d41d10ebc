import { createFiles, createVault } from '@steadyhand/sessions';
import { createIds } from '@steadyhand/store';
import type { Config } from './config/config.ts';
import { openComputers } from './parts/computers.ts';
import { openLiveReplies } from './parts/live-replies.ts';
import { openProviders, startInference } from './parts/models.ts';
import { startServerRole } from './parts/server-role.ts';
import { openStart, type Start } from './parts/start.ts';
import { openStorage } from './parts/storage.ts';
import { startTemporal } from './parts/temporal.ts';
import { startWorkerRole } from './parts/worker-role.ts';
import { secretsKeys } from './secrets-key.ts';
import { Shutdown } from './shutdown.ts';

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
    return await startRole(await openStart(config, root, shutdown));
  } catch (error) {
    await shutdown.run();
    throw error;
  }
}

async function startRole(start: Start): Promise<Product> {
  const { config, shutdown, newKey } = start;
  const storage = await openStorage(start);
  const { store, guard } = storage;
  const { key, previous } = await secretsKeys(store, config.dataDir, config.secretsKey);
  const vault = createVault(key, start.serverSecrets, previous);
  const temporal = await startTemporal(start, guard);
  const { engine } = temporal;
  const computers = await openComputers(start, store);
  const inference = startInference(start);
  const providers = openProviders(start, store);
  const files = createFiles({ store, newId: createIds() });
  const live = openLiveReplies(start, store);
  const parts = { ...storage, ...temporal, ...computers, vault, inference, providers, files, live };
  const stop = (): Promise<void> => shutdown.run();

  let failed = new Promise<void>(() => {});
  if (config.role !== 'server') ({ failed } = await startWorkerRole(start, parts));
  if (config.role === 'worker')
    return { ready: `Steadyhand worker ready on ${engine.address}`, failed, stop };
  const { url } = await startServerRole(start, parts);
  const ready = [
    ...(newKey === undefined ? [] : [`API key: ${newKey}`]),
    ...(engine.tokenFile === undefined ? [] : [temporalCommand(engine.address, engine.tokenFile)]),
    `Steadyhand ready on ${url}`,
  ].join('\n');
  return { ready, failed, stop };
}

/** A command line for Temporal's own tools. Without `TEMPORAL_TLS=false` they would use TLS, because there is an API key. */
function temporalCommand(address: string, tokenFile: string): string {
  const quoted = `'${tokenFile.replaceAll("'", String.raw`'\''`)}'`;
  const env = `TEMPORAL_ADDRESS=${address} TEMPORAL_TLS=false TEMPORAL_API_KEY="$(cat ${quoted})"`;
  return `Temporal, token in ${tokenFile}: ${env} temporal workflow list`;
}
