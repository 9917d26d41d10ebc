import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions, type WorkflowBundle } from '@temporalio/worker';
import type { EngineConnection } from '../../engine/connection/engine.ts';
import { historiesOf } from './replay.ts';
import { replayHistories } from './replay-histories.ts';
import { IN_THIS_THREAD, quietRuntime } from './temporal-runtime.ts';

/** A client and, on demand, workers on a task queue of their own. */
export interface TestTemporal {
  readonly client: Client;
  readonly taskQueue: string;
  /** Runs a worker until `stop`. */
  work(options: Partial<WorkerOptions>): Promise<{ stop(): Promise<void> }>;
  /** Replays every history of this task queue, or of what the query finds, against the bundle; answers how many. */
  replayAll(workflowBundle: WorkflowBundle, query?: string): Promise<number>;
  close(): Promise<void>;
}

/** Connects to a Temporal service that the test started. */
export async function connectTemporal(to: EngineConnection, namespace = 'default'): Promise<TestTemporal> {
  quietRuntime();
  const connection = await Connection.connect(to);
  const native = await NativeConnection.connect(to);
  const client = new Client({ connection, namespace });
  const taskQueue = `test-${randomUUID()}`;
  return {
    client,
    taskQueue,
    async work(options) {
      const worker = await Worker.create({
        connection: native,
        namespace,
        taskQueue,
        shutdownGraceTime: 0,
        // Not four fifths of a heartbeat's timeout, as by default: that leaves a busy machine little time.
        maxHeartbeatThrottleInterval: '200ms',
        ...IN_THIS_THREAD,
        ...options,
      });
      const running = worker.run();
      return {
        async stop() {
          if (worker.getState() === 'RUNNING') worker.shutdown();
          await running;
        },
      };
    },
    replayAll: (workflowBundle, query = `TaskQueue = '${taskQueue}'`) =>
      replayHistories(workflowBundle, historiesOf(client, query)),
    async close() {
      await native.close();
      await connection.close();
    },
  };
}
