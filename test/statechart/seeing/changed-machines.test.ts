import { HELD_STATE } from '../../../statechart/core/messages.ts';
import path from 'node:path';
import { checkHistories, explainHistory, identityOf } from '../../../statechart/client/index.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { first, second } from './approval.ts';
import { approval as forgetful } from './approval-v2.ts';
import { approval as migrating } from './approval-v3.ts';
import { Bench, explained, until } from './support.ts';

let bench: Bench;

const work = async (file: string): Promise<{ stop(): Promise<void> }> =>
  await bench.temporal.work({ workflowBundle: await bundleWorkflows(path.join(__dirname, file)) });

beforeAll(async () => {
  bench = await Bench.start();
}, 180_000);

afterAll(() => bench.stop(), 180_000);

test('a run that was migrated is explained, and a checker says beforehand what becomes of it', async () => {
  const old = await work('approval-v1.ts');
  const handle = await bench.begin('approval');
  await handle.executeUpdate('send', { args: [{ type: 'note' }] });
  await old.stop();
  const recorded = await handle.fetchHistory();
  const check = async (source: Parameters<typeof checkHistories>[1]): Promise<unknown> => {
    const { runs, breaking } = await checkHistories([{ name: 'one', history: recorded }], source);
    return [runs[0]?.verdict, runs[0]?.state, breaking];
  };
  expect(await check(first)).toEqual(['fits', 'waiting', 0]);
  expect(await check(forgetful)).toEqual(['unknown machine', '', 1]);
  expect(await check(migrating)).toEqual(['migrates', 'waiting', 0]);
  expect(await check({ machine: second, versions: [first] })).toEqual(['fits', 'waiting', 0]);
  expect(await check({ machine: second, versions: [first], migrate: {} })).toEqual([
    'migration refused',
    'waiting',
    1,
  ]);
  expect(await check({ approval: migrating })).toEqual(['migrates', 'waiting', 0]);
  expect(await check({ other: migrating })).toEqual(['no workflow', '', 1]);

  // A worker that knows both lets it go on, and migrates it.
  const able = await work('approval-v3.ts');
  await handle.executeUpdate('send', { args: [{ type: 'approve' }] });
  await handle.result();
  const { steps, status } = await explained(handle, migrating);
  expect(status).toBe('completed');
  expect(steps.map(({ cause, from, to }) => [cause.type, from, to])).toEqual([
    ['start', '', 'waiting'],
    ['update', 'waiting', 'waiting'],
    ['migration', 'waiting', 'open'],
    ['update', 'open', 'approved'],
  ]);
  expect(steps[2]?.changed).toEqual([{ path: 'reviewer', after: 'ann' }]);
  await able.stop();
}, 120_000);

test('a run that was held and released is explained by its markers', async () => {
  const holding = await work('approval-v2.ts');
  const snapshot = { status: 'active', value: 'waiting', context: { notes: 3 }, children: {} };
  const carried = { snapshot, delays: [], actors: [], steps: 0, machine: identityOf(first) };
  const handle = await bench.begin('approval', {}, { carried });
  await handle.signal('send', { type: 'note' });
  await until(
    'the hold',
    async () => (await handle.query<{ state: string }>('snapshot')).state === HELD_STATE,
  );
  const held = await explainHistory(await handle.fetchHistory(), migrating);
  expect(held).toMatchObject({ status: 'held', steps: [] });
  expect(held.held?.reason).not.toBe('');
  await holding.stop();
  const able = await work('approval-v3.ts');
  await handle.signal('send', { type: 'approve' });
  await handle.result();
  const { steps } = await explained(handle, migrating);
  expect(steps[0]).toMatchObject({ cause: { type: 'continued' }, to: 'waiting' });
  // It ended before there was a moment to migrate it.
  expect(steps.map(({ cause }) => cause.type)).toEqual(['continued', 'signal', 'signal']);
  expect(steps.at(-1)).toMatchObject({ to: 'approved', snapshot: { context: { notes: 4 } } });
  await able.stop();
}, 120_000);

test('a run that has carried a state over tells a checker that the state is gone', async () => {
  const old = await work('approval-v1.ts');
  const handle = await bench.begin('approval');
  while ((await bench.runsOf(handle)).length < 2)
    await handle.executeUpdate('send', { args: [{ type: 'note' }] });
  await handle.executeUpdate('send', { args: [{ type: 'note' }] });
  await old.stop();
  const runs = await bench.runsOf(handle);
  const history = await runs.at(-1)?.fetchHistory();
  const verdict = async (source: Parameters<typeof checkHistories>[1]): Promise<unknown> =>
    (await checkHistories([{ name: 'one', history }], source)).runs[0]?.verdict;
  expect(await verdict(first)).toBe('fits');
  expect(await verdict(forgetful)).toBe('state gone');
  expect(await verdict({ machine: second, migrate: {} })).toBe('migration refused');
  expect(await verdict({ machine: second, migrate: { states: { waiting: 'open' } } })).toBe('migrates');
  const { steps } = await explainHistory(history, {
    machine: second,
    migrate: { states: { waiting: 'open' } },
  });
  expect(steps[0]).toMatchObject({ cause: { type: 'continued' }, to: 'open' });
}, 120_000);
