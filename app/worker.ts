import { type ActivityInterceptorsFactory, NativeConnection, Worker } from '@temporalio/worker';
import type { BatchActivities, SessionActivities } from '@steadyhand/contracts';
import type { Engine } from '@steadyhand/engine';
import type { WorkerSlots } from '@steadyhand/telemetry';

export const TASK_QUEUE = 'steadyhand';
/** Requests of batches have a task queue of their own, so that no session waits behind them. */
export const BATCH_TASK_QUEUE = 'steadyhand-batches';

/**
 * The number of workflows that the worker keeps in memory between their tasks, about 0.3 MiB each. The SDK's default follows
 * from Node's largest heap and is in the thousands; a workflow that is not kept is replayed, which takes milliseconds.
 */
const CACHED_WORKFLOWS = 100;
const ACTIVITY_TASKS = 200;
/** The SDK's own default. */
const WORKFLOW_TASKS = 40;

interface RunningWorker {
  /** Resolves when the worker has ended; rejects when it failed. */
  readonly ended: Promise<void>;
  /** The tasks that the workers take at a time and have in hand. */
  slots(): readonly WorkerSlots[];
  /** Lets running activities finish for a moment, then ends. */
  stop(): Promise<void>;
}

/**
 * Runs the Temporal workers: the workflows from the prebuilt bundle, the sessions' activities, and the requests of batches,
 * `batchConcurrency` of them at a time.
 */
export async function startWorker(options: {
  engine: Engine;
  bundlePath: string;
  activities: SessionActivities;
  batchActivities: BatchActivities;
  batchConcurrency: number;
  /** Called around every activity, the first one outermost. */
  interceptors: ActivityInterceptorsFactory[];
}): Promise<RunningWorker> {
  const { engine, bundlePath, activities, batchActivities, batchConcurrency, interceptors } = options;
  const connection = await NativeConnection.connect(engine.connection);
  const common = {
    connection,
    namespace: engine.namespace,
    // Heartbeats bring cancellations and show a lost worker, so they must not be delayed for long.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: '3s',
    shutdownForceTime: '8s',
    interceptors: { activity: interceptors },
  } as const;
  const sessions = await Worker.create({
    ...common,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: bundlePath },
    activities: { ...activities, ...batchActivities },
    // A task for a worker that died goes to the next one without the default wait of ten seconds.
    stickyQueueScheduleToStartTimeout: '2s',
    maxConcurrentActivityTaskExecutions: ACTIVITY_TASKS,
    maxConcurrentWorkflowTaskExecutions: WORKFLOW_TASKS,
    maxCachedWorkflows: CACHED_WORKFLOWS,
  });
  const batches = await Worker.create({
    ...common,
    taskQueue: BATCH_TASK_QUEUE,
    activities: { ...batchActivities },
    maxConcurrentActivityTaskExecutions: batchConcurrency,
  });
  const workers = [sessions, batches];
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
    slots: () => {
      const [own, ofBatches] = [sessions.getStatus(), batches.getStatus()];
      const activity = { kind: 'activity' } as const;
      return [
        { ...activity, queue: 'sessions', used: own.numInFlightActivities, places: ACTIVITY_TASKS },
        { ...activity, queue: 'batches', used: ofBatches.numInFlightActivities, places: batchConcurrency },
        {
          queue: 'sessions',
          kind: 'workflow',
          used: own.numInFlightWorkflowActivations,
          places: WORKFLOW_TASKS,
        },
      ];
    },
    async stop() {
      shutdown();
      await ended;
    },
  };
}
