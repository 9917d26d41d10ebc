/**
 * What the types of machines let through and what they refuse. The compiler checks this file (`tsc -b`); nothing runs it.
 * A line after `@ts-expect-error` that compiles is an error.
 */
import type { Client } from '@temporalio/client';
import { assign, createMachine, setup, type AnyStateMachine } from 'xstate';
import { actorClient, findActors, testActor, type ActorChange } from '../../statechart/client/index.ts';
import {
  activity,
  actorHandle,
  durable,
  inProcess,
  machineWorkflow,
} from '../../statechart/workflow/index.ts';

const quick = { startToCloseTimeout: '1 minute' } as const;

const packingMachine = setup({
  types: {} as { events: { type: 'packed' } },
  actors: { weigh: durable<number, void>() },
}).createMachine({
  id: 'packing',
  initial: 'open',
  states: { open: { on: { packed: 'closed' } }, closed: { type: 'final' } },
});

const orderMachine = setup({
  types: {} as {
    input: { id: string };
    context: { id: string; total: bigint; placed: Date };
    events: { type: 'pay'; amount: bigint } | { type: 'cancel'; reason?: string };
    emitted: { type: 'charged'; receipt: string };
    output: { receipt: string };
    tags: 'open' | 'closed';
  },
  actors: { charge: durable<{ receipt: string }, { order: string }>(), pack: packingMachine },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ id: input.id, total: 0n, placed: new Date() }),
  initial: 'request',
  states: {
    request: {
      tags: 'open',
      initial: 'waiting',
      states: {
        waiting: {
          on: { pay: { target: 'paying', actions: assign({ total: ({ event }) => event.amount }) } },
        },
        paying: {},
      },
    },
    shipping: { type: 'parallel', states: { box: { initial: 'empty', states: { empty: {} } }, label: {} } },
    done: { type: 'final', tags: 'closed' },
  },
  output: { receipt: 'r' },
});

const loose = createMachine({ id: 'loose', initial: 'a', states: { a: {} } });

declare const client: Client;

export async function clients(): Promise<void> {
  const orders = actorClient(orderMachine, client, { workflowType: 'order', taskQueue: 'orders' });
  const order = await orders.start({ workflowId: 'order-7', input: { id: '7' } });
  // @ts-expect-error a machine with an input needs one
  await orders.start({ workflowId: 'order-7' });
  // @ts-expect-error a wrong input
  await orders.start({ workflowId: 'order-7', input: { id: 7 } });
  await orders.start({
    workflowId: 'order-7',
    input: { id: '7' },
    // @ts-expect-error an unknown option
    workflowIdReusePolice: 'REJECT_DUPLICATE',
  });
  await orders.signalWithStart({ workflowId: 'o', input: { id: '7' }, event: { type: 'cancel' } });
  // @ts-expect-error a misspelt event
  await orders.signalWithStart({ workflowId: 'o', input: { id: '7' }, event: { type: 'cancle' } });

  await order.send({ type: 'pay', amount: 5n });
  // @ts-expect-error a misspelt event
  await order.send({ type: 'pya', amount: 5n });
  // @ts-expect-error a wrong payload
  await order.send({ type: 'pay', amount: 5 });
  // @ts-expect-error a payload that is missing
  await order.sendAndWait({ type: 'pay' });
  // @ts-expect-error a misspelt event
  await order.sendAndWait({ type: 'cancle' });

  const state = await order.sendAndWait({ type: 'cancel', reason: 'late' });
  state.matches('request.waiting');
  // @ts-expect-error an unknown state
  state.matches('request.waitin');
  state.hasTag('open');
  // @ts-expect-error an unknown tag
  state.hasTag('opne');
  // @ts-expect-error the answer has no context
  String(state.context);

  await order.waitFor('request');
  await order.waitFor('request.paying', { timeout: 1000 });
  await order.waitFor('shipping.box.empty');
  await order.waitFor({ state: 'shipping.label' });
  await order.waitFor({ tag: 'closed' });
  await order.waitFor({ status: 'done' });
  // @ts-expect-error an unknown state
  await order.waitFor('requests');
  // @ts-expect-error a state of another state
  await order.waitFor('shipping.waiting');
  // @ts-expect-error an unknown state
  await order.waitFor({ state: 'paying' });
  // @ts-expect-error an unknown tag
  await order.waitFor({ tag: 'request' });
  // @ts-expect-error an unknown status
  await order.waitFor({ status: 'ready' });
  const paid = await order.waitFor(({ context }) => context.total > 0n);
  paid.context.placed.getTime();
  // @ts-expect-error an unknown field of the context
  await order.waitFor(({ context }) => context.totle > 0n);

  const { context, value, output, events } = await order.snapshot();
  const total: bigint = context.total;
  const receipt: string | undefined = output?.receipt;
  const isPaying: boolean =
    value === 'done' || (typeof value === 'object' && 'request' in value && value.request === 'paying');
  const next: readonly ('pay' | 'cancel' | 'xstate.route')[] = events;
  // @ts-expect-error an unknown field of the context
  String(context.totals);
  // @ts-expect-error an unknown value
  String(value === 'dnoe');
  const legal: readonly ('pay' | 'cancel')[] = await order.legalEvents();
  const result: { receipt: string } = await order.result();
  // @ts-expect-error the output has no such field
  String(result.receit);
  use(total, receipt, isPaying, next, legal);

  for await (const change of order.subscribe({ from: 3 })) seen(change);
  // @ts-expect-error the cursor is a number
  order.subscribe({ from: 'start' });

  order.ref.send({ type: 'cancel' });
  // @ts-expect-error a misspelt event
  order.ref.send({ type: 'cancle' });

  orders.find({ state: 'request.paying', tag: 'open', key: '7', status: 'open' });
  // @ts-expect-error an unknown state
  orders.find({ state: 'paying' });
  findActors(client, { machine: orderMachine, tag: 'closed' });
  // @ts-expect-error an unknown tag
  findActors(client, { machine: orderMachine, tag: 'close' });
  findActors(client, { key: '7' });

  const looses = actorClient(loose, client, { workflowType: 'loose', taskQueue: 'q' });
  const free = await looses.start({ workflowId: 'l' });
  await free.send({ type: 'anything' });
  await free.waitFor('anything');
  // @ts-expect-error the task queue is missing
  actorClient(loose, client, { workflowType: 'loose' });
}

function seen(change: ActorChange<typeof orderMachine>): void {
  if (change.type === 'state') change.matches('done');
  if (change.type === 'emitted') use(change.event.receipt);
  // @ts-expect-error only an emitted event has one
  if (change.type === 'state') use(change.event);
  // @ts-expect-error the emitted event has no such field
  if (change.type === 'emitted') use(change.event.receit);
}

export function workflows(any: AnyStateMachine): void {
  machineWorkflow(orderMachine, {
    actors: { charge: activity('charge', quick), pack: inProcess({ weigh: activity('weigh', quick) }) },
    signals: { paid: (amount: string) => ({ type: 'pay', amount: BigInt(amount) }) },
    updates: { abandon: () => ({ type: 'cancel' }) },
    migrate: {
      states: { 'asked.idle': 'request.waiting' },
      context: (context) => ({ ...(context as { id: string; placed: Date }), total: 0n }),
    },
  });
  machineWorkflow(orderMachine, {
    actors: { '*': activity('any', quick), charge: activity('charge', quick) },
  });
  // @ts-expect-error a misspelt source
  machineWorkflow(orderMachine, { actors: { chrage: activity('charge', quick) } });
  // @ts-expect-error a misspelt source beside others
  machineWorkflow(orderMachine, { actors: { '*': activity('any', quick), chrage: activity('a', quick) } });
  // @ts-expect-error a source of a machine within it
  machineWorkflow(orderMachine, { actors: { weigh: activity('weigh', quick) } });
  // @ts-expect-error a misspelt source of a machine within it
  machineWorkflow(orderMachine, { actors: { pack: inProcess({ wiegh: activity('weigh', quick) }) } });
  // @ts-expect-error a signal that makes no event of the machine
  machineWorkflow(orderMachine, { signals: { paid: () => ({ type: 'payed' }) } });
  // @ts-expect-error an update that makes an event with a wrong payload
  machineWorkflow(orderMachine, { updates: { paid: (amount: number) => ({ type: 'pay', amount }) } });
  // @ts-expect-error a migration to an unknown state
  machineWorkflow(orderMachine, { migrate: { states: { asked: 'requested' } } });
  // @ts-expect-error a migration that forgets a field of the context
  machineWorkflow(orderMachine, { migrate: { context: () => ({ id: '', total: 0n }) } });
  machineWorkflow(packingMachine, { actors: { weigh: activity('weigh', quick) } });
  machineWorkflow(any, { actors: { anything: activity('a', quick) } });
  machineWorkflow(loose, { actors: { anything: activity('a', quick) } });
}

export async function fromWorkflows(): Promise<void> {
  const order = actorHandle(orderMachine, 'order-7');
  await order.send({ type: 'pay', amount: 1n });
  // @ts-expect-error a misspelt event
  await order.send({ type: 'pey', amount: 1n });
  // @ts-expect-error a wrong payload
  await order.send({ type: 'pay', amount: 1 });
}

export function tests(): void {
  const actor = testActor(orderMachine, {
    input: { id: '7' },
    scripts: { charge: () => ({ receipt: 'r' }) },
  });
  // @ts-expect-error a wrong input
  testActor(orderMachine, { input: { id: 7 } });
  // @ts-expect-error a misspelt source
  testActor(orderMachine, { input: { id: '7' }, scripts: { chrage: () => ({ receipt: 'r' }) } });
  const total: bigint = actor.context.total;
  const receipt: string | undefined = actor.output?.receipt;
  const emitted: readonly { readonly type: 'charged'; readonly receipt: string }[] = actor.emitted;
  actor.send({ type: 'pay', amount: 1n });
  // @ts-expect-error a misspelt event
  actor.send({ type: 'pyy' });
  // @ts-expect-error an unknown field of the context
  String(actor.context.totle);
  // @ts-expect-error an unknown field of the output
  String(actor.output?.receit);
  use(total, receipt, emitted);
}

function use(...values: readonly unknown[]): void {
  void values;
}
