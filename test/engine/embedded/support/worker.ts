import type { Client } from '@temporalio/client';
import { DefaultLogger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { testActivities } from './activities.ts';
import { testWorkflowBundle } from './bundle.ts';
import type { TestEngine } from './engine.ts';

let runtimeInstalled = false;

/**
 * Core's logging is set once for each process. Jest gives every test file a new module registry, so within one process
 * a later file meets a native runtime that an earlier one installed; the native side allows a second one.
 */
function quietRuntime(): void {
  if (runtimeInstalled) return;
  runtimeInstalled = true;
  Runtime.install({ logger: new DefaultLogger('ERROR'), shutdownSignals: [] });
}

export interface TestWorker {
  readonly worker: Worker;
  /** Drains and stops; safe to call twice. */
  stop(): Promise<void>;
}

/** A worker for the test workflows and activities on the queue `taskQueue`. */
export async function startTestWorker(
  { engine }: Pick<TestEngine, 'engine'>,
  taskQueue: string,
  options: Partial<WorkerOptions> = {},
): Promise<TestWorker> {
  quietRuntime();
  const connection = await NativeConnection.connect(engine.connection);
  const worker = await Worker.create({
    connection,
    namespace: engine.namespace,
    taskQueue,
    workflowBundle: await testWorkflowBundle(),
    activities: testActivities,
    shutdownGraceTime: '1s',
    ...options,
  });
  const running = worker.run();
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await running;
    await connection.close();
  };
  return { worker, stop: () => (stopping ??= stop()) };
}

/** Replays the histories of these runs on the test workflows: what the engine wrote must be what the SDK expects. */
export async function expectReplays(client: Client, ...workflowIds: string[]): Promise<void> {
  const workflowBundle = await testWorkflowBundle();
  const histories = (async function* () {
    for (const workflowId of workflowIds) {
      yield { workflowId, history: await client.workflow.getHandle(workflowId).fetchHistory() };
    }
  })();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle }, histories)) {
    if (error) throw new Error(`${workflowId} does not replay`, { cause: error });
  }
}
