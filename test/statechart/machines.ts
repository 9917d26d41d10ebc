import { assign, raise, sendTo, setup } from 'xstate';
import {
  activity,
  childMachine,
  durable,
  localActivity,
  machineWorkflow,
} from '../../statechart/workflow/index.ts';

const options = {
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '50ms' },
} as const;

/** Invokes an activity, with an error path and a delay. */
const loaderMachine = setup({
  types: {} as {
    input: { fail: boolean };
    context: { fail: boolean; got: unknown };
    output: { got: unknown };
  },
  actors: { load: durable<string, { fail: boolean }>() },
}).createMachine({
  id: 'loader',
  context: ({ input }) => ({ fail: input.fail, got: null }),
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'load',
        src: 'load',
        input: ({ context }) => ({ fail: context.fail }),
        onDone: { target: 'cooling', actions: assign({ got: ({ event }) => event.output }) },
        onError: { target: 'broken', actions: assign({ got: ({ event }) => event.error }) },
      },
    },
    cooling: { after: { 30: 'done' } },
    broken: { type: 'final' },
    done: { type: 'final' },
  },
  output: ({ context }) => ({ got: context.got }),
});
export const loader = machineWorkflow(loaderMachine, { actors: { load: activity('load', options) } });

/** As `loader`, without onError. */
const bareMachine = setup({ actors: { load: durable<string, { fail: boolean }>() } }).createMachine({
  id: 'bare',
  invoke: { src: 'load', input: { fail: true } },
});
export const bare = machineWorkflow(bareMachine, { actors: { load: activity('load', options) } });

/** A door: takes events by hand. */
const doorMachine = setup({
  types: {} as {
    context: { opened: number };
    events: { type: 'open' } | { type: 'close' } | { type: 'lock' } | { type: 'break' };
    output: number;
  },
}).createMachine({
  id: 'door',
  context: { opened: 0 },
  initial: 'closed',
  states: {
    closed: {
      on: {
        open: { target: 'open', actions: assign({ opened: ({ context }) => context.opened + 1 }) },
        lock: 'locked',
      },
    },
    open: { on: { close: 'closed' } },
    locked: { type: 'final' },
  },
  on: {
    break: {
      actions: () => {
        throw new Error('hinge lost');
      },
    },
  },
  output: ({ context }) => context.opened,
});
export const door = machineWorkflow(doorMachine, {
  actors: {},
  // An earlier version called the state `closed` `shut`.
  migrate: { states: { shut: 'closed' } },
});

/** Stops an actor that is still running and starts it again under the same id. */
const switcherMachine = setup({
  types: {} as {
    context: { got: string[]; n: number };
    events: { type: 'switch' };
    output: string[];
  },
  actors: { slow: durable<string, { name: string }>() },
}).createMachine({
  id: 'switcher',
  context: { got: [], n: 1 },
  initial: 'working',
  states: {
    working: {
      invoke: {
        id: 'slow',
        src: 'slow',
        input: ({ context }) => ({ name: `w${context.n}` }),
        onDone: {
          target: 'done',
          actions: assign({ got: ({ context, event }) => [...context.got, event.output] }),
        },
        onError: 'done',
      },
      on: {
        switch: { target: 'working', reenter: true, actions: assign({ n: ({ context }) => context.n + 1 }) },
      },
    },
    done: { type: 'final' },
  },
  output: ({ context }) => context.got,
});
export const switcher = machineWorkflow(switcherMachine, { actors: { slow: activity('slow', options) } });

/** Counts `tick`s; a delay started at the beginning lets it end after the twelfth, over many runs. */
const tickerMachine = setup({
  types: {} as { context: { ticks: number }; events: { type: 'tick' }; output: number },
}).createMachine({
  id: 'ticker',
  context: { ticks: 0 },
  on: { tick: { actions: assign({ ticks: ({ context }) => context.ticks + 1 }) } },
  initial: 'counting',
  states: {
    counting: {
      after: { 1500: 'late' },
    },
    late: { always: { guard: ({ context }) => context.ticks >= 12, target: 'over' } },
    over: { type: 'final' },
  },
  output: ({ context }) => context.ticks,
});
export const ticker = machineWorkflow(tickerMachine, { actors: {}, continueAsNew: { after: 12 } });

/** An activity that outlasts its run: `nudge` events make the history grow past the forced limit. */
const carrierMachine = setup({
  types: {} as { context: { nudges: number; ended: string }; events: { type: 'nudge' }; output: string },
  actors: { slow: durable<string, { name: string }>() },
}).createMachine({
  id: 'carrier',
  context: { nudges: 0, ended: '' },
  initial: 'working',
  states: {
    working: {
      invoke: {
        id: 'slow',
        src: 'slow',
        input: { name: 'carried' },
        onDone: { target: 'done', actions: assign({ ended: 'done' }) },
        onError: { target: 'done', actions: assign({ ended: 'lost' }) },
      },
      on: { nudge: { actions: assign({ nudges: ({ context }) => context.nudges + 1 }) } },
    },
    done: { type: 'final' },
    lost: { type: 'final' },
  },
  output: ({ context }) => context.ended,
});
export const carrier = machineWorkflow(carrierMachine, {
  actors: { slow: activity('slow', options) },
  continueAsNew: { after: 10, atMost: 20 },
});

/** Works step after step without a pause: each run hands over between two steps. */
const walkerMachine = setup({
  types: {} as { input: { steps: number }; context: { left: number; seen: number[] }; output: number[] },
  actors: { step: durable<number, null>() },
}).createMachine({
  id: 'walker',
  context: ({ input }) => ({ left: input.steps, seen: [] }),
  initial: 'walking',
  states: {
    walking: {
      invoke: {
        id: 'step',
        src: 'step',
        input: null,
        onDone: {
          target: 'deciding',
          actions: assign(({ context, event }) => ({
            left: context.left - 1,
            seen: [...context.seen, event.output],
          })),
        },
        onError: 'lost',
      },
    },
    deciding: {
      always: [{ guard: ({ context }) => context.left > 0, target: 'walking' }, { target: 'done' }],
    },
    lost: { type: 'final' },
    done: { type: 'final' },
  },
  output: ({ context }) => context.seen,
});
export const walker = machineWorkflow(walkerMachine, {
  actors: { step: activity('step', options) },
  continueAsNew: { after: 30 },
});

/** A parent that talks to its child machine, and a local activity. */
const parentMachine = setup({
  types: {} as { context: { opened: unknown; local: unknown }; output: { opened: unknown; local: unknown } },
  actors: { door: durable<number, object>(), peek: durable<string, null>() },
}).createMachine({
  id: 'parent',
  context: { opened: null, local: null },
  initial: 'peeking',
  states: {
    peeking: {
      invoke: {
        src: 'peek',
        input: null,
        onDone: { target: 'talking', actions: assign({ local: ({ event }) => event.output }) },
        onError: 'done',
      },
    },
    talking: {
      invoke: {
        id: 'door',
        src: 'door',
        input: {},
        onDone: { target: 'done', actions: assign({ opened: ({ event }) => event.output }) },
        onError: 'done',
      },
      entry: [raise({ type: 'knock' }, { delay: 50 }), raise({ type: 'leave' }, { delay: 100 })],
      on: {
        knock: { actions: sendTo('door', { type: 'open' }) },
        leave: { actions: [sendTo('door', { type: 'close' }), sendTo('door', { type: 'lock' })] },
      },
    },
    done: { type: 'final' },
  },
  output: ({ context }) => context,
});
export const parent = machineWorkflow(parentMachine, {
  actors: { door: childMachine('door'), peek: localActivity('peek', { startToCloseTimeout: '5s' }) },
});

/** Handles its own cancellation. */
const politeMachine = setup({
  types: {} as { events: { type: 'workflow.cancel' }; output: string },
}).createMachine({
  id: 'polite',
  initial: 'here',
  states: { here: { on: { 'workflow.cancel': 'gone' } }, gone: { type: 'final' } },
  output: 'said goodbye',
});
export const polite = machineWorkflow(politeMachine, { actors: {} });
