import path from 'node:path';
import { CompleteAsyncError } from '@temporalio/activity';
import { ApplicationFailure, type WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowBundle } from '@temporalio/worker';
import { explainHistory, HistoryError } from '../../../statechart/client/index.ts';
import { sampled } from '../../support/sampled.ts';
import { bundleWorkflows } from '../../support/workflow-bundle.ts';
import { crowd, keeper, order, orderMachine, parcel } from './machines.ts';
import { Bench, countOf, explained, explainedAsItGrows, until } from './support.ts';

let bench: Bench;
let bundle: WorkflowBundle;
let worker: { stop(): Promise<void> };

const activities = {
  async charge({ amount }: { amount: number }): Promise<string> {
    if (amount > 100) throw ApplicationFailure.nonRetryable('too much', 'CardDeclined');
    if (amount === 13) throw new CompleteAsyncError();
    return await Promise.resolve(`paid ${amount}`);
  },
  // Answered by the test, also while there is no worker.
  async later(): Promise<string> {
    return await Promise.reject(new CompleteAsyncError());
  },
  quick: async (): Promise<string> => await Promise.resolve('quick'),
  peek: async (): Promise<string> => await Promise.resolve('peeked'),
};

const work = async (): Promise<void> => {
  worker = await bench.temporal.work({ workflowBundle: bundle, activities });
};

const stateOf = async (handle: WorkflowHandle): Promise<string> =>
  (await handle.query<{ state: string }>('snapshot')).state;

beforeAll(async () => {
  bundle = await bundleWorkflows(path.join(__dirname, 'machines.ts'));
  bench = await Bench.start();
  await work();
}, 180_000);

afterAll(async () => {
  await worker.stop();
  await bench.stop();
}, 180_000);

describe('a macrostep', () => {
  test('tells event, states, guards, actions, changes, effects and their events', async () => {
    const handle = await bench.begin('order', { amount: 40 });
    await handle.executeUpdate('send', { args: [{ type: 'add', sku: 'pen' }], updateId: 'first line' });
    await handle.signal('send', { type: 'pay' });
    await until('shipping', async () => (await stateOf(handle)) === 'shipping');
    await handle.signal('send', { type: 'ship' });
    await handle.result();
    const explanation = await explained(handle, order);
    const { steps } = explanation;
    expect(steps.map(({ cause, from, to }) => [cause.type, from, to])).toEqual([
      ['start', '', 'open'],
      ['update', 'open', 'open'],
      ['signal', 'open', 'charging'],
      ['done', 'charging', 'shipping'],
      ['signal', 'shipping', 'shipping'],
      ['done', 'shipping', 'shipped'],
    ]);
    const [start, add, pay, charged, ship, shipped] = steps;
    expect(start?.started).toMatchObject([
      { type: 'delay', id: 'xstate.after.60000.order.open', ms: 60_000 },
    ]);
    expect(add).toMatchObject({
      cause: { updateId: 'first line', event: { type: 'add', sku: 'pen' }, isRefused: false },
      changed: [
        { path: 'at', before: { $type: 'Date' }, after: { $type: 'Date' } },
        { path: 'lines[0]', after: { sku: 'pen', n: 1 } },
      ],
    });
    expect(pay).toMatchObject({
      guards: ['isPayable'],
      transitions: [{ source: 'order.open', targets: ['order.charging'], event: 'pay', guard: 'isPayable' }],
      stopped: [{ type: 'delay', id: 'xstate.after.60000.order.open' }],
    });
    expect(pay?.actions).toContain('audit');
    expect(pay?.started).toMatchObject([
      { type: 'activity', id: 'charge', src: 'charge', step: 1, input: { amount: 40 } },
      { type: 'delay', id: 'patience', ms: 50_000 },
    ]);
    expect(charged).toMatchObject({
      cause: { actor: { id: 'charge', src: 'charge', step: 1 }, output: 'paid 40' },
      changed: [{ path: 'receipt', before: null, after: 'paid 40' }],
      started: [{ type: 'child', id: 'parcel', step: 2, input: { sku: 'pen' } }],
      stopped: [{ type: 'delay', id: 'patience' }],
    });
    expect(ship?.sent).toMatchObject([
      { workflowId: `${handle.workflowId}/parcel/2`, event: { type: 'handOver' } },
    ]);
    expect(shipped?.snapshot).toMatchObject({ status: 'done', output: { receipt: 'paid 40' } });
    expect(explanation).toMatchObject({ status: 'completed', output: { receipt: 'paid 40' }, running: [] });
    // Every event id is that of the event that it says.
    const { events = [] } = await handle.fetchHistory();
    const kindOf = (id: number): string[] =>
      Object.keys(events?.[id - 1] ?? {}).filter((key) => key.endsWith('EventAttributes'));
    const ids = {
      activityTaskScheduledEventAttributes: pay?.started.find(({ type }) => type === 'activity')?.eventId,
      timerStartedEventAttributes: start?.started[0]?.eventId,
      timerCanceledEventAttributes: pay?.stopped[0]?.eventId,
      startChildWorkflowExecutionInitiatedEventAttributes: charged?.started[0]?.eventId,
      signalExternalWorkflowExecutionInitiatedEventAttributes: ship?.sent[0]?.eventId,
      activityTaskCompletedEventAttributes: charged?.events.first,
      workflowExecutionCompletedEventAttributes: shipped?.events.last,
    };
    for (const [kind, id] of Object.entries(ids)) expect([kind, kindOf(id ?? 0)]).toEqual([kind, [kind]]);
  });

  test('tells a failed activity as the error that the machine got', async () => {
    const handle = await bench.begin('order', { amount: 400 });
    await handle.executeUpdate('send', { args: [{ type: 'pay' }] });
    await handle.result();
    const { steps } = await explained(handle, order);
    expect(steps.at(-1)).toMatchObject({
      cause: {
        type: 'error',
        error: { $type: 'Error', value: { name: 'CardDeclined', message: 'too much' } },
      },
      to: 'declined',
    });
  });

  test('tells a cancelled activity, and nothing of its late end', async () => {
    const handle = await bench.begin('order', { amount: 13 });
    await handle.executeUpdate('send', { args: [{ type: 'pay' }] });
    await until(
      'the activity',
      async () => (await countOf(handle, 'activityTaskScheduledEventAttributes')) === 1,
    );
    await handle.signal('send', { type: 'cancel' });
    await handle.result();
    const { steps } = await explained(handle, order);
    const last = steps.at(-1);
    expect(last).toMatchObject({
      to: 'cancelled',
      stopped: [
        { type: 'activity', id: 'charge', step: 1 },
        { type: 'delay', id: 'patience' },
      ],
    });
    expect(last?.stopped[0]?.eventId).toBeGreaterThan(0);
  });

  test('tells a signal that was refused, an update that was too late, and a machine that has failed', async () => {
    const handle = await bench.begin('parcel', { sku: 'x' });
    await handle.signal('send', { nonsense: true });
    await handle.signal('send', { type: 'handOver' });
    await handle.result();
    const { steps } = await explained(handle, parcel);
    expect(steps.map(({ cause }) => cause.type)).toEqual(['start', 'refused', 'signal']);
    expect(steps.at(-1)).toMatchObject({ from: 'packed', to: 'gone' });
  });
});

test('a machine alone, without its actor specs, explains its history as well', async () => {
  const handle = await bench.begin('order', { amount: 7 });
  await handle.executeUpdate('send', { args: [{ type: 'pay' }] });
  await until('shipping', async () => (await stateOf(handle)) === 'shipping');
  await handle.executeUpdate('send', { args: [{ type: 'ship' }] });
  await handle.result();
  const own = await explained(handle, order);
  expect((await explained(handle, orderMachine)).steps).toEqual(own.steps);
  // The same from a file, as the CLI writes it.
  const file = JSON.parse(historyToJSON(await handle.fetchHistory())) as unknown;
  expect((await explainHistory(file, order, { workflowId: handle.workflowId })).steps).toEqual(own.steps);
});

test('a history that is explained as it grows is seldom begun anew', async () => {
  const handle = await bench.begin('order', { amount: 40 });
  for (let line = 0; line < 20; line += 1)
    await handle.executeUpdate('send', { args: [{ type: 'add', sku: `pen ${line}` }] });
  await handle.executeUpdate('send', { args: [{ type: 'pay' }] });
  await until('shipping', async () => (await stateOf(handle)) === 'shipping');
  const { events = [] } = await handle.fetchHistory();
  // It grows by what a workflow task has brought, which ends before the next task is asked for.
  const pieces: unknown[][] = [];
  for (const event of events ?? []) {
    if (pieces.length === 0 || event.workflowTaskScheduledEventAttributes != null) pieces.push([]);
    pieces.at(-1)?.push(event);
  }
  const { explanation, again } = await explainedAsItGrows(pieces, order, handle.workflowId);
  expect([explanation.state, explanation.divergence]).toEqual(['shipping', undefined]);
  expect(pieces.length).toBeGreaterThan(20);
  // The first piece has no task yet, and the second one says which machine it is.
  expect(again).toBe(1);
  await handle.executeUpdate('send', { args: [{ type: 'ship' }] });
  await handle.result();
});

test.each(sampled([100, 99, 101, 102], 2))(
  'a long history is the same where its event %i ends a task',
  async (last) => {
    const handle = await bench.begin('order', { amount: 40 });
    const length = async (): Promise<number> => (await handle.fetchHistory()).events?.length ?? 0;
    const add = { type: 'add', sku: 'pen' };
    await handle.executeUpdate('send', { args: [add] });
    // An update brings five events, the third of which ends its workflow task; a signal brings four.
    for (let left = last - 3 - (await length()); left > 0; left = last - 3 - (await length())) {
      if (left % 5 === 0) await handle.executeUpdate('send', { args: [add] });
      else {
        const before = await length();
        await handle.signal('send', add);
        await until('the task', async () => (await length()) >= before + 4);
      }
    }
    await handle.executeUpdate('send', { args: [add] });
    const { events } = await handle.fetchHistory();
    expect(events?.[last - 1]?.workflowTaskCompletedEventAttributes).toBeTruthy();
    await handle.executeUpdate('send', { args: [{ type: 'pay' }] });
    await until('shipping', async () => (await stateOf(handle)) === 'shipping');
    await explained(handle, order);
    await handle.executeUpdate('send', { args: [{ type: 'ship' }] });
    await handle.result();
  },
);

test('a run that is open tells what is running and what waits', async () => {
  const handle = await bench.begin('order', { amount: 13 });
  await handle.executeUpdate('send', { args: [{ type: 'pay' }] });
  const explanation = await explained(handle, order);
  expect(explanation).toMatchObject({ status: 'running', state: 'charging' });
  expect(explanation.running).toMatchObject([
    { type: 'activity', id: 'charge', step: 1 },
    { type: 'delay', id: 'patience' },
  ]);
  await worker.stop();
  await handle.signal('send', { type: 'cancel' });
  const waiting = await explainHistory(await handle.fetchHistory(), order);
  expect(waiting.waiting).toHaveLength(1);
  await work();
  await handle.result();
});

describe('what comes in one workflow task is taken in the order in which the workflow took it', () => {
  type Arrival =
    | 'signal'
    | 'hint'
    | 'a'
    | 'b'
    | 'fail b'
    | 'timer'
    | 'work'
    | 'update'
    | 'update to work'
    | 'cancel'
    | 'child';

  /** A run with everything open that could arrive. */
  const beginFor = async (arrivals: readonly Arrival[]): Promise<WorkflowHandle> => {
    const handle = await bench.begin('crowd');
    if (arrivals.includes('timer')) {
      await until(
        'the activities',
        async () => (await countOf(handle, 'activityTaskScheduledEventAttributes')) === 2,
      );
    } else {
      await until('the timer', async () => (await countOf(handle, 'timerFiredEventAttributes')) >= 2);
    }
    await until(
      'the child',
      async () => (await countOf(handle, 'childWorkflowExecutionStartedEventAttributes')) === 1,
    );
    await stateOf(handle);
    return handle;
  };

  /** Lets things arrive while there is no worker; answers the updates, which end only when there is one. */
  const arrive = async (
    handle: WorkflowHandle,
    arrivals: readonly Arrival[],
  ): Promise<readonly Promise<unknown>[]> => {
    const { runId } = await handle.describe();
    const at = { workflowId: handle.workflowId, runId };
    const { activity, workflow } = bench.temporal.client;
    const updates: Promise<unknown>[] = [];
    for (const [index, arrival] of arrivals.entries()) {
      switch (arrival) {
        case 'signal':
          await handle.signal('send', { type: 'note', name: `signal ${index}` });
          break;
        case 'hint':
          await handle.signal('hint', `${index}`);
          break;
        case 'work':
          await handle.signal('send', { type: 'work' });
          break;
        case 'a':
          await activity.complete({ ...at, activityId: '1' }, 'a');
          break;
        case 'b':
          await activity.complete({ ...at, activityId: '2' }, 'b');
          break;
        case 'fail b':
          await activity.fail({ ...at, activityId: '2' }, new Error('unlucky'));
          break;
        case 'timer':
          await until('the timer', async () => (await countOf(handle, 'timerFiredEventAttributes')) >= 1);
          break;
        case 'cancel':
          await handle.cancel();
          break;
        case 'child':
          await workflow.getHandle(`${handle.workflowId}/child/3`).signal('send', { type: 'handOver' });
          break;
        case 'update':
          updates.push(handle.executeUpdate('send', { args: [{ type: 'note', name: `update ${index}` }] }));
          break;
        case 'update to work':
          updates.push(handle.executeUpdate('send', { args: [{ type: 'work' }] }));
          break;
      }
    }
    return updates;
  };

  /** Everything has an answer, so the run rests. */
  const rests = async (handle: WorkflowHandle, arrivals: readonly Arrival[]): Promise<void> =>
    await until('the run to rest', async () => {
      const view = await handle.query<{ state: string; context: { seen: string[] } }>('snapshot');
      return (
        view.state.includes('waiting.sixth') &&
        (arrivals.some((arrival) => arrival.endsWith('work')) ||
          !arrivals.some((arrival) => arrival.endsWith('b')) ||
          view.context.seen.includes('quick'))
      );
    });

  const ARRIVALS: readonly (readonly Arrival[])[] = [
    ['signal', 'a'],
    ['a', 'signal'],
    ['a', 'b', 'timer', 'signal', 'hint'],
    ['timer', 'b', 'a'],
    ['signal', 'timer', 'a', 'b'],
    ['fail b', 'signal', 'timer'],
    ['work', 'b'],
    ['b', 'work', 'timer'],
    ['update', 'signal', 'b', 'timer'],
    ['cancel', 'a', 'signal', 'timer'],
    ['child', 'signal', 'b', 'a'],
    // An update is taken at once, with what follows from it as commands.
    ['update to work', 'update to work'],
    ['signal', 'update to work', 'b', 'update to work', 'timer'],
    ['update', 'b', 'update to work', 'a', 'work'],
  ];

  let handles: readonly WorkflowHandle[];
  beforeAll(async () => {
    handles = await Promise.all(ARRIVALS.map(beginFor));
    await worker.stop();
    const updates: Promise<unknown>[] = [];
    for (const [index, handle] of handles.entries())
      updates.push(...(await arrive(handle, ARRIVALS[index] ?? [])));
    await work();
    await Promise.all(updates);
  });

  test.each(ARRIVALS.map((arrivals) => ({ arrivals, name: arrivals.join(', ') })))(
    '$name',
    async ({ arrivals }) => {
      const handle = handles[ARRIVALS.indexOf(arrivals)];
      if (handle === undefined) throw new Error('there is no such run');
      await rests(handle, arrivals);
      const { steps } = await explained(handle, crowd);
      expect(steps.length).toBeGreaterThan(arrivals.length);
      await handle.terminate();
    },
  );
});

test('a child outlives runs of its parent: each run is explained from what it was given', async () => {
  const handle = await bench.begin('keeper');
  while ((await bench.runsOf(handle)).length < 3) {
    await handle.executeUpdate('send', { args: [{ type: 'tick' }] });
  }
  await handle.executeUpdate('send', { args: [{ type: 'let go' }] });
  expect(await handle.result()).toBe('kept');
  const runs = await bench.runsOf(handle);
  const all = await Promise.all(runs.map(async (run) => await explained(run, keeper)));
  expect(all[0]?.steps[0]).toMatchObject({
    cause: { type: 'start' },
    started: [{ id: 'kept' }, { type: 'delay' }],
  });
  expect(all[1]?.steps[0]?.cause).toMatchObject({
    type: 'continued',
    fromRunId: (await runs[0]?.describe())?.runId,
  });
  expect(all.map(({ status }) => status)).toEqual([
    ...all.slice(1).map(() => 'continued as new'),
    'completed',
  ]);
  expect(all.at(-1)?.steps.at(-1)?.cause).toMatchObject({ type: 'done', actor: { id: 'kept', step: 1 } });
  // The states of all runs follow each other.
  for (const [index, { steps }] of all.slice(1).entries()) {
    expect(steps[0]?.snapshot.context).toEqual(all[index]?.steps.at(-1)?.snapshot.context);
  }
});

test('a history of another machine is told as one, and what is no history is refused', async () => {
  const handle = await bench.begin('parcel', { sku: 'x' });
  await handle.signal('send', { type: 'handOver' });
  await handle.result();
  const history = await handle.fetchHistory();
  const { held, steps } = await explainHistory(history, order);
  expect(steps).toEqual([]);
  expect(held?.reason).toContain('parcel');
  await expect(explainHistory({ events: [] }, order)).rejects.toThrow(HistoryError);
  await expect(explainHistory('nothing', order)).rejects.toThrow(HistoryError);
});
