import type { Client } from '@temporalio/client';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { replayHistories } from '../../../support/replay-histories.ts';
import { IN_THIS_THREAD, quietRuntime } from '../../../support/temporal-runtime.ts';
import { testActivities } from './activities.ts';
import { testWorkflowBundle } from './bundle.ts';
import type { TestEngine } from './engine.ts';
import { BY_HAND } from './raw.ts';

export interface TestWorker {
  readonly worker: Worker;
  /** Drains and stops; safe to call twice. */
  close(): Promise<void>;
}

/** A worker for the test workflows and activities on the queue `taskQueue`. */
export async function startTestWorker(
  { engine }: Pick<TestEngine, 'engine'>,
  taskQueue: string,
  options: Partial<WorkerOptions> = {},
): Promise<TestWorker> {
  quietRuntime({ shutdownSignals: [] });
  const connection = await NativeConnection.connect(engine.connection);
  const worker = await Worker.create({
    connection,
    namespace: engine.namespace,
    taskQueue,
    workflowBundle: await testWorkflowBundle(),
    activities: testActivities,
    shutdownGraceTime: '1s',
    // Not four fifths of a heartbeat's timeout, as by default: that leaves a busy machine little time.
    maxHeartbeatThrottleInterval: '200ms',
    ...IN_THIS_THREAD,
    ...options,
  });
  const running = worker.run();
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
    await connection.close();
  };
  return { worker, close: () => (closing ??= close()) };
}

/** Replays the histories of these runs on the test workflows: what the engine wrote must be what the SDK expects. */
export async function expectReplays(client: Client, ...workflowIds: string[]): Promise<void> {
  await replayHistories(
    await testWorkflowBundle(),
    (async function* () {
      for (const workflowId of workflowIds) {
        yield { workflowId, history: await client.workflow.getHandle(workflowId).fetchHistory() };
      }
    })(),
  );
}

/**
 * Replays every run of the engine that real workers have worked on; one played by hand has no workflow behind it.
 * Answers how many.
 */
export async function replayAll(client: Client): Promise<number> {
  return await replayHistories(
    await testWorkflowBundle(),
    (async function* () {
      for await (const { workflowId, runId } of client.workflow.list()) {
        const history = await client.workflow.getHandle(workflowId, runId).fetchHistory();
        const completed = (history.events ?? []).flatMap(
          (event) => event.workflowTaskCompletedEventAttributes ?? [],
        );
        if (completed.length === 0 || completed.some(({ identity }) => identity === BY_HAND)) continue;
        yield { workflowId, history };
      }
    })(),
  );
}

/** Where and under which id a run is started, and with what. */
export const onQueue = (
  taskQueue: string,
  workflowId: string,
  ...args: unknown[]
): { taskQueue: string; workflowId: string; args: unknown[] } => ({ taskQueue, workflowId, args });
