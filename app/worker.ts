import { NativeConnection, Worker } from '@temporalio/worker';
import type { SessionActivities } from '../activities/contract.ts';
import type { Engine } from '../engine/engine.ts';

export const TASK_QUEUE = 'steadyhand';

export interface RunningWorker {
  /** Resolves when the worker has ended; rejects when it failed. */
  readonly ended: Promise<void>;
  /** Lets running activities finish for a moment, then ends. */
  stop(): Promise<void>;
}

/** Runs the Temporal worker: the session workflow from the prebuilt bundle, and the activities. */
export async function startWorker(options: {
  engine: Engine;
  bundlePath: string;
  activities: SessionActivities;
}): Promise<RunningWorker> {
  const { engine, bundlePath, activities } = options;
  const connection = await NativeConnection.connect(engine.connection);
  const worker = await Worker.create({
    connection,
    namespace: engine.namespace,
    taskQueue: TASK_QUEUE,
    workflowBundle: { codePath: bundlePath },
    activities: { ...activities },
    // Heartbeats carry cancellations and tell of a lost worker: they must not be held back for long.
    maxHeartbeatThrottleInterval: '1s',
    defaultHeartbeatThrottleInterval: '1s',
    // A task for a worker that died goes to the next one without the default's ten seconds.
    stickyQueueScheduleToStartTimeout: '2s',
    shutdownGraceTime: '3s',
    shutdownForceTime: '8s',
    maxConcurrentActivityTaskExecutions: 200,
  });
  const ended = (async () => {
    try {
      await worker.run();
    } finally {
      await connection.close();
    }
  })();
  return {
    ended,
    async stop() {
      if (worker.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}
