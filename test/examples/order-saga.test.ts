import { shop } from '../../examples/order-saga/activities.ts';
import { orderMachine, type Outcome } from '../../examples/order-saga/machine.ts';
import { testActor } from '../../statechart/client/index.ts';
import { runningExample, send, waitFor } from '../support/example.ts';

const book = { id: '1', item: 'book', amount: 20 };
const calls: string[] = [];
const example = runningExample(
  'order-saga',
  shop((line) => calls.push(line)),
);

beforeEach(() => {
  calls.length = 0;
});

test('whatever fails, exactly what was done is undone, from the last to the first', () => {
  const steps = ['reserve', 'charge', 'ship'];
  for (const broken of steps) {
    const actor = testActor(orderMachine, { input: book });
    const done: string[] = [];
    while (actor.status === 'active') {
      const [running] = actor.running;
      if (running === undefined) actor.advance(1000);
      else if (running.source.name === broken) actor.reject(broken, new Error('broken'));
      else {
        done.push(running.source.name);
        actor.resolve(running.source.name, null);
      }
    }
    const undone = { reserve: [], charge: ['release'], ship: ['refund', 'release'] }[broken];
    expect(done).toEqual([...steps.slice(0, steps.indexOf(broken)), ...(undone ?? [])]);
    expect(actor.output).toEqual({ status: 'cancelled', reason: 'broken' });
  }
});

test('an order goes through', async () => {
  const handle = await example.start('order', book);
  expect(await handle.result()).toEqual({ status: 'delivered', reason: null } satisfies Outcome);
  expect(calls).toEqual(['1 reserve book', '2 charge 20', '3 ship book']);
});

test('a step that never works is tried three times and then undone; a refusal is not tried again', async () => {
  const piano = await example.start('order', { id: '2', item: 'piano', amount: 900 });
  expect(await piano.result()).toEqual({ status: 'cancelled', reason: 'no lorry is free' });
  expect(calls.slice(2)).toEqual([
    '3 ship piano',
    '3 ship piano',
    '3 ship piano',
    '4 refund receipt-900',
    '5 release piano',
  ]);
  calls.length = 0;
  const yacht = await example.start('order', { id: '3', item: 'yacht', amount: 90_000 });
  expect(await yacht.result()).toEqual({ status: 'cancelled', reason: 'the card was declined' });
  expect(calls).toEqual(['1 reserve yacht', '2 charge 90000', '3 release yacht']);
});

test('a customer cancels while the order is packed', async () => {
  const handle = await example.start('order', book);
  await waitFor(handle, { state: 'packing' });
  expect(await send(handle, { type: 'cancel' })).toBe('refunding');
  expect(await handle.result()).toEqual({ status: 'cancelled', reason: 'the customer cancelled' });
});

test('all histories replay', async () => {
  expect(await example.replayAll()).toBe(4);
}, 180_000);
