import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { accessToken } from './connection/access-token.ts';
import { connectCluster } from './cluster.ts';
import { startDevServer } from './dev-server/dev-server.ts';
import { startEmbeddedEngine } from './embedded/start-embedded-engine.ts';
import type { EngineKey } from './embedded/rpc/access.ts';
import type { TlsListener } from './embedded/rpc/listeners.ts';
import type { EngineLogger } from './connection/engine-logger.ts';
import type { Engine, EngineKind } from './connection/engine.ts';

export interface EngineConfig {
  readonly kind: EngineKind;
  /** The folder for what `embedded` and `dev-server` keep; it is created when missing. */
  readonly dataDir: string;
  /** The loopback port of `embedded` and `dev-server`. Default 7233, or the next free one when taken; 0 for any. */
  readonly port?: number;
  /** The address of `cluster`; undefined leaves it to Temporal's environment configuration. */
  readonly address?: string | undefined;
  /** Default `default`. For `cluster`, Temporal's environment configuration takes precedence. */
  readonly namespace?: string;
  /**
   * Who may call `embedded`: those who present the token of its folder, or everybody on this machine. Default `token`.
   */
  readonly access?: EngineAccess;
  /** Keys beside the token of `embedded`, each for some namespaces. They need `access: 'token'`. Default none. */
  readonly keys?: readonly EngineKey[];
  /** Whether `embedded` also serves the Unix socket `temporal.sock` in its folder, to whoever may enter that. Default no. */
  readonly socket?: boolean;
  /** An address where clients come in to `embedded` by TLS, beside the port on loopback. Default none. */
  readonly tls?: TlsListener | undefined;
  /** Receives what an operator should know about `embedded`. By default nothing is logged. */
  readonly log?: EngineLogger;
  /** Is called for each failed commit of `embedded`, which then goes back to what is stored and tries again. */
  readonly onCommitError?: (error: unknown) => void;
}

export type EngineAccess = 'token' | 'open';

const defaultPort = 7233;

/**
 * Starts the Temporal service that a configuration names, or connects to it.
 *
 * @throws EngineUnavailableError when it cannot be started or reached
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
        ...(config.keys === undefined ? {} : { keys: config.keys }),
        ...(config.socket === true ? { socket: join(dataDir, 'temporal.sock') } : {}),
        ...(config.tls === undefined ? {} : { tls: config.tls }),
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
