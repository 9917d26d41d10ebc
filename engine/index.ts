import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accessToken } from './access-token.ts';
import { connectCluster } from './cluster.ts';
import { startDevServer } from './dev-server.ts';
import { startEmbeddedEngine } from './embedded/index.ts';
import type { EngineLogger } from './embedded/types.ts';
import type { Engine, EngineKind } from './engine.ts';

export { EngineUnavailableError } from './engine-unavailable.ts';
export { ensureSearchAttributes, type SearchAttributeType } from './search-attributes.ts';
export type { EngineLogger } from './embedded/types.ts';
export type { Engine, EngineConnection, EngineKind } from './engine.ts';

export interface EngineConfig {
  readonly kind: EngineKind;
  /** The folder for what `embedded` and `dev-server` keep; made when missing. */
  readonly dataDir: string;
  /** Of `embedded` and `dev-server`, on loopback: default 7233, the next free one when taken, 0 for any. */
  readonly port?: number;
  /** Of `cluster`; undefined leaves it to Temporal's environment configuration. */
  readonly address?: string | undefined;
  /** Default `default`. For `cluster`, Temporal's environment configuration goes first. */
  readonly namespace?: string;
  /** Who may call `embedded`: those who present the token of its folder, or everybody on this machine. Default `token`. */
  readonly access?: EngineAccess;
  /** Where `embedded` writes what an operator should know; silent when missing. */
  readonly log?: EngineLogger;
  /** Of `embedded`: told of each commit that failed; the engine goes back to what is stored and tries again. */
  readonly onCommitError?: (error: unknown) => void;
}

export type EngineAccess = 'token' | 'open';

const defaultPort = 7233;

/**
 * Starts, or connects to, the Temporal service that a configuration names.
 *
 * @throws EngineUnavailableError when it cannot be had
 */
export async function startEngine(config: EngineConfig): Promise<Engine> {
  const {
    dataDir,
    port = defaultPort,
    namespace = 'default',
    address,
    access = 'token',
    log = silent,
  } = config;
  switch (config.kind) {
    case 'embedded': {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      const token = access === 'token' ? await accessToken(dataDir) : undefined;
      const engine = await startEmbeddedEngine({
        dbPath: join(dataDir, 'engine.db'),
        port,
        fallbackToFreePort: true,
        namespace,
        logger: log,
        ...(config.onCommitError === undefined ? {} : { onCommitError: config.onCommitError }),
        ...(token === undefined ? {} : { token }),
      });
      return token === undefined ? engine : { ...engine, tokenFile: token.file };
    }
    case 'dev-server':
      return startDevServer({ dataDir, port, namespace });
    case 'cluster':
      return connectCluster({ namespace, ...(address === undefined ? {} : { address }) });
  }
}

const nothing = (): void => undefined;
const silent: EngineLogger = { debug: nothing, info: nothing, warn: nothing, error: nothing };
