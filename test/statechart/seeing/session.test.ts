import path from 'node:path';
import { session } from '../../../workflows/index.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { Bench, explained, until } from './support.ts';

let bench: Bench;
let worker: { stop(): Promise<void> };

const idle = { type: 'idle', cursor: 9 };
let replies: unknown[] = [];

beforeAll(async () => {
  bench = await Bench.start();
  worker = await bench.temporal.work({
    workflowBundle: await bundleWorkflows(path.resolve(__dirname, '../../../workflows/index.ts')),
    activities: {
      requestModel: async () => await Promise.resolve(replies.shift() ?? { type: 'end' }),
      runTool: async () => await Promise.resolve({ type: 'done' }),
      appendResult: async () => await Promise.resolve(),
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
