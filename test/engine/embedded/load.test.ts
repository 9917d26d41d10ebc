import { until } from '../until.ts';
import { startTestEngine } from './support/engine.ts';
import { expectReplays, startTestWorker, replayAll } from './support/worker.ts';
import { openedForAll } from '../../support/opened.ts';

jest.setTimeout(180_000);

const taskQueue = 'load';

const engine = openedForAll(() => startTestEngine({ limits: { cachedRuns: 8 } }));
openedForAll(() => startTestWorker(engine, taskQueue));

test('many runs at once finish, with a cache far smaller than their number', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => `parallel-${i}`);
  const results = await Promise.all(
    ids.map((workflowId) =>
      engine.client.workflow.execute('steps', { taskQueue, workflowId, args: [5] as [number] }),
    ),
  );
  expect(results).toEqual(ids.map(() => 5));
  await expectReplays(engine.client, ...ids.slice(0, 5));
});

test('idle runs beyond the cache keep their timers, signals and state', async () => {
  const ids = Array.from({ length: 30 }, (_, i) => `idle-${i}`);
  const handles = await Promise.all(
    ids.map((workflowId) => engine.client.workflow.start('counter', { taskQueue, workflowId })),
  );
  for (const handle of handles) await handle.signal('add', 1);
  const totals = await Promise.all(handles.map((handle) => handle.query<number>('total')));
  expect(totals).toEqual(ids.map(() => 1));
  const updates = await Promise.all(
    handles.slice(0, 10).map((handle) => handle.executeUpdate<number, [number]>('bump', { args: [2] })),
  );
  expect(updates).toEqual(Array.from({ length: 10 }, () => 3));
  await Promise.all(handles.map((handle) => handle.signal('finish')));
  const ends = await Promise.all(handles.map((handle) => handle.result()));
  expect(ends).toEqual(ids.map((_, i) => (i < 10 ? 3 : 1)));
});

test('a burst of signals to one run loses none', async () => {
  const handle = await engine.client.workflow.start('counter', { taskQueue, workflowId: 'burst' });
  await Promise.all(Array.from({ length: 200 }, () => handle.signal('add', 1)));
  await until(async () => (await handle.query('total')) === 200);
  await handle.signal('finish');
  expect(await handle.result()).toBe(200);
  await expectReplays(engine.client, 'burst');
});

test('every history that these tests made replays', async () => {
  expect(await replayAll(engine.client)).toBeGreaterThan(0);
}, 180_000);
