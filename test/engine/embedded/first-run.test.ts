import { Worker } from '@temporalio/worker';
import { testWorkflowBundle } from './support/bundle.ts';
import { startTestEngine } from './support/engine.ts';
import { startTestWorker, onQueue } from './support/worker.ts';
import { openedForAll } from '../../support/opened.ts';

const engine = openedForAll(startTestEngine);
openedForAll(() => startTestWorker(engine, 'first'));

test('a workflow with an activity, a timer and a signal runs on the unmodified SDK and replays', async () => {
  const handle = await engine.client.workflow.start('basics', onQueue('first', 'basics-1', 'hello'));
  await handle.signal('add', 1);
  await handle.signal('add', 2);
  expect(await handle.result()).toBe('echo:hello 3');
  await Worker.runReplayHistory({ workflowBundle: await testWorkflowBundle() }, await handle.fetchHistory());
});
