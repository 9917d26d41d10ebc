import { durable } from '@steadyhand/statechart/workflow';
import { assign, setup } from 'xstate';

export interface Order {
  readonly id: string;
  readonly item: string;
  readonly amount: number;
}

export interface Outcome {
  readonly status: 'delivered' | 'cancelled';
  /** Why it was cancelled. */
  readonly reason: string | null;
}

/**
 * An order in three steps, each with what undoes it. When a step fails for good, or the customer cancels, what was done so far is
 * undone from the last to the first.
 */
export const orderMachine = setup({
  types: {} as {
    input: Order;
    context: { order: Order; receipt: string | null; reason: string | null };
    events: { type: 'cancel' };
    output: Outcome;
  },
  actors: {
    reserve: durable<null, Order>(),
    charge: durable<string, Order>(),
    ship: durable<null, Order>(),
    refund: durable<null, { receipt: string | null }>(),
    release: durable<null, Order>(),
  },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ order: input, receipt: null, reason: null }),
  initial: 'reserving',
  states: {
    reserving: {
      invoke: {
        src: 'reserve',
        input: ({ context }) => context.order,
        onDone: 'charging',
        onError: { target: 'cancelled', actions: assign({ reason: ({ event }) => messageOf(event.error) }) },
      },
    },
    charging: {
      invoke: {
        src: 'charge',
        input: ({ context }) => context.order,
        onDone: { target: 'packing', actions: assign({ receipt: ({ event }) => event.output }) },
        onError: { target: 'releasing', actions: assign({ reason: ({ event }) => messageOf(event.error) }) },
      },
    },
    // A while in which the customer may still think better of it.
    packing: {
      after: { 1000: 'shipping' },
      on: { cancel: { target: 'refunding', actions: assign({ reason: 'the customer cancelled' }) } },
    },
    shipping: {
      invoke: {
        src: 'ship',
        input: ({ context }) => context.order,
        onDone: 'delivered',
        onError: { target: 'refunding', actions: assign({ reason: ({ event }) => messageOf(event.error) }) },
      },
    },
    refunding: {
      tags: 'undoing',
      invoke: { src: 'refund', input: ({ context }) => ({ receipt: context.receipt }), onDone: 'releasing' },
    },
    releasing: {
      tags: 'undoing',
      invoke: { src: 'release', input: ({ context }) => context.order, onDone: 'cancelled' },
    },
    delivered: { type: 'final' },
    cancelled: { type: 'final' },
  },
  output: ({ context: { reason } }) => ({ status: reason === null ? 'delivered' : 'cancelled', reason }),
});

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
