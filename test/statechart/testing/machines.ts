import { assign, emit, fromPromise, setup } from 'xstate';
import { activity, machineWorkflow } from '../../../statechart/workflow/index.ts';

const never = <TOutput, TInput>(): ReturnType<typeof fromPromise<TOutput, TInput>> =>
  fromPromise<TOutput, TInput>(() => Promise.reject(new Error('an activity')));

/** An order that charges, ships, and gives the money back when it cannot ship. */
export const orderMachine = setup({
  types: {} as {
    input: { id: string };
    context: { id: string; receipt: string | null; problem: unknown; at: Date };
    events: { type: 'pay' } | { type: 'cancel' };
    emitted: { type: 'paid'; receipt: string };
    output: { id: string; how: string };
  },
  actors: {
    charge: never<string, { id: string; at: Date }>(),
    ship: never<string, { receipt: string | null }>(),
    refund: never<null, { receipt: string | null }>(),
  },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ id: input.id, receipt: null, problem: null, at: new Date(1000) }),
  initial: 'open',
  states: {
    open: { on: { pay: 'charging', cancel: 'cancelled' }, after: { 60_000: 'cancelled' } },
    charging: {
      invoke: {
        id: 'charge',
        src: 'charge',
        input: ({ context }) => ({ id: context.id, at: context.at }),
        onDone: {
          target: 'shipping',
          actions: [
            assign({ receipt: ({ event }) => event.output }),
            emit(({ event }) => ({ type: 'paid', receipt: event.output })),
          ],
        },
        onError: { target: 'cancelled', actions: assign({ problem: ({ event }) => event.error }) },
      },
    },
    shipping: {
      invoke: {
        id: 'ship',
        src: 'ship',
        input: ({ context }) => ({ receipt: context.receipt }),
        onDone: 'resting',
        onError: { target: 'refunding', actions: assign({ problem: ({ event }) => event.error }) },
      },
      on: { cancel: 'refunding' },
    },
    refunding: {
      invoke: {
        id: 'refund',
        src: 'refund',
        input: ({ context }) => ({ receipt: context.receipt }),
        onDone: 'cancelled',
        onError: 'cancelled',
      },
    },
    // A loaded machine needs a while to see a state before it is left.
    resting: { after: { 3000: 'almost' } },
    almost: { after: { 3000: 'done' } },
    cancelled: { type: 'final' },
    done: { type: 'final' },
  },
  output: ({ context }) => ({ id: context.id, how: context.problem === null ? 'well' : 'badly' }),
});

const options = { startToCloseTimeout: '30s' } as const;
export const order = machineWorkflow(orderMachine, {
  actors: {
    charge: activity('charge', options),
    ship: activity('ship', options),
    refund: activity('refund', options),
  },
});

/** A lamp with a counter, for paths: no sources. */
export const lampMachine = setup({
  types: {} as { context: { turns: number }; events: { type: 'on' } | { type: 'off' } | { type: 'break' } },
  actions: { turn: assign({ turns: ({ context }) => context.turns + 1 }) },
}).createMachine({
  id: 'lamp',
  context: { turns: 0 },
  initial: 'dark',
  states: {
    dark: {
      on: {
        on: [{ guard: ({ context }) => context.turns < 2, target: 'bright', actions: 'turn' }, 'worn'],
      },
    },
    bright: { on: { off: 'dark', break: 'worn' }, after: { 2500: 'dim' } },
    dim: { on: { off: 'dark' } },
    worn: { type: 'final' },
  },
});
export const lamp = machineWorkflow(lampMachine);
