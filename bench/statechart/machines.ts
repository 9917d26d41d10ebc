import { assign, fromPromise, setup, type AnyStateMachine } from 'xstate';

/** Counts, and does nothing else. */
export const counterMachine = setup({
  types: {} as {
    context: { n: number };
    events: { type: 'add'; by: number } | { type: 'close' };
    output: number;
  },
}).createMachine({
  id: 'counter',
  context: { n: 0 },
  initial: 'on',
  states: {
    on: {
      on: { add: { actions: assign({ n: ({ context, event }) => context.n + event.by }) }, close: 'off' },
    },
    off: { type: 'final' },
  },
  output: ({ context }) => context.n,
});

/** Each `go` leaves a state with an invoked actor, passes through an eventless transition, and enters the state again. */
export const hopperMachine = setup({
  types: {} as { context: { n: number }; events: { type: 'go' } },
  actors: { work: fromPromise<number, { n: number }>(() => new Promise(() => undefined)) },
}).createMachine({
  id: 'hopper',
  context: { n: 0 },
  initial: 'working',
  states: {
    working: {
      invoke: { id: 'work', src: 'work', input: ({ context }) => ({ n: context.n }), onDone: 'deciding' },
      on: { go: { target: 'deciding', actions: assign({ n: ({ context }) => context.n + 1 }) } },
    },
    deciding: { always: { guard: ({ context }) => context.n >= 0, target: 'working' } },
  },
});

/** A ring of so many states: each `next` goes to the one that follows, and `add` counts. */
export function ringMachine(states: number): AnyStateMachine {
  const names = Array.from({ length: states }, (_, index) => `s${index}`);
  return setup({
    types: {} as { context: { n: number }; events: { type: 'next' } | { type: 'add' } },
    actions: { count: assign({ n: ({ context }) => context.n + 1 }) },
  }).createMachine({
    id: `ring-${states}`,
    context: { n: 0 },
    initial: 's0',
    on: { add: { actions: 'count' } },
    states: Object.fromEntries(
      names.map((name, index) => [
        name,
        { on: { next: { target: names[(index + 1) % states] ?? 's0', actions: 'count' as const } } },
      ]),
    ),
  });
}
