import { Worker } from '@temporalio/worker';
import { testWorkflowBundle } from './support/bundle.ts';
import { type TestEngine, startTestEngine } from './support/engine.ts';
import { type TestWorker, startTestWorker } from './support/worker.ts';

let engine: TestEngine;
let worker: TestWorker;

beforeAll(async () => {
  engine = await startTestEngine();
  worker = await startTestWorker(engine, 'first');
});

afterAll(async () => {
  await worker.stop();
  await engine.close();
});

test('a workflow with an activity, a timer and a signal runs on the unmodified SDK and replays', async () => {
  const handle = await engine.client.workflow.start('basics', {
    taskQueue: 'first',
    workflowId: 'basics-1',
    args: ['hello'],
  });
  await handle.signal('add', 1);
  await handle.signal('add', 2);
  expect(await handle.result()).toBe('echo:hello 3');
  await Worker.runReplayHistory({ workflowBundle: await testWorkflowBundle() }, await handle.fetchHistory());
});
