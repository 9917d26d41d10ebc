import type { Connection } from '@temporalio/client';
import {
  ACTOR_ATTRIBUTES,
  ensureSearchAttributes,
  findActors,
  SearchAttributesError,
  type ActorClient,
  type FoundActor,
} from '../../../statechart/client/index.ts';
import { until } from '../../engine/until.ts';
import { orderMachine, regionsMachine, tickerMachine } from './machines.ts';
import { errorOf, freshId, openWorkshop, type Workshop } from './support.ts';

let workshop: Workshop;
let orders: ActorClient<typeof orderMachine>;
let connection: Connection;

beforeAll(async () => {
  workshop = await openWorkshop();
  connection = workshop.temporal.client.connection as Connection;
  await ensureSearchAttributes(connection);
  orders = workshop.clientOf(orderMachine, 'order', true);
}, 180_000);

afterAll(async () => {
  await workshop.close();
}, 180_000);

const placed = new Date(0);
const start = async (key: string) =>
  await orders.start({ workflowId: freshId('order'), key, input: { id: '7', placed } });

async function idsOf(actors: AsyncIterable<FoundActor>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { workflowId } of actors) ids.push(workflowId);
  return ids.toSorted();
}

test('attributes that exist are registered once more without harm; a wrong type is refused by name', async () => {
  await ensureSearchAttributes(connection, 'default');
  const wrong = { ...ACTOR_ATTRIBUTES, key: ACTOR_ATTRIBUTES.tags };
  const error = await errorOf(
    ensureSearchAttributes(connection, 'default', { ...wrong, states: ACTOR_ATTRIBUTES.machine }),
  );
  expect(error).toBeInstanceOf(SearchAttributesError);
  expect((error as Error).message).toContain('ActorMachine');
});

test('actors are found by machine, state, state around it, tag and key', async () => {
  const key = `o'brien \\ ${freshId('key')}`;
  const [waiting, paid, shipping] = [await start(key), await start(key), await start('another')];
  await paid.sendAndWait({ type: 'pay', amount: 1n, at: placed });
  await shipping.sendAndWait({ type: 'pay', amount: 1n, at: placed });
  await shipping.sendAndWait({ type: 'ship' });
  const both = [waiting.workflowId, paid.workflowId].toSorted();
  await until(async () => (await idsOf(orders.find({ key, state: 'request' }))).length === 2);
  await until(async () => (await idsOf(orders.find({ state: 'shipping' }))).length === 1);
  expect(await idsOf(orders.find({ key }))).toEqual(both);
  expect(await idsOf(orders.find({ tag: 'open' }))).toEqual(both);
  expect(await idsOf(orders.find({ state: 'request.paid', key, status: 'open' }))).toEqual([paid.workflowId]);
  expect(await idsOf(orders.find({ state: 'shipping' }))).toEqual([shipping.workflowId]);
  expect(await idsOf(orders.find({ key: "o'brien" }))).toEqual([]);
  expect(await idsOf(findActors(workshop.temporal.client, { machine: tickerMachine, key }))).toEqual([]);
  for await (const found of orders.find({ key, state: 'request.paid' })) {
    expect(found).toMatchObject({
      workflowId: paid.workflowId,
      workflowType: 'order',
      machine: 'order',
      key,
      states: ['request', 'request.paid'],
      tags: ['open'],
      isHeld: false,
      status: 'RUNNING',
    });
  }
  await shipping.send({ type: 'deliver' });
  await until(async () => (await idsOf(orders.find({ tag: 'closed', status: 'closed' }))).length === 1);
  await Promise.all([waiting.workflow.terminate(), paid.workflow.terminate()]);
});

test('each region of a parallel machine counts', async () => {
  const regions = workshop.clientOf(regionsMachine, 'regions', true);
  const actor = await regions.start({ workflowId: freshId('regions') });
  await actor.sendAndWait({ type: 'next' });
  await until(async () => (await idsOf(regions.find({ state: 'right.y' }))).length === 1);
  expect(await idsOf(regions.find({ state: 'left.b' }))).toEqual([actor.workflowId]);
  expect(await idsOf(regions.find({ state: 'right.x' }))).toEqual([]);
  await actor.workflow.terminate();
});

test('only the newest of an actor’s runs is found, with the key that the first was started with', async () => {
  const tickers = workshop.clientOf(tickerMachine, 'ticker', true);
  const ticker = await tickers.start({ workflowId: freshId('ticker'), key: 'clock' });
  const { runId } = await ticker.describe();
  for (let n = 0; n < 29; n += 1) await ticker.sendAndWait({ type: 'tick' });
  await until(async () => (await idsOf(tickers.find({ key: 'clock', tag: 'many' }))).length === 1);
  for await (const found of tickers.find({ key: 'clock' })) expect(found.runId).not.toBe(runId);
  expect(await idsOf(tickers.find({ key: 'clock', state: 'full' }))).toEqual([ticker.workflowId]);
  await ticker.workflow.terminate();
});
