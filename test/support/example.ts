import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import type { WorkerOptions } from '@temporalio/worker';
import type { MachineState, WaitCondition, WaitOutcome } from '../../statechart/workflow/index.ts';
import { startTestEngine, type TestEngine } from './engine.ts';
import { connectTemporal, type TestTemporal } from './temporal.ts';
import { bundleWorkflows } from './workflow-bundle.ts';

/** An example's workflows on a worker, for the tests of one file. */
export interface RunningExample {
  start(type: string, input: unknown): Promise<WorkflowHandle>;
  /** Ends the worker and starts another that knows nothing of the first. */
  restartWorker(): Promise<void>;
  /** Replays every history that the tests of the file have made; answers how many. */
  replayAll(): Promise<number>;
}

/** Starts engine and worker before the first test of the file, and ends them after the last. */
export function runningExample(
  name: string,
  activities: NonNullable<WorkerOptions['activities']>,
): RunningExample {
  let engine: TestEngine;
  let temporal: TestTemporal;
  let worker: { stop(): Promise<void> };
  const bundle = (): ReturnType<typeof bundleWorkflows> =>
    bundleWorkflows(path.join(__dirname, '../../examples', name, 'workflows.ts'));
  const work = async (): Promise<void> => {
    worker = await temporal.work({ workflowBundle: await bundle(), activities });
  };
  beforeAll(async () => {
    engine = await startTestEngine();
    temporal = await connectTemporal(engine.connection);
    await work();
  }, 180_000);
  afterAll(async () => {
    await worker.stop();
    await temporal.close();
    await engine.stop();
  }, 180_000);
  return {
    async start(type, input) {
      const { client, taskQueue } = temporal;
      const workflowId = `${type}-${randomUUID()}`;
      await client.workflow.start(type, { workflowId, taskQueue, args: [{ input }] });
      return client.workflow.getHandle(workflowId);
    },
    async restartWorker() {
      await worker.stop();
      await work();
    },
    replayAll: async () => await temporal.replayAll(await bundle()),
  };
}

/** Sends an event and answers the state that it has led to. */
export async function send(handle: WorkflowHandle, event: object): Promise<string> {
  return (await handle.executeUpdate<MachineState, [object]>('send', { args: [event] })).state;
}

/** Waits for a state, a tag or the end, also of a later run. */
export async function waitFor(handle: WorkflowHandle, wanted: WaitCondition): Promise<string> {
  for (;;) {
    const outcome = await handle.executeUpdate<WaitOutcome, [WaitCondition]>('waitFor', { args: [wanted] });
    if (!outcome.moved) return outcome.state;
  }
}
