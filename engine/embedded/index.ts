import { setMaxListeners } from 'node:events';
import type { AccessToken } from '../access-token.ts';
import { type Engine, loopbackConnection } from '../engine.ts';
import { EngineClock } from './clock.ts';
import { newId } from './ids.ts';
import { HistoryStore } from './history/history-store.ts';
import { HistoryWatch } from './history/history-watch.ts';
import type { Kernel } from './kernel.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { Matching } from './matching/matching.ts';
import { RunRegistry } from './mutable-state/run-registry.ts';
import { NamespaceRegistry } from './namespaces/namespace-registry.ts';
import { CommitGroup } from './persistence/commit-group.ts';
import {
  type SqliteDatabase,
  type Synchronous,
  openDatabase,
  readMeta,
  writeMeta,
} from './persistence/database.ts';
import { truncateLog } from './persistence/free-pages.ts';
import { KnownTime } from './persistence/known-time.ts';
import { RunStore } from './persistence/run-store.ts';
import { unusableDatabase } from './persistence/unusable.ts';
import { QueryRegistry } from './queries/query-registry.ts';
import { recover } from './recovery.ts';
import { admitBearer } from './rpc/access.ts';
import { RetentionSweep } from './retention/retention-sweep.ts';
import { createGrpcServer, listen } from './rpc/server.ts';
import { services } from './rpc/services.ts';
import { fireDeadlines } from './timer-queue/fire-deadlines.ts';
import { TimerQueue } from './timer-queue/timer-queue.ts';
import { performTransfer } from './transfers/perform.ts';
import type { Clock, EngineLogger } from './types.ts';
import { UpdateRegistry } from './updates/update-registry.ts';
import { SearchAttributeRegistry } from './visibility/search-attribute-registry.ts';
import { VisibilityStore } from './visibility/visibility-store.ts';
import { visibilityRecord } from './workflow/visibility.ts';

export interface EmbeddedEngineOptions {
  /** The SQLite file; made when missing. One engine at a time may have it open. */
  readonly dbPath: string;
  /** Default 127.0.0.1: nothing is encrypted. */
  readonly host?: string;
  /** What callers have to present as their API key; without one everybody is served. */
  readonly token?: AccessToken;
  /** Preferred port; 0 for any. */
  readonly port: number;
  /** Take the next free port when the preferred one is taken, instead of failing. */
  readonly fallbackToFreePort: boolean;
  /** Default `default`; made when missing. */
  readonly namespace?: string;
  readonly logger: EngineLogger;
  /** Told of each commit that failed. */
  readonly onCommitError?: (error: unknown) => void;
  /** What a commit survives, see `openDatabase`; default `full`: a power cut too, for 0.3 ms a step. */
  readonly synchronous?: Synchronous;
  /** The machine's clock, for tests that set it. Default Date.now. */
  readonly now?: Clock;
  /** Real time, for tests that let it pass. Default performance.now. */
  readonly elapsed?: () => number;
  /** Overrides of the server's limits and waits, for tests. */
  readonly limits?: Partial<Limits>;
}

/**
 * Starts a Temporal service in this process. It takes up whatever its database says was going on.
 *
 * @throws EngineUnavailableError: the database cannot be used
 */
export async function startEmbeddedEngine(options: EmbeddedEngineOptions): Promise<Engine> {
  let db: SqliteDatabase | undefined;
  try {
    db = openDatabase(options.dbPath, options.synchronous ?? 'full');
    return await serve(db, options);
  } catch (error) {
    db?.close();
    throw unusableDatabase(options.dbPath, error);
  }
}

async function serve(db: SqliteDatabase, options: EmbeddedEngineOptions): Promise<Engine> {
  const host = options.host ?? '127.0.0.1';
  const namespace = options.namespace ?? 'default';
  const { logger } = options;
  const { kernel, store } = createKernel(db, options);
  kernel.namespaces.ensure(namespace);
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const server = createGrpcServer(services(kernel), {
    logger,
    group: kernel.group,
    stopSignal: stopping.signal,
    ...(options.token === undefined ? {} : { admit: admitBearer(options.token) }),
  });
  const { port: wanted, fallbackToFreePort } = options;
  const port = await listen(server, { host, port: wanted, fallbackToFreePort });
  let runs: number;
  try {
    ({ runs } = recover(kernel, store));
  } catch (error) {
    kernel.timers.stop();
    server.forceShutdown();
    throw error;
  }
  const sweep = new RetentionSweep(kernel, db);
  sweep.start();
  const ticking = keepTime(kernel);
  const address = `${host}:${port}`;
  logger.info({ address, dbPath: options.dbPath, resumed: runs }, 'embedded Temporal engine started');
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    sweep.stop();
    clearInterval(ticking);
    kernel.timers.stop();
    stopping.abort();
    await new Promise<void>((resolve) => {
      const force = setTimeout(() => server.forceShutdown(), 500);
      server.tryShutdown(() => {
        clearTimeout(force);
        resolve();
      });
    });
    kernel.group.close();
    // A copy of the file alone is whole then. Should it fail, the next start reads the log.
    leaveNoLog(db, logger);
    db.close();
  };
  return {
    kind: 'embedded',
    address,
    namespace,
    connection: loopbackConnection(address, options.token),
    stop: () => (stopped ??= stop()),
  };
}

function createKernel(
  db: SqliteDatabase,
  options: EmbeddedEngineOptions,
): { kernel: Kernel; store: RunStore } {
  const { logger } = options;
  const known = new KnownTime(db);
  const { now } = new EngineClock({
    wall: options.now ?? Date.now,
    elapsed: options.elapsed ?? (() => performance.now()),
    lastKnown: known.last,
    onBehind: (ms) => {
      const seconds = Math.round(ms / 1000);
      logger.warn({ seconds }, "the machine's clock went back: timers keep what they had left to wait");
    },
  });
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const store = new RunStore(db);
  const group = new CommitGroup(
    db,
    (error) => {
      logger.error({ err: error }, 'a commit failed: going back to what is stored');
      options.onCommitError?.(error);
      reload(kernel, store);
    },
    (error) => logger.error({ err: error }, 'an effect of a commit failed'),
    () => {
      const time = now();
      if (known.isOld(time)) known.write(time);
    },
  );
  const history = new HistoryStore(db, group);
  const searchAttributes = new SearchAttributeRegistry(db);
  const visibility = new VisibilityStore(db, searchAttributes);
  const watch = new HistoryWatch();
  const timers = new TimerQueue(now, (key, ref) => {
    try {
      fireDeadlines(kernel, ref);
    } catch (error) {
      logger.error({ err: error, ...ref }, 'a timer failed and is tried again');
      timers.set(key, ref, now() + TIMER_RETRY_MS);
    }
  });
  const runs = new RunRegistry({
    group,
    store,
    history,
    now,
    capacity: limits.cachedRuns,
    observer: {
      saved: (state, nextDeadline) => {
        timers.set(state.key, state.ref, nextDeadline);
        if (!state.visibilityChanged) return;
        const row = visibilityRecord(state);
        group.writeLatest(`visibility/${state.key}`, () => visibility.upsert(row));
      },
      committed: (ref) => watch.notify(ref),
    },
  });
  const kernel: Kernel = {
    now,
    logger,
    clusterId: clusterId(db),
    limits,
    group,
    runs,
    history,
    watch,
    matching: new Matching(now),
    timers,
    queries: new QueryRegistry(),
    updates: new UpdateRegistry(),
    namespaces: new NamespaceRegistry(db),
    visibility,
    searchAttributes,
    performTransfer: (ref, transfer) => performTransfer(kernel, ref, transfer),
  };
  return { kernel, store };
}

const KEEP_TIME_MS = 15_000;

/** A timer that failed through a fault of the engine must not be lost, nor spin. */
const TIMER_RETRY_MS = 1000;

/** Memory is ahead of the file: forgets it all and starts over from the file, as after a restart. */
function reload(kernel: Kernel, store: RunStore): void {
  kernel.runs.forgetAll();
  kernel.matching.clearTasks();
  kernel.timers.clear();
  setTimeout(() => recover(kernel, store), 1000).unref();
}

/** What waits while nothing else happens is not to be waited for from its start again, should the clock go back later. */
function keepTime({ timers, group }: Kernel): NodeJS.Timeout {
  return setInterval(() => {
    if (timers.size > 0) group.transact(() => group.write(() => undefined));
  }, KEEP_TIME_MS).unref();
}

function leaveNoLog(db: SqliteDatabase, logger: EngineLogger): void {
  try {
    truncateLog(db);
  } catch (error) {
    logger.warn({ err: error }, 'the log of the database was not moved into its file');
  }
}

function clusterId(db: SqliteDatabase): string {
  const known = readMeta(db, 'cluster_id');
  if (known !== undefined) return known;
  const id = newId();
  writeMeta(db, 'cluster_id', id);
  return id;
}
