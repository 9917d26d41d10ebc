import { setMaxListeners } from 'node:events';
import type { AccessToken } from '../connection/access-token.ts';
import type { EngineLogger } from '../connection/engine-logger.ts';
import { type Engine, loopbackConnection } from '../connection/engine.ts';
import { type EngineParts, type EnginePartsOptions, createParts } from './engine-parts.ts';
import { grpcServices } from './handlers/grpc-services.ts';
import { type SqliteDatabase, type Synchronous, openDatabase, truncateLog } from './persistence/database.ts';
import { lockFile } from './persistence/file-lock.ts';
import { unusableDatabase } from './persistence/unusable-database.ts';
import { recover } from './recovery.ts';
import { RetentionSweep } from './retention-sweep.ts';
import { type Admission, type EngineKey, admitAll, admitBearer } from './rpc/access.ts';
import { type TlsListener, listen, listenByTls, listenOnSocket } from './rpc/listeners.ts';
import { createGrpcServer } from './rpc/server.ts';
import { IndexedValueType } from './visibility/attribute-types.ts';
import type { Server } from '@grpc/grpc-js';

/** Temporal's names of the types by which search attributes are indexed. */
export type SearchAttributeType = keyof typeof IndexedValueType;

export interface EmbeddedEngineOptions extends EnginePartsOptions {
  /** The SQLite file, which is created when missing; `:memory:` for none. One engine at a time may have it open. */
  readonly dbPath: string;
  /** Default 127.0.0.1, because nothing is encrypted. */
  readonly host?: string;
  /** What callers have to present as their API key; without one everybody is served. */
  readonly token?: AccessToken;
  /** Keys beside the token, each for some namespaces; they need a token. Default none. */
  readonly keys?: readonly EngineKey[];
  /** The path of a Unix socket, whose callers are served without a key: its folder says who they are. Default none. */
  readonly socket?: string;
  /** An address where clients come in by TLS, beside the port on `host`. Default none. */
  readonly tls?: TlsListener;
  /** The preferred port; 0 for any. */
  readonly port: number;
  /** Whether the next free port is used when the preferred one is taken, instead of failing. */
  readonly fallbackToFreePort: boolean;
  /** Default `default`. The namespace is created when missing. */
  readonly namespace?: string;
  /** Further namespaces to create when missing. Default none. */
  readonly furtherNamespaces?: readonly string[];
  /** Search attributes to register in these namespaces: their types by their names. Default none. */
  readonly searchAttributes?: Readonly<Record<string, SearchAttributeType>>;
  /** What a commit survives, see `openDatabase`. Default `full`: also a power cut, for 0.3 ms a step. */
  readonly synchronous?: Synchronous;
}

/**
 * Starts a Temporal service in this process. It resumes whatever its database says was going on.
 *
 * @throws EngineUnavailableError when the database cannot be used
 */
export async function startEmbeddedEngine(options: EmbeddedEngineOptions): Promise<Engine> {
  let db: SqliteDatabase | undefined;
  let unlock = (): void => undefined;
  try {
    if (options.dbPath !== ':memory:') unlock = lockFile(options.dbPath);
    db = openDatabase(options.dbPath, options.synchronous ?? 'full');
    return await serve(db, unlock, options);
  } catch (error) {
    db?.close();
    unlock();
    throw unusableDatabase(options.dbPath, error);
  }
}

async function serve(
  db: SqliteDatabase,
  unlock: () => void,
  options: EmbeddedEngineOptions,
): Promise<Engine> {
  const host = options.host ?? '127.0.0.1';
  const namespace = options.namespace ?? 'default';
  const { logger } = options;
  const parts = createParts(db, options);
  const attributes = Object.entries(options.searchAttributes ?? {});
  for (const name of [namespace, ...(options.furtherNamespaces ?? [])]) {
    parts.namespaces.ensure(name);
    parts.searchAttributes.add(
      name,
      Object.fromEntries(attributes.map(([attribute, type]) => [attribute, IndexedValueType[type]])),
    );
  }
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const services = grpcServices(parts);
  const servers: Server[] = [];
  const serverThat = (admit: Admission): Server => {
    const { group } = parts;
    const server = createGrpcServer(services, { logger, group, stopSignal: stopping.signal, admit });
    servers.push(server);
    return server;
  };
  const { token, socket, tls, port: wanted, fallbackToFreePort } = options;
  const byKey = token === undefined ? admitAll : admitBearer(token, options.keys);
  const port = await listen(serverThat(byKey), { host, port: wanted, fallbackToFreePort });
  let runs: number;
  let tlsPort: number | undefined;
  try {
    if (socket !== undefined) await listenOnSocket(serverThat(admitAll), socket);
    // The certificate of a client says who it is.
    if (tls !== undefined)
      tlsPort = await listenByTls(serverThat(tls.clientCa === undefined ? byKey : admitAll), tls);
    ({ runs } = recover(parts));
  } catch (error) {
    parts.timers.stop();
    parts.scheduleTimers.stop();
    parts.activityTimers.stop();
    parts.skipper?.stop();
    for (const server of servers) server.forceShutdown();
    throw error;
  }
  const sweep = new RetentionSweep(parts, db);
  sweep.start();
  parts.batchRunner.resume();
  const timeWrites = writeTimeRegularly(parts);
  const address = `${host}:${port}`;
  logger.info({ address, dbPath: options.dbPath, resumed: runs }, 'embedded Temporal engine started');
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    sweep.stop();
    parts.batchRunner.stop();
    clearInterval(timeWrites);
    parts.timers.stop();
    parts.scheduleTimers.stop();
    parts.activityTimers.stop();
    parts.skipper?.stop();
    stopping.abort();
    await Promise.all(servers.map(shutDown));
    parts.group.close();
    closeDatabase(db, logger);
    unlock();
  };
  return {
    kind: 'embedded',
    address,
    namespace,
    connection: loopbackConnection(address, token?.value),
    ...(tls === undefined ? {} : { tlsAddress: `${tls.host}:${tlsPort}` }),
    ...(socket === undefined ? {} : { socketFile: socket }),
    stop: () => (stopped ??= stop()),
  };
}

function shutDown(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const force = setTimeout(() => server.forceShutdown(), 500);
    server.tryShutdown(() => {
      clearTimeout(force);
      resolve();
    });
  });
}

const WRITE_TIME_MS = 15_000;

/** Stores the time also while nothing else is stored, so that a clock set back later makes no wait begin again. */
function writeTimeRegularly({ timers, scheduleTimers, group }: EngineParts): NodeJS.Timeout {
  return setInterval(() => {
    if (timers.size + scheduleTimers.size > 0) group.transact(() => group.write(() => undefined));
  }, WRITE_TIME_MS).unref();
}

/**
 * Moves the log into the file first, so that a copy of the file alone is whole. If that fails, the next start does it.
 */
function closeDatabase(db: SqliteDatabase, logger: EngineLogger): void {
  try {
    truncateLog(db);
  } catch (error) {
    logger.warn({ err: error }, 'the log of the database was not moved into its file');
  }
  db.close();
}
