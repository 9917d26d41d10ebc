import { assign, setup } from 'xstate';

/** Milliseconds of the colours. */
export interface Times {
  readonly green: number;
  readonly yellow: number;
  readonly red: number;
}

/** A traffic light that never ends. `fail` lets it blink, `repair` brings it back to where it was. */
export const lightMachine = setup({
  types: {} as {
    input: Times;
    context: { times: Times; cycles: number };
    events: { type: 'fail' } | { type: 'repair' };
  },
  delays: {
    green: ({ context }) => context.times.green,
    yellow: ({ context }) => context.times.yellow,
    red: ({ context }) => context.times.red,
  },
}).createMachine({
  id: 'light',
  context: ({ input }) => ({ times: input, cycles: 0 }),
  initial: 'working',
  states: {
    working: {
      on: { fail: 'blinking' },
      initial: 'green',
      states: {
        green: { after: { green: 'yellow' } },
        yellow: { after: { yellow: 'red' } },
        red: {
          after: {
            red: { target: 'green', actions: assign({ cycles: ({ context }) => context.cycles + 1 }) },
          },
        },
        before: { type: 'history' },
      },
    },
    blinking: { on: { repair: 'working.before' } },
  },
});
