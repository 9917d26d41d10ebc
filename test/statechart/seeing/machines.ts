import { assign, cancel, emit, fromPromise, raise, sendTo, setup } from 'xstate';
import {
  activity,
  childMachine,
  durable,
  inProcess,
  localActivity,
  machineWorkflow,
} from '../../../statechart/workflow/index.ts';

const options = { startToCloseTimeout: '1 minute', retry: { maximumAttempts: 1 } } as const;

/** An order: named guards and actions, an activity that may fail, a reminder, a child machine, an emitted event. */
export const orderMachine = setup({
  types: {} as {
    input: { amount: number };
    context: { amount: number; at: Date; receipt: string | null; lines: { sku: string; n: number }[] };
    events: { type: 'add'; sku: string } | { type: 'pay' } | { type: 'cancel' } | { type: 'ship' };
    emitted: { type: 'reminded'; amount: number };
    output: { receipt: string | null };
  },
  actors: { charge: durable<string, { amount: number }>(), parcel: durable<string, { sku: string }>() },
  guards: { isPayable: ({ context }) => context.amount > 0 },
  actions: {
    remind: emit(({ context }) => ({ type: 'reminded' as const, amount: context.amount })),
    audit: () => undefined,
  },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ amount: input.amount, at: new Date(), receipt: null, lines: [] }),
  initial: 'open',
  states: {
    open: {
      on: {
        add: {
          actions: assign({
            lines: ({ context, event }) => [...context.lines, { sku: event.sku, n: 1 }],
            at: () => new Date(),
          }),
        },
        pay: { guard: 'isPayable', target: 'charging', actions: 'audit' },
        cancel: 'cancelled',
      },
      after: { 60_000: { actions: 'remind' } },
    },
    charging: {
      entry: raise({ type: 'cancel' }, { delay: 50_000, id: 'patience' }),
      exit: cancel('patience'),
      invoke: {
        id: 'charge',
        src: 'charge',
        input: ({ context }) => ({ amount: context.amount }),
        onDone: { target: 'shipping', actions: assign({ receipt: ({ event }) => event.output }) },
        onError: 'declined',
      },
      on: { cancel: 'cancelled' },
    },
    shipping: {
      invoke: {
        id: 'parcel',
        src: 'parcel',
        input: ({ context }) => ({ sku: context.lines[0]?.sku ?? '' }),
        onDone: 'shipped',
        onError: 'declined',
      },
      on: { ship: { actions: sendTo('parcel', { type: 'handOver' }) }, cancel: 'cancelled' },
    },
    shipped: { type: 'final' },
    declined: { type: 'final' },
    cancelled: { type: 'final' },
  },
  output: ({ context }) => ({ receipt: context.receipt }),
});

export const parcelMachine = setup({
  types: {} as {
    input: { sku: string };
    context: { sku: string };
    events: { type: 'handOver' };
    output: string;
  },
}).createMachine({
  id: 'parcel',
  context: ({ input }) => ({ sku: input.sku }),
  initial: 'packed',
  states: { packed: { on: { handOver: 'gone' } }, gone: { type: 'final' } },
  output: ({ context }) => context.sku,
});

export const order = machineWorkflow(orderMachine, {
  actors: { charge: activity('charge', options), parcel: childMachine('parcel') },
});
export const parcel = machineWorkflow(parcelMachine);

/** Notes everything in the order in which it comes, and starts an actor for some of it. */
const crowdMachine = setup({
  types: {} as {
    context: { seen: string[]; n: number };
    events: { type: 'note'; name: string } | { type: 'work' } | { type: 'workflow.cancel' } | { type: 'end' };
    output: string[];
  },
  actors: {
    later: durable<string, { name: string }>(),
    quick: durable<string, null>(),
    peek: durable<string, null>(),
    inside: fromPromise<string, null>(async () => {
      await Promise.resolve();
      return 'inside';
    }),
    parcel: durable<string, { sku: string }>(),
  },
  actions: {
    see: assign({ seen: ({ context }, params: { name: string }) => [...context.seen, params.name] }),
  },
}).createMachine({
  id: 'crowd',
  context: { seen: [], n: 0 },
  type: 'parallel',
  states: {
    waiting: {
      initial: 'first',
      states: {
        first: {
          after: { 1500: { target: 'second', actions: { type: 'see', params: { name: 'timer' } } } },
        },
        second: {
          after: { 0: { target: 'third', actions: { type: 'see', params: { name: 'at once' } } } },
          invoke: {
            src: 'quick',
            input: null,
            onDone: { actions: { type: 'see', params: { name: 'never' } } },
          },
        },
        third: {
          invoke: {
            src: 'peek',
            input: null,
            onDone: { target: 'fourth', actions: { type: 'see', params: { name: 'peeked' } } },
          },
        },
        fourth: {
          invoke: {
            src: 'inside',
            input: null,
            onDone: { target: 'fifth', actions: { type: 'see', params: { name: 'inside' } } },
          },
        },
        fifth: {
          after: { 20: { target: 'sixth', actions: { type: 'see', params: { name: 'last timer' } } } },
        },
        sixth: {},
      },
    },
    first: {
      invoke: {
        id: 'a',
        src: 'later',
        input: { name: 'a' },
        onDone: { actions: { type: 'see', params: ({ event }) => ({ name: event.output }) } },
        onError: { actions: { type: 'see', params: { name: 'a failed' } } },
      },
    },
    second: {
      initial: 'working',
      states: {
        working: {
          invoke: {
            id: 'b',
            src: 'later',
            input: { name: 'b' },
            onDone: {
              target: 'worked',
              actions: { type: 'see', params: ({ event }) => ({ name: event.output }) },
            },
            onError: { target: 'worked', actions: { type: 'see', params: { name: 'b failed' } } },
          },
          on: { work: { target: 'working', reenter: true } },
        },
        worked: {
          invoke: {
            src: 'quick',
            input: null,
            onDone: { actions: { type: 'see', params: { name: 'quick' } } },
          },
        },
      },
    },
    child: {
      invoke: {
        id: 'child',
        src: 'parcel',
        input: { sku: 'child' },
        onDone: { actions: { type: 'see', params: ({ event }) => ({ name: event.output }) } },
      },
    },
  },
  on: {
    note: { actions: { type: 'see', params: ({ event }) => ({ name: event.name }) } },
    'workflow.cancel': { actions: { type: 'see', params: { name: 'cancel' } } },
    work: { actions: { type: 'see', params: { name: 'work' } } },
  },
});
export const crowd = machineWorkflow(crowdMachine, {
  actors: {
    later: activity('later', options),
    quick: activity('quick', options),
    peek: localActivity('peek', { startToCloseTimeout: '5s' }),
    inside: inProcess(),
    parcel: childMachine('parcel'),
  },
  signals: { hint: (name: string) => ({ type: 'note', name: `hint ${name}` }) },
});

/** Continues as new with a child that runs on, and stops it at the end. */
const keeperMachine = setup({
  types: {} as {
    context: { n: number; got: string | null };
    events: { type: 'tick' } | { type: 'let go' } | { type: 'drop' };
    output: string | null;
  },
  actors: { parcel: durable<string, { sku: string }>() },
}).createMachine({
  id: 'keeper',
  context: { n: 0, got: null },
  initial: 'keeping',
  states: {
    keeping: {
      invoke: {
        id: 'kept',
        src: 'parcel',
        input: { sku: 'kept' },
        onDone: { target: 'over', actions: assign({ got: ({ event }) => event.output }) },
        onError: 'over',
      },
      after: { 600_000: 'over' },
      on: {
        tick: { actions: assign({ n: ({ context }) => context.n + 1 }) },
        'let go': { actions: sendTo('kept', { type: 'handOver' }) },
        drop: 'over',
      },
    },
    over: { type: 'final' },
  },
  output: ({ context }) => context.got,
});
export const keeper = machineWorkflow(keeperMachine, {
  actors: { parcel: childMachine('parcel') },
  continueAsNew: { after: 15 },
});
