import type { Connection } from '@temporalio/client';
import {
  type ActivityInterceptorsFactory,
  NativeConnection,
  type State,
  Worker,
  type WorkerDeploymentOptions,
} from '@temporalio/worker';
import type { BatchActivities, SessionActivities } from '@steadyhand/contracts';
import type { Engine } from '@steadyhand/engine';
import type { WorkerSlots } from '@steadyhand/telemetry';
import { releaseWorkflows } from './lost-attempts.ts';
import type { TaskQueues } from './task-queues.ts';

/**
 * The number of workflows that the worker keeps in memory between their tasks, about 0.3 MiB each. The SDK's default follows
 * from Node's largest heap and is in the thousands; a workflow that is not kept is replayed, which takes milliseconds.
 */
const CACHED_WORKFLOWS = 100;
const ACTIVITY_TASKS = 200;
/** The SDK's own default. */
const WORKFLOW_TASKS = 40;

/** Heartbeats are sent on at least this often. */
const LONGEST_THROTTLE_MS = 1000;

interface RunningWorker {
  /** Resolves when the worker has ended; rejects when it failed. */
  readonly ended: Promise<void>;
  /** The state of each of its parts. */
  states(): readonly State[];
  /** The tasks that the workers take at a time and have in hand. */
  slots(): readonly WorkerSlots[];
  /** Lets running activities finish for a moment, then ends. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly engine: Engine;
  /** The client's connection to it. */
  readonly connection: Connection;
  readonly taskQueues: TaskQueues;
  /** Which of them are polled. */
  readonly polled: readonly (keyof TaskQueues)[];
  readonly failover: {
    /** After so long without a heartbeat an activity counts as lost. */
    readonly heartbeatTimeoutMs: number;
    /** How long a workflow's task waits for the worker that has it in memory. */
    readonly stickyTimeoutMs: number;
  };
  /** What makes this worker one version of a deployment; without it, it has none. */
  readonly version: WorkerDeploymentOptions | undefined;
  readonly drain: {
    /** How long activities may take to end when the worker stops; then they are canceled. */
    readonly graceMs: number;
    /** When they are given up. */
    readonly timeoutMs: number;
  };
  readonly bundlePath: string;
  readonly activities: SessionActivities;
  readonly batchActivities: BatchActivities;
  readonly batchConcurrency: number;
  /** Called around every activity, the first one outermost. */
  readonly interceptors: readonly ActivityInterceptorsFactory[];
}

/**
 * Runs the Temporal workers: the workflows from the prebuilt bundle, the sessions' activities, and the requests of batches,
 * `batchConcurrency` of them at a time.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { engine, taskQueues, polled, drain, failover, version } = options;
  const connection = await NativeConnection.connect(engine.connection);
  const throttleMs = Math.min(LONGEST_THROTTLE_MS, Math.ceil(failover.heartbeatTimeoutMs / 4));
  const common = {
    connection,
    namespace: engine.namespace,
    // Heartbeats bring cancellations and show a lost worker, so they must not be delayed for long.
    maxHeartbeatThrottleInterval: throttleMs,
    defaultHeartbeatThrottleInterval: throttleMs,
    ...(version === undefined ? {} : { workerDeploymentOptions: version }),
    shutdownGraceTime: Math.min(drain.graceMs, drain.timeoutMs),
    shutdownForceTime: drain.timeoutMs,
  } as const;
  const { bundlePath, activities, batchActivities, batchConcurrency, interceptors } = options;
  const make = {
    sessions: () =>
      Worker.create({
        ...common,
        taskQueue: taskQueues.sessions,
        workflowBundle: { codePath: bundlePath },
        activities: { ...activities, ...batchActivities },
        interceptors: { activity: [...interceptors, releaseWorkflows(options.connection, engine.namespace)] },
        // A task for a worker that died goes to the next one without the default wait of ten seconds.
        stickyQueueScheduleToStartTimeout: failover.stickyTimeoutMs,
        maxConcurrentActivityTaskExecutions: ACTIVITY_TASKS,
        maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
        maxCachedWorkflows: CACHED_WORKFLOWS,
      }),
    batches: () =>
      Worker.create({
        ...common,
        taskQueue: taskQueues.batches,
        activities: { ...batchActivities },
        interceptors: { activity: [...interceptors] },
        maxConcurrentActivityTaskExecutions: batchConcurrency,
      }),
  };
  const made = await Promise.all(polled.map(async (queue) => ({ queue, worker: await make[queue]() })));
  const workers = made.map(({ worker }) => worker);
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  const ended = (async () => {
    // A worker that fails stops the other, and the connection is closed after both have ended.
    const runs = workers.map((worker) => worker.run().finally(shutdown));
    await Promise.allSettled(runs);
    await connection.close();
    await Promise.all(runs);
  })();
  return {
    ended,
    states: () => workers.map((worker) => worker.getState()),
    slots: () =>
      made.flatMap(({ queue, worker }): WorkerSlots[] => {
        const { numInFlightActivities, numInFlightWorkflowActivations } = worker.getStatus();
        const places = queue === 'sessions' ? ACTIVITY_TASKS : batchConcurrency;
        const own: WorkerSlots = { queue, kind: 'activity', used: numInFlightActivities, places };
        if (queue === 'batches') return [own];
        return [
          own,
          { queue, kind: 'workflow', used: numInFlightWorkflowActivations, places: WORKFLOW_TASKS },
        ];
      }),
    async stop() {
      shutdown();
      await ended;
    },
  };
}
