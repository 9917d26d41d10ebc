import { assign, type AnyStateMachine, createMachine, fromPromise, setup } from 'xstate';

/** A machine with everything that a chart can show: regions, history, final states, sources, guards and delays. */
export const chartMachine = setup({
  types: {} as { context: { plays: number } },
  guards: { isAllowed: () => true },
  actions: { light: () => undefined, dim: () => undefined, count: assign({ plays: 1 }) },
  actors: { loader: fromPromise(async () => await Promise.resolve(1)) },
}).createMachine({
  id: 'player',
  context: { plays: 0 },
  initial: 'off',
  states: {
    off: { on: { POWER: 'on', RESUME: 'on.back' } },
    on: {
      type: 'parallel',
      entry: 'light',
      exit: 'dim',
      onDone: 'off',
      on: { POWER: 'off' },
      states: {
        sound: {
          initial: 'loud',
          states: {
            loud: { on: { MUTE: { guard: 'isAllowed', target: 'mute' } } },
            mute: { on: { MUTE: 'loud' } },
          },
        },
        disc: {
          initial: 'loading',
          states: {
            loading: { invoke: { src: 'loader', onDone: 'spinning', onError: '#player.broken' } },
            spinning: {
              after: { 1000: 'over' },
              on: { SKIP: { actions: 'count' } },
            },
            over: { type: 'final' },
          },
        },
        back: { type: 'history', history: 'deep' },
      },
    },
    broken: { type: 'final' },
  },
});

/** A machine of about so many states, in groups of ten, each of which leads on. */
export function largeMachine(count: number): AnyStateMachine {
  const groups = Math.ceil(count / 10);
  const group = (number: number): object => ({
    initial: 's0',
    on: { NEXT: `g${(number + 1) % groups}`, ...(number % 5 === 0 ? { HOME: 'g0' } : {}) },
    states: Object.fromEntries(
      Array.from({ length: 9 }, (_, index) => [
        `s${index}`,
        { on: { STEP: `s${(index + 1) % 9}`, ...(index % 3 === 0 ? { SKIP: `s${(index + 2) % 9}` } : {}) } },
      ]),
    ),
  });
  return createMachine({
    id: 'large',
    initial: 'g0',
    states: Object.fromEntries(Array.from({ length: groups }, (_, index) => [`g${index}`, group(index)])),
  });
}

/** A lamp with a switch. */
export const lampMachine = createMachine({
  id: 'lamp',
  initial: 'off',
  states: { off: { on: { press: 'on' } }, on: { on: { press: 'off' } } },
});
