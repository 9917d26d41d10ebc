import type { ActorChange, ActorClient } from '../../../statechart/client/index.ts';
import { orderMachine, tickerMachine } from './machines.ts';
import { errorOf, freshId, openWorkshop, type Workshop } from './support.ts';

let workshop: Workshop;
let orders: ActorClient<typeof orderMachine>;
let tickers: ActorClient<typeof tickerMachine>;

beforeAll(async () => {
  workshop = await openWorkshop();
  orders = workshop.clientOf(orderMachine, 'order');
  tickers = workshop.clientOf(tickerMachine, 'ticker');
}, 180_000);

afterAll(async () => {
  await workshop.close();
}, 180_000);

const placed = new Date(0);
const start = async () => await orders.start({ workflowId: freshId('order'), input: { id: '7', placed } });
const poll = { least: 10, most: 100 };

const shown = (change: ActorChange<typeof orderMachine>): unknown =>
  change.type === 'state' ? change.state : change.type === 'emitted' ? change.event : change.type;

async function allOf<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of iterable) all.push(one);
  return all;
}

test('states and emitted events come in order, and the iteration ends with the machine', async () => {
  const order = await start();
  const seen: unknown[] = [];
  for await (const change of order.subscribe({ poll })) {
    seen.push(shown(change));
    if (change.type !== 'state') continue;
    if (change.matches('request.waiting')) await order.send({ type: 'pay', amount: 4n, at: placed });
    if (change.matches('request.paid')) await order.send({ type: 'ship' });
    if (change.matches('shipping')) await order.send({ type: 'deliver' });
  }
  expect(seen).toEqual(['request.waiting', 'request.paid', { type: 'paid', amount: 4n }, 'shipping', 'done']);
});

test('a subscriber goes on where another stopped, and one that comes late sees the state alone', async () => {
  const order = await start();
  await order.sendAndWait({ type: 'pay', amount: 4n, at: placed });
  const first: ActorChange<typeof orderMachine>[] = [];
  for await (const change of order.subscribe({ from: 0, poll })) {
    first.push(change);
    if (change.type === 'emitted') break;
  }
  expect(first.map(shown)).toEqual(['request.waiting', 'request.paid', { type: 'paid', amount: 4n }]);
  const late = await order.subscribe({ poll }).next();
  expect(late.done === false ? shown(late.value) : undefined).toBe('request.paid');
  await order.sendAndWait({ type: 'ship' });
  await order.send({ type: 'deliver' });
  await order.result();
  expect((await allOf(order.subscribe({ from: first.at(-1)?.seq ?? 0, poll }))).map(shown)).toEqual([
    'shipping',
    'done',
  ]);
  // All was seen before.
  expect(await allOf(order.subscribe({ from: 5, poll }))).toEqual([]);
});

test('it leaves no trace in the history', async () => {
  const order = await start();
  await order.waitFor('request');
  const { historyLength } = await order.describe();
  const giveUp = new AbortController();
  const all = errorOf(
    allOf(order.subscribe({ from: 0, signal: giveUp.signal, poll: { least: 1, most: 5 } })),
  );
  for (let n = 0; n < 20; n += 1) await order.subscribe({ poll }).next();
  giveUp.abort(new Error('seen enough'));
  expect(await all).toMatchObject({ message: 'seen enough' });
  expect((await order.describe()).historyLength).toBe(historyLength);
  await order.workflow.terminate();
});

test('it goes on through continue-as-new and misses nothing', async () => {
  const ticker = await tickers.start({ workflowId: freshId('ticker') });
  const { runId } = await ticker.describe();
  const watching = allOf(ticker.subscribe({ from: 0, poll }));
  for (let n = 0; n < 29; n += 1) await ticker.sendAndWait({ type: 'tick' });
  expect((await ticker.describe()).runId).not.toBe(runId);
  await ticker.send({ type: 'end' });
  const changes = await watching;
  expect(changes.map(({ seq }) => seq)).toEqual(changes.map((_, index) => index + 1));
  expect(changes.filter((change) => change.type === 'state').map(({ state }) => state)).toEqual([
    ...Array.from({ length: 29 }, (_, index) => (index % 2 === 0 ? 'even' : 'odd')),
    'full',
    'over',
  ]);
});

test('what is no longer kept is said to be lost', async () => {
  const ticker = await tickers.start({ workflowId: freshId('ticker') });
  await ticker.waitFor('even');
  const changes = ticker.subscribe({ from: 900, poll });
  expect((await changes.next()).value).toEqual({ type: 'lost', seq: 0 });
  expect((await changes.next()).value).toMatchObject({ type: 'state', state: 'even', seq: 1 });
  await changes.return();
  await ticker.workflow.terminate();
});

test('after the last change it throws why an actor has ended before its machine', async () => {
  const failed = await start();
  await failed.send({ type: 'lose' });
  expect(await errorOf(allOf(failed.subscribe({ poll })))).toMatchObject({
    name: 'ActorFailedError',
    cause: { name: 'RangeError', code: 'LOST' },
  });
  const cancelled = await start();
  const watching = errorOf(allOf(cancelled.subscribe({ poll })));
  await cancelled.cancel();
  expect(await watching).toMatchObject({ name: 'ActorEndedError', status: 'CANCELLED' });
});
