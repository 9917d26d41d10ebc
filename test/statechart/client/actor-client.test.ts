import {
  ActorEndedError,
  ActorFailedError,
  ActorNotFoundError,
  ActorStuckError,
  ActorTimeoutError,
  DataError,
  EventInvalidError,
  EventNotAcceptedError,
  type ActorClient,
} from '../../../statechart/client/index.ts';
import { until } from '../../engine/until.ts';
import { buyerMachine, orderMachine, regionsMachine, tickerMachine } from './machines.ts';
import { errorOf, freshId, openWorkshop, type Workshop } from './support.ts';

let workshop: Workshop;
let orders: ActorClient<typeof orderMachine>;

beforeAll(async () => {
  workshop = await openWorkshop();
  orders = workshop.clientOf(orderMachine, 'order');
}, 180_000);

afterAll(async () => {
  await workshop.close();
}, 180_000);

const placed = new Date('2026-01-02T03:04:05.678Z');
const start = async () => await orders.start({ workflowId: freshId('order'), input: { id: '7', placed } });

describe('starting', () => {
  test('input, events, context, output and emitted events keep their kinds', async () => {
    const order = await start();
    const paid = await order.sendAndWait({ type: 'pay', amount: 5n, at: new Date() });
    expect(paid).toMatchObject({
      value: { request: 'paid' },
      state: 'request.paid',
      status: 'active',
      tags: ['open'],
    });
    expect([paid.matches('request'), paid.hasTag('open'), paid.hasTag('closed')]).toEqual([
      true,
      true,
      false,
    ]);
    await order.send({ type: 'add', name: 'pear', count: 2 });
    const snapshot = await order.waitFor(({ context }) => context.lines.size === 1);
    expect(snapshot.context).toEqual({
      id: '7',
      placed,
      total: 5n,
      lines: new Map([['pear', 2]]),
      buyer: null,
    });
    expect(await order.legalEvents()).toEqual(['ship', 'add', 'introduce', 'greet', 'lose']);
    await order.sendAndWait({ type: 'ship' });
    await order.send({ type: 'deliver' });
    expect(await order.result()).toEqual({ total: 5n, lines: new Map([['pear', 2]]) });
    expect(await order.snapshot()).toMatchObject({ status: 'done', output: { total: 5n }, tags: ['closed'] });
  });

  test('signalWithStart starts an actor once and sends each event', async () => {
    const options = { workflowId: freshId('order'), input: { id: '8', placed } };
    await orders.signalWithStart({ ...options, event: { type: 'add', name: 'fig', count: 1 } });
    const order = await orders.signalWithStart({
      ...options,
      event: { type: 'pay', amount: 3n, at: placed },
    });
    await order.waitFor('request.paid');
    expect((await order.snapshot()).context).toMatchObject({ total: 3n, lines: new Map([['fig', 1]]) });
    await order.workflow.terminate();
  });

  test('what cannot be kept is refused before it is sent', async () => {
    const order = await start();
    const event = { type: 'introduce', buyer: (() => undefined) as never } as const;
    expect(await errorOf(order.send(event))).toBeInstanceOf(DataError);
    await order.workflow.terminate();
  });
});

describe('references', () => {
  test('a reference goes with an event, and a reference in a context takes events', async () => {
    const buyers = workshop.clientOf(buyerMachine, 'buyer');
    const buyer = await buyers.start({ workflowId: freshId('buyer') });
    const order = await start();
    await order.sendAndWait({ type: 'introduce', buyer: buyer.ref });
    await order.send({ type: 'greet' });
    expect((await buyer.waitFor('greeted')).state).toBe('greeted');
    const { context } = await order.snapshot();
    context.buyer?.send({ type: 'hello', from: 'client' });
    buyer.ref.send({ type: 'hello', from: 'nobody listens any more' });
    expect((await buyer.snapshot()).context.heard).toEqual(['order']);
    await Promise.all([order.workflow.terminate(), buyer.workflow.terminate()]);
  });

  test('a reference to an actor within the machine reaches that one', async () => {
    const regions = await workshop
      .clientOf(regionsMachine, 'regions')
      .start({ workflowId: freshId('regions') });
    const { context, actors } = await regions.snapshot();
    expect(actors).toEqual([]);
    context.kid.send({ type: 'hello', from: 'client' });
    await until(async () => (await regions.describe()).historyLength > 5);
    const both = await regions.sendAndWait({ type: 'next' });
    expect([both.state, both.matches('right.y'), both.matches('right.x')]).toEqual([
      'left.b, right.y',
      true,
      false,
    ]);
    await regions.workflow.terminate();
  });
});

describe('refusals', () => {
  test('an event without a transition, a guarded one, a reserved one', async () => {
    const order = await start();
    expect(await errorOf(order.sendAndWait({ type: 'deliver' }))).toMatchObject({
      name: 'EventNotAcceptedError',
      eventType: 'deliver',
      workflowId: order.workflowId,
    });
    const free = order.sendAndWait({ type: 'pay', amount: 0n, at: placed });
    expect(await errorOf(free)).toBeInstanceOf(EventNotAcceptedError);
    const reserved = order.sendAndWait({ type: 'xstate.stop' } as never);
    expect(await errorOf(reserved)).toBeInstanceOf(EventInvalidError);
    await order.send({ type: 'xstate.stop' } as never);
    await until(async () => (await order.snapshot()).refused?.count === 1);
    await order.workflow.terminate();
  });

  test('a machine that fails tells what it threw: to whoever sent, waits, and asks later', async () => {
    const order = await start();
    const waiting = errorOf(order.waitFor('done'));
    const thrown = {
      name: 'RangeError',
      message: 'lost on the way',
      code: 'LOST',
      cause: new Error('the van'),
    };
    const errors = [
      await errorOf(order.sendAndWait({ type: 'lose' })),
      await waiting,
      await errorOf(order.result()),
      await errorOf(order.send({ type: 'lose' })),
      await errorOf(order.waitFor(({ context }) => context.total > 9n)),
    ];
    for (const error of errors) {
      expect(error).toBeInstanceOf(ActorFailedError);
      expect((error as ActorFailedError).cause).toBeInstanceOf(RangeError);
      expect((error as ActorFailedError).cause).toMatchObject(thrown);
    }
    expect(await order.snapshot()).toMatchObject({
      status: 'error',
      error: { name: 'RangeError', message: 'lost on the way' },
    });
  });

  test('an actor that never was, and one that has ended', async () => {
    const nobody = orders.get(freshId('nobody'));
    for (const question of [
      nobody.send({ type: 'ship' }),
      nobody.sendAndWait({ type: 'ship' }),
      nobody.snapshot(),
      nobody.waitFor('done'),
      nobody.result(),
      nobody.cancel(),
      nobody.describe(),
      nobody.subscribe().next(),
    ]) {
      expect(await errorOf(question)).toBeInstanceOf(ActorNotFoundError);
    }
    const cancelled = await start();
    const waiting = errorOf(cancelled.waitFor('done'));
    await cancelled.cancel();
    const errors = [
      await waiting,
      await errorOf(cancelled.result()),
      await errorOf(cancelled.sendAndWait({ type: 'ship' })),
      await errorOf(cancelled.waitFor('done')),
      await errorOf(cancelled.waitFor(({ state }) => state === 'done')),
    ];
    for (const error of errors) expect(error).toMatchObject({ name: 'ActorEndedError', status: 'CANCELLED' });
    const terminated = await start();
    await terminated.workflow.terminate();
    expect(await errorOf(terminated.result())).toBeInstanceOf(ActorEndedError);
  });

  test('one whose workflow tasks fail: whoever asks, sends or waits is told why', async () => {
    const broken = await workshop
      .clientOf(orderMachine, 'broken')
      .start({ workflowId: freshId('broken'), input: { id: '1', placed } });
    // They ask while the first attempts fail, and after that.
    const first = await Promise.all([broken.snapshot(), broken.waitFor('done')].map(errorOf));
    for (const error of [...first, await errorOf(broken.sendAndWait({ type: 'ship' }))]) {
      expect(error).toBeInstanceOf(ActorStuckError);
      expect(error).toMatchObject({
        message: `the workflow tasks of the actor '${broken.workflowId}' fail: the table of prices is gone`,
        cause: { message: 'the table of prices is gone' },
      });
    }
    await broken.send({ type: 'ship' });
    await broken.workflow.terminate();
  });
});

/** Of the events that come after the last one that is taken. */
const unlessRefused = (error: unknown): void => {
  if (!(error instanceof EventNotAcceptedError)) throw error;
};

describe('waiting', () => {
  test('for a state, a tag, the end; at once where it is so already', async () => {
    const order = await start();
    const [paid, shipping, done] = [
      order.waitFor('request.paid'),
      order.waitFor({ state: 'shipping' }),
      order.waitFor({ tag: 'closed' }),
    ];
    const ended = order.waitFor({ status: 'done' });
    expect((await order.waitFor({ tag: 'open' })).state).toBe('request.waiting');
    await order.sendAndWait({ type: 'pay', amount: 1n, at: placed });
    expect((await paid).state).toBe('request.paid');
    await order.sendAndWait({ type: 'ship' });
    expect((await shipping).state).toBe('shipping');
    await order.send({ type: 'deliver' });
    expect([(await done).state, (await ended).status]).toEqual(['done', 'done']);
    // The workflow is closed by now.
    await order.result();
    expect(await errorOf(order.waitFor('shipping'))).toMatchObject({
      name: 'ActorEndedError',
      status: 'COMPLETED',
    });
  });

  test('an end to waiting leaves room on the server', async () => {
    const order = await start();
    for (const wanted of ['shipping', ({ state }: { state: string }) => state === 'shipping'] as const) {
      const error = await errorOf(order.waitFor(wanted as 'shipping', { timeout: 150 }));
      expect(error).toBeInstanceOf(ActorTimeoutError);
      expect(error).toMatchObject({ timeout: 150, workflowId: order.workflowId });
    }
    expect(await errorOf(order.result({ timeout: 100 }))).toBeInstanceOf(ActorTimeoutError);
    const giveUp = new AbortController();
    const given = errorOf(order.waitFor('shipping', { signal: giveUp.signal }));
    giveUp.abort(new Error('enough'));
    expect(await given).toMatchObject({ message: 'enough' });
    await order.workflow.terminate();
  });

  test('more who wait than the server takes updates: the others ask, and events get through', async () => {
    const order = await start();
    const waiting = Array.from({ length: 25 }, async () => await order.waitFor('shipping'));
    // Another client does not know how many wait here.
    const others = workshop.clientOf(orderMachine, 'order').get(order.workflowId);
    const further = Array.from({ length: 8 }, async () => await others.waitFor('shipping'));
    await order.sendAndWait({ type: 'pay', amount: 1n, at: placed });
    await order.send({ type: 'ship' });
    const states = await Promise.all([...waiting, ...further]);
    expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['shipping']));
    await order.workflow.terminate();
  });

  test('it goes on through continue-as-new, and many events at a time find their way', async () => {
    const ticker = await workshop.clientOf(tickerMachine, 'ticker').start({ workflowId: freshId('ticker') });
    const full = ticker.waitFor('full');
    const many = ticker.waitFor({ tag: 'many' });
    await Promise.all(
      Array.from({ length: 30 }, async () => await ticker.sendAndWait({ type: 'tick' }).catch(unlessRefused)),
    );
    expect((await full).state).toBe('full');
    expect((await many).state).toBe('full');
    expect((await ticker.describe()).raw.workflowExtendedInfo?.originalStartTime).toBeDefined();
    await ticker.send({ type: 'end' });
    expect(await ticker.result()).toBeGreaterThanOrEqual(29);
  });
});
