import {
  assign,
  emit,
  sendTo,
  setup,
  spawnChild,
  type ActorRef,
  type ActorRefFrom,
  type Snapshot,
} from 'xstate';
import {
  activity,
  actorHandle,
  childMachine,
  durable,
  machineWorkflow,
} from '../../../statechart/workflow/index.ts';

const quick = { startToCloseTimeout: '1 minute', retry: { maximumAttempts: 1 } } as const;

/** An order with values that JSON has no form for, tags, emitted events and nested states. */
export const orderMachine = setup({
  types: {} as {
    input: { id: string; placed: Date };
    context: { id: string; placed: Date; total: bigint; lines: Map<string, number>; buyer: Buyer | null };
    events:
      | { type: 'pay'; amount: bigint; at: Date }
      | { type: 'add'; name: string; count: number }
      | { type: 'introduce'; buyer: Buyer }
      | { type: 'greet' }
      | { type: 'ship' }
      | { type: 'lose' }
      | { type: 'deliver' };
    emitted: { type: 'paid'; amount: bigint };
    output: { total: bigint; lines: Map<string, number> };
    tags: 'open' | 'closed';
  },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({ ...input, total: 0n, lines: new Map<string, number>(), buyer: null }),
  initial: 'request',
  states: {
    request: {
      tags: 'open',
      initial: 'waiting',
      states: {
        waiting: {
          on: {
            pay: {
              guard: ({ event }) => event.amount > 0n,
              target: 'paid',
              actions: [
                assign({ total: ({ event }) => event.amount }),
                emit(({ event }) => ({ type: 'paid', amount: event.amount })),
              ],
            },
          },
        },
        paid: { on: { ship: '#order.shipping' } },
      },
    },
    shipping: { on: { deliver: 'done' } },
    done: { type: 'final', tags: 'closed' },
  },
  on: {
    add: {
      actions: assign({
        lines: ({ context, event }) => new Map([...context.lines, [event.name, event.count]]),
      }),
    },
    introduce: { actions: assign({ buyer: ({ event }) => event.buyer }) },
    greet: {
      actions: sendTo(({ context }) => context.buyer as Buyer, { type: 'hello', from: 'order' }),
    },
    lose: {
      actions: () => {
        throw Object.assign(new RangeError('lost on the way', { cause: new Error('the van') }), {
          code: 'LOST',
        });
      },
    },
  },
  output: ({ context }) => ({ total: context.total, lines: context.lines }),
});
export const order = machineWorkflow(orderMachine, {
  signals: { paid: (amount: string) => ({ type: 'pay', amount: BigInt(amount), at: new Date(0) }) },
  updates: {
    put: (name: string, count: number) => ({ type: 'add', name, count }),
    price: (amount: string) => ({ type: 'pay', amount: BigInt(amount), at: new Date(0) }),
  },
});

type Buyer = ActorRef<Snapshot<unknown>, { type: 'hello'; from: string }>;

export const buyerMachine = setup({
  types: {} as { events: { type: 'hello'; from: string }; context: { heard: string[] } },
}).createMachine({
  id: 'buyer',
  context: { heard: [] },
  initial: 'quiet',
  states: {
    quiet: {
      on: {
        hello: {
          target: 'greeted',
          actions: assign({ heard: ({ context, event }) => [...context.heard, event.from] }),
        },
      },
    },
    greeted: {},
  },
});
export const buyer = machineWorkflow(buyerMachine);

/** Ticks through many runs, and is ready after a number of them. */
export const tickerMachine = setup({
  types: {} as {
    context: { ticks: number };
    events: { type: 'tick' } | { type: 'end' };
    output: number;
    tags: 'many';
  },
}).createMachine({
  id: 'ticker',
  context: { ticks: 0 },
  initial: 'even',
  on: { end: '.over' },
  states: {
    even: { on: { tick: { target: 'odd', actions: assign({ ticks: ({ context }) => context.ticks + 1 }) } } },
    odd: {
      on: { tick: { target: 'even', actions: assign({ ticks: ({ context }) => context.ticks + 1 }) } },
      always: { guard: ({ context }) => context.ticks >= 29, target: 'full' },
    },
    full: { tags: 'many' },
    over: { type: 'final' },
  },
  output: ({ context }) => context.ticks,
});
export const ticker = machineWorkflow(tickerMachine, { continueAsNew: { after: 14 } });

/** Its tasks fail, as Temporal has it with an error that is none of its own. */
export function broken(): Promise<void> {
  throw new Error('the table of prices is gone');
}

/** A workflow that was written by hand: it sends to an order and waits for nothing. */
export async function clerk(orderId: string): Promise<void> {
  const actor = actorHandle(orderMachine, orderId);
  await actor.send({ type: 'pay', amount: 12n, at: new Date(7) });
  await actor.send({ type: 'introduce', buyer: actorHandle(buyerMachine, `${orderId}-buyer`).ref });
  await actor.send({ type: 'greet' });
}

/** Answers what its activity threw. */
const tryingMachine = setup({
  types: {} as { input: { how: string }; context: { how: string; error: unknown } },
  actors: { fail: durable<void, string>() },
}).createMachine({
  id: 'trying',
  context: ({ input }) => ({ how: input.how, error: null }),
  initial: 'trying',
  states: {
    trying: {
      invoke: {
        src: 'fail',
        input: ({ context }) => context.how,
        onDone: 'done',
        onError: { target: 'done', actions: assign({ error: ({ event }) => event.error }) },
      },
    },
    done: { type: 'final' },
  },
  output: ({ context }: { context: { error: unknown } }) => context.error,
});
export const trying = machineWorkflow(tryingMachine, {
  actors: {
    fail: activity('fail', {
      ...quick,
      retry: {
        maximumAttempts: 3,
        initialInterval: '10s',
        nonRetryableErrorTypes: ['CardDeclined', 'Error'],
      },
    }),
  },
});

/** A child that fails as often as it is told, and then ends. */
export const childOfMachine = setup({
  types: {} as { input: { name: string }; context: { name: string }; output: string },
  actors: { attempt: durable<string, string>() },
}).createMachine({
  id: 'child-of',
  context: ({ input }) => input,
  initial: 'working',
  states: {
    working: {
      invoke: { src: 'attempt', input: ({ context }) => context.name, onDone: 'done' },
    },
    done: { type: 'final' },
  },
  output: ({ context }) => `${context.name} is done`,
});
export const childOf = machineWorkflow(childOfMachine, { actors: { attempt: activity('attempt', quick) } });

/** Watches over a child. */
export const keeperMachine = setup({
  types: {} as {
    input: { name: string };
    context: { name: string; got: unknown; nudges: number };
    events: { type: 'nudge' } | { type: 'leave' };
  },
  actors: { worker: childOfMachine },
}).createMachine({
  id: 'keeper',
  context: ({ input }) => ({ ...input, got: null, nudges: 0 }),
  initial: 'keeping',
  states: {
    keeping: {
      invoke: {
        id: 'worker',
        src: 'worker',
        input: ({ context }) => ({ name: context.name }),
        onDone: { target: 'over', actions: assign({ got: ({ event }) => event.output }) },
        onError: { target: 'over', actions: assign({ got: ({ event }) => event.error }) },
      },
      on: {
        nudge: { actions: assign({ nudges: ({ context }) => context.nudges + 1 }) },
        leave: 'over',
      },
    },
    over: { type: 'final' },
  },
  output: ({ context }: { context: { got: unknown } }) => context.got,
});
const backoff = { restarts: 2, backoff: 300, maxBackoff: 400 } as const;
export const restarting = machineWorkflow(keeperMachine, {
  actors: { worker: childMachine('childOf', { supervision: backoff }) },
});
export const stopping = machineWorkflow(keeperMachine, {
  // oxlint-disable-next-line unicorn/no-thenable
  actors: { worker: childMachine('childOf', { supervision: { restarts: 1, backoff: 10, then: 'stop' } }) },
});
export const moving = machineWorkflow(keeperMachine, {
  actors: { worker: childMachine('childOf', { supervision: { restarts: 2, backoff: 3000 } }) },
  continueAsNew: { after: 16, atMost: 30 },
});

/** Two regions, and a child machine in process that it hands out a reference to. */
export const regionsMachine = setup({
  types: {} as {
    context: { kid: ActorRefFrom<typeof buyerMachine> };
    events: { type: 'next' };
  },
  actors: { kid: buyerMachine },
}).createMachine({
  id: 'regions',
  context: ({ spawn }) => ({ kid: spawn('kid', { id: 'kid' }) }),
  entry: spawnChild('kid', { id: 'other' }),
  type: 'parallel',
  states: {
    left: { initial: 'a', states: { a: { on: { next: 'b' } }, b: {} } },
    right: { initial: 'x', states: { x: { on: { next: 'y' } }, y: {} } },
  },
});
export const regions = machineWorkflow(regionsMachine);
