import { NativeConnection, type State, Worker } from '@temporalio/worker';
import type { BatchActivities, SessionActivities } from '@steadyhand/contracts';
import type { Engine } from '@steadyhand/engine';

export const TASK_QUEUE = 'steadyhand';
/** Requests of batches have a task queue of their own, so that no session waits behind them. */
export const BATCH_TASK_QUEUE = 'steadyhand-batches';

/**
 * The number of workflows that the worker keeps in memory between their tasks, about 0.3 MiB each. The SDK's default follows
 * from Node's largest heap and is in the thousands; a workflow that is not kept is replayed, which takes milliseconds.
 */
const CACHED_WORKFLOWS = 100;

interface RunningWorker {
  /** Resolves when the worker has ended; rejects when it failed. */
  readonly ended: Promise<void>;
  /** The state of each of its parts. */
  states(): readonly State[];
  /** Lets running activities finish for a moment, then ends. */
  stop(): Promise<void>;
}

interface WorkerOptions {
  readonly engine: Engine;
  /** What is polled. */
  readonly queues: readonly ('sessions' | 'batches')[];
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
}

/**
 * Runs the Temporal workers: the workflows from the prebuilt bundle, the sessions' activities, and the requests of batches,
 * `batchConcurrency` of them at a time.
 */
export async function startWorker(options: WorkerOptions): Promise<RunningWorker> {
  const { engine, queues, drain } = options;
  const connection = await NativeConnection.connect(engine.connection);
  const common = {
    connection,
    namespace: engine.namespace,
    // Heartbeats bring cancellations and show a lost worker, so they must not be delayed for long.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    shutdownGraceTime: Math.min(drain.graceMs, drain.timeoutMs),
    shutdownForceTime: drain.timeoutMs,
  } as const;
  const { bundlePath, activities, batchActivities, batchConcurrency } = options;
  const make = {
    sessions: () =>
      Worker.create({
        ...common,
        taskQueue: TASK_QUEUE,
        workflowBundle: { codePath: bundlePath },
        activities: { ...activities, ...batchActivities },
        // A task for a worker that died goes to the next one without the default wait of ten seconds.
        stickyQueueScheduleToStartTimeout: '2s',
        maxConcurrentActivityTaskExecutions: 200,
        maxCachedWorkflows: CACHED_WORKFLOWS,
      }),
    batches: () =>
      Worker.create({
        ...common,
        taskQueue: BATCH_TASK_QUEUE,
        activities: { ...batchActivities },
        maxConcurrentActivityTaskExecutions: batchConcurrency,
      }),
  };
  const workers = await Promise.all(queues.map((queue) => make[queue]()));
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
    async stop() {
      shutdown();
      await ended;
    },
  };
}
