import type { EngineLogger } from '../connection/engine-logger.ts';
import { BatchRunner } from './batches/batch-runner.ts';
import { BatchStore } from './batches/batch-store.ts';
import { DeploymentRegistry } from './deployments/deployment-registry.ts';
import { fireDeadlines } from './fire-deadlines.ts';
import type { HandlerServices } from './handlers/handler-services.ts';
import { HistoryStore } from './history/history-store.ts';
import { HistoryWatch } from './history/history-watch.ts';
import { RunRegistry } from './mutable-state/run-registry.ts';
import { RunStore } from './mutable-state/run-store.ts';
import { performTask } from './perform-task.ts';
import { CommitGroup } from './persistence/commit-group.ts';
import { type SqliteDatabase, readMeta, writeMeta } from './persistence/database.ts';
import { NamespaceRegistry } from './persistence/namespace-registry.ts';
import { StoredTime } from './persistence/stored-time.ts';
import { type Clock, EngineClock } from './primitives/clock.ts';
import { newId } from './primitives/ids.ts';
import type { RunRef } from './primitives/run-ref.ts';
import { DEFAULT_LIMITS, type Limits } from './primitives/limits.ts';
import { QueryRegistry } from './queries/query-registry.ts';
import { Matching } from './queues/matching.ts';
import { TimerQueue } from './queues/timer-queue.ts';
import { TimeSkipper } from './time-skipping/time-skipper.ts';
import { workInHand } from './time-skipping/work-in-hand.ts';
import { recover } from './recovery.ts';
import { notDurable } from './rpc/when-durable.ts';
import { ActivityRegistry } from './standalone-activities/activity-registry.ts';
import { ActivityStore } from './standalone-activities/activity-store.ts';
import { ScheduleRegistry } from './schedules/schedule-registry.ts';
import { ScheduleStore } from './schedules/schedule-store.ts';
import { UpdateRegistry } from './updates/update-registry.ts';
import { visibilityRecord } from './visibility/visibility-record.ts';
import { SearchAttributeRegistry } from './visibility/search-attribute-registry.ts';
import { WorkerRegistry } from './workers/worker-registry.ts';
import { VisibilityStore } from './visibility/visibility-store.ts';

/** The parts of a running engine, for the functions that start and stop it. All others take only what they use. */
export interface EngineParts extends HandlerServices {
  readonly logger: EngineLogger;
  readonly group: CommitGroup;
  readonly store: RunStore;
  readonly timers: TimerQueue;
  readonly scheduleTimers: TimerQueue;
  readonly activityTimers: TimerQueue;
  readonly activityStore: ActivityStore;
}

export interface EnginePartsOptions {
  readonly logger: EngineLogger;
  /** Is called with the error of each commit that failed. */
  readonly onCommitError?: (error: unknown) => void;
  /** The machine's clock, for tests that set it. Default Date.now. */
  readonly now?: Clock;
  /** The real time that has elapsed, for tests that let it pass. Default performance.now. */
  readonly elapsed?: () => number;
  /**
   * Serves the TestService, by which tests skip time: from the start (`unlocked`), or once a client has unlocked it (`locked`).
   * By default time passes as it does.
   */
  readonly timeSkipping?: 'locked' | 'unlocked';
  /** Overrides of the server's limits and waits. */
  readonly limits?: Partial<Limits>;
}

/** A timer that failed through a fault of the engine is tried again after this time. */
const TIMER_RETRY_MS = 1000;

/** Creates the parts of an engine on a database and connects them. */
export function createParts(db: SqliteDatabase, options: EnginePartsOptions): EngineParts {
  const { logger } = options;
  const storedTime = new StoredTime(db);
  const clock = engineClock(storedTime, options);
  const { now } = clock;
  const limits: Limits = { ...DEFAULT_LIMITS, ...options.limits };
  const store = new RunStore(db);
  const group = new CommitGroup(
    db,
    (error) => {
      logger.error({ err: error }, 'a commit failed: going back to what is stored');
      options.onCommitError?.(error);
      reload(parts);
    },
    (error) => logger.error({ err: error }, 'an effect of a commit failed'),
    () => {
      const time = now();
      if (storedTime.isOld(time)) storedTime.write(time);
    },
  );
  const history = new HistoryStore(db, group);
  const deployments = new DeploymentRegistry(db, group, now);
  const searchAttributes = new SearchAttributeRegistry(db);
  const visibility = new VisibilityStore(db, searchAttributes);
  const watch = new HistoryWatch();
  const timersThat = (fire: (key: number, ref: RunRef) => void): TimerQueue => {
    const queue = new TimerQueue(now, (key, ref) => {
      try {
        fire(key, ref);
      } catch (error) {
        logger.error({ err: error, ...ref }, 'a timer failed and is tried again');
        queue.set(key, ref, now() + TIMER_RETRY_MS);
      }
    });
    return queue;
  };
  const timers = timersThat((_, ref) => fireDeadlines(parts, ref));
  const scheduleTimers = timersThat((key) => parts.schedules.run(key));
  const activityTimers = timersThat((key) => parts.activities.fire(key));
  const skipper =
    options.timeSkipping &&
    new TimeSkipper({
      clock,
      timers: [timers, scheduleTimers, activityTimers],
      isIdle: () => group.isIdle,
      unlocked: options.timeSkipping === 'unlocked',
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
        skipper?.setWork(state.key, workInHand(state));
        if (!state.visibilityChanged) return;
        const row = visibilityRecord(state);
        group.writeLatest(`visibility/${state.key}`, () => visibility.upsert(row));
      },
      deleted: (ref, key) => {
        group.write(() => visibility.delete(ref.namespace, ref.runId));
        timers.set(key, ref, undefined);
        skipper?.setWork(key, 0);
      },
      committed: (ref) => {
        watch.notify(ref);
        parts.schedules.onCommitted(ref);
      },
      perform: (ref, task) => performTask(parts, ref, task),
    },
  });
  const namespaces = new NamespaceRegistry(db);
  const schedules = new ScheduleRegistry({
    services: { now, runs, namespaces, deployments, searchAttributes, limits },
    runs,
    namespaces,
    group,
    store: new ScheduleStore(db),
    visibility,
    timers: scheduleTimers,
    onError: (error, ref) => logger.error({ err: error, ...ref }, 'a schedule failed and is tried again'),
  });
  const matching = new Matching(now);
  const activityStore = new ActivityStore(db);
  const activities = new ActivityRegistry({
    now,
    group,
    store: activityStore,
    visibility,
    matching,
    deployments,
    timers: activityTimers,
    // The keys of runs are positive.
    onWork: (key, count) => skipper?.setWork(-key, count),
  });
  const batches = new BatchStore(db, group);
  const parts: EngineParts = {
    now,
    logger,
    clusterId: clusterId(db),
    limits,
    group,
    store,
    runs,
    history,
    watch,
    matching,
    deployments,
    timers,
    queries: new QueryRegistry(),
    updates: new UpdateRegistry(),
    namespaces,
    schedules,
    scheduleTimers,
    activities,
    activityTimers,
    activityStore,
    skipper,
    visibility,
    searchAttributes,
    batches,
    workers: new WorkerRegistry(now),
    batchRunner: new BatchRunner({ runs, deployments, store: batches, group, logger }),
  };
  return parts;
}

function engineClock({ last }: StoredTime, { logger, now, elapsed }: EnginePartsOptions): EngineClock {
  return new EngineClock({
    wall: now ?? Date.now,
    elapsed: elapsed ?? (() => performance.now()),
    lastKnown: last,
    onBehind: (ms) => {
      const seconds = Math.round(ms / 1000);
      logger.warn({ seconds }, "the machine's clock went back: timers keep what they had left to wait");
    },
  });
}

/** Forgets all that is in memory, which is ahead of the file, and recovers from the file as after a restart. */
function reload(parts: EngineParts): void {
  parts.runs.forgetAll();
  parts.matching.clearTasks();
  parts.timers.clear();
  parts.activities.forgetAll();
  // The tasks that would have carried them are gone.
  parts.updates.abortAll(notDurable());
  parts.queries.failAll(notDurable());
  try {
    parts.schedules.load();
  } catch (error) {
    parts.logger.error({ err: error }, 'the schedules could not be read, which is tried again');
  }
  setTimeout(() => {
    recover(parts);
    parts.batchRunner.resume();
  }, 1000).unref();
}

function clusterId(db: SqliteDatabase): string {
  const known = readMeta(db, 'cluster_id');
  if (known !== undefined) return known;
  const id = newId();
  writeMeta(db, 'cluster_id', id);
  return id;
}
