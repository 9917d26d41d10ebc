import path from 'node:path';
import { activityInfo } from '@temporalio/activity';
import { Worker, type WorkflowBundle } from '@temporalio/worker';
import { explainHistory } from '../../../statechart/client/index.ts';
import { session } from '../../../workflows/index.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { Bench, explained, until } from './support.ts';

let bench: Bench;
let bundle: WorkflowBundle;
let worker: { stop(): Promise<void> };

const idle = { type: 'idle', cursor: 9 };
let replies: unknown[] = [];
let appended: string[] = [];
let failsLocally = false;

beforeAll(async () => {
  bench = await Bench.start();
  bundle = await bundleWorkflows(path.resolve(__dirname, '../../../workflows/index.ts'));
  worker = await bench.temporal.work({
    workflowBundle: bundle,
    activities: {
      requestModel: async () => await Promise.resolve(replies.shift() ?? { type: 'end' }),
      runTool: async () => await Promise.resolve({ type: 'done' }),
      appendResult: async () => {
        const { isLocal } = activityInfo();
        appended.push(isLocal ? 'locally' : 'as an activity');
        await Promise.resolve();
        if (isLocal && failsLocally) throw new Error('the store is away');
      },
      endTurn: async () => await Promise.resolve(idle),
      failTurn: async () => await Promise.resolve(idle),
    },
  });
}, 180_000);

afterAll(async () => {
  await worker.stop();
  await bench.stop();
}, 180_000);

test('a session’s history is explained: the turn, its tools, a wait for the provider', async () => {
  replies = [
    { type: 'tools', calls: [{ id: 'a', decision: 'allow' }] },
    { type: 'wait', ms: 50 },
    { type: 'end' },
  ];
  const handle = await bench.begin('session', { session: 'sesn_1', epoch: 1 });
  await handle.signal('send', { type: 'user.message', seq: 1 });
  await until('the turn to end', async () => {
    const view = await handle.query<{ state: string; context: { seen: number } }>('snapshot');
    return view.state === 'idle' && view.context.seen === 1;
  });
  const { steps } = await explained(handle, session);
  const ways = steps.map(({ from, to }) => `${from} -> ${to}`);
  expect(ways).toEqual(
    expect.arrayContaining([
      'request.asking -> tool_use.running',
      'tool_use.running -> tool_result',
      'request.asking -> request.waiting',
      'request.waiting -> request.asking',
      'end -> idle',
    ]),
  );
  const message = steps.find(({ cause }) => cause.type === 'signal');
  expect(message).toMatchObject({
    from: 'idle',
    to: 'request.asking',
    guards: ['isNew'],
    started: [{ type: 'activity', src: 'requestModel', step: 1 }],
  });
  await handle.terminate();
});

test.each([
  { start: { triesLocally: true }, fails: false, ways: ['locally'] },
  { start: { triesLocally: true }, fails: true, ways: ['locally', 'as an activity'] },
  { start: {}, fails: false, ways: ['as an activity'] },
])('a result is appended $ways, replays and is explained', async ({ start, fails, ways }) => {
  failsLocally = fails;
  appended = [];
  replies = [{ type: 'tools', calls: [{ id: 'a', decision: 'allow' }] }, { type: 'end' }];
  const handle = await bench.begin('session', { session: 'sesn_1', epoch: 1 }, start);
  await handle.signal('send', { type: 'user.message', seq: 1 });
  await until('the turn to end', async () => {
    const view = await handle.query<{ state: string; context: { seen: number } }>('snapshot');
    return view.state === 'idle' && view.context.seen === 1;
  });
  expect(appended).toEqual(ways);
  const { steps, divergence } = await explained(handle, session);
  expect(divergence).toBeUndefined();
  expect(steps.map(({ from, to }) => `${from} -> ${to}`)).toContain('tool_result -> request.asking');
  const history = await handle.fetchHistory();
  await Worker.runReplayHistory({ workflowBundle: bundle }, history, handle.workflowId);
  await handle.terminate();
  // A worker that knows of no local activities beside others passes over what the start says.
  const { input } = history.events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
  const argument = JSON.parse(Buffer.from(input?.payloads?.[0]?.data ?? []).toString()) as object;
  const data = Buffer.from(JSON.stringify({ ...argument, triesLocally: true }));
  Object.assign(input?.payloads?.[0] ?? {}, { data });
  await Worker.runReplayHistory({ workflowBundle: bundle }, history, handle.workflowId);
  const told = await explainHistory(history, session);
  expect(told.divergence).toBeUndefined();
  expect(told.steps).toHaveLength(steps.length);
});
