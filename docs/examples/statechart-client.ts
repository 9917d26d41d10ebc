/* oxlint-disable no-console */
import { Client, Connection } from '@temporalio/client';
import { assign, emit, setup } from 'xstate';
import {
  ActorTimeoutError,
  actorClient,
  ensureSearchAttributes,
  EventNotAcceptedError,
} from '@steadyhand/statechart/client';
import { actorHandle, machineWorkflow } from '@steadyhand/statechart/workflow';

export const orderMachine = setup({
  types: {} as {
    input: { id: string };
    context: { id: string; paid: bigint };
    events: { type: 'pay'; amount: bigint } | { type: 'ship' };
    emitted: { type: 'paid'; amount: bigint };
    output: { paid: bigint };
    tags: 'open';
  },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ id: input.id, paid: 0n }),
  initial: 'request',
  states: {
    request: {
      tags: 'open',
      initial: 'waiting',
      states: {
        waiting: {
          on: {
            pay: {
              target: 'paid',
              actions: [
                assign({ paid: ({ event }) => event.amount }),
                emit(({ event }) => ({ type: 'paid', amount: event.amount })),
              ],
            },
          },
        },
        paid: { on: { ship: '#order.shipped' } },
      },
    },
    shipped: { type: 'final' },
  },
  output: ({ context }) => ({ paid: context.paid }),
});

/** In the worker's workflows: signals and updates of other names become events of the machine. */
export const order = machineWorkflow(orderMachine, {
  signals: { paymentReceived: (cents: string) => ({ type: 'pay', amount: BigInt(cents) }) },
});

/** A workflow that was written by hand. */
export async function clerk(orderId: string): Promise<void> {
  await actorHandle(orderMachine, orderId).send({ type: 'pay', amount: 500n });
}

export async function sellOne(): Promise<bigint> {
  const connection = await Connection.connect();
  await ensureSearchAttributes(connection, 'default');
  const client = new Client({ connection });
  const orders = actorClient(orderMachine, client, {
    workflowType: 'order',
    taskQueue: 'orders',
    attributes: true,
  });

  const actor = await orders.start({ workflowId: 'order-7', key: 'customer-12', input: { id: '7' } });
  try {
    const { state, tags } = await actor.sendAndWait({ type: 'pay', amount: 500n });
    console.log(state, tags); // request.paid [ 'open' ]
  } catch (error) {
    if (!(error instanceof EventNotAcceptedError)) throw error;
  }
  try {
    await actor.waitFor('request.paid', { timeout: 60_000 });
    await actor.waitFor(({ context }) => context.paid >= 500n, { timeout: 60_000 });
  } catch (error) {
    if (error instanceof ActorTimeoutError) await actor.cancel();
    throw error;
  }
  for await (const { workflowId, states } of orders.find({ state: 'request', key: 'customer-12' })) {
    console.log(workflowId, states);
  }
  await actor.send({ type: 'ship' });
  for await (const change of actor.subscribe({ from: 0 })) {
    if (change.type === 'state') console.log(change.seq, change.state);
    if (change.type === 'emitted') console.log(change.seq, change.event.amount);
  }
  const { paid } = await actor.result();
  return paid;
}
