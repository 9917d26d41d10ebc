import { assign, setup } from 'xstate';
import {
  exploreFaults,
  type Invariant,
  type Moment,
  type Scenario,
} from '../../../statechart/client/index.ts';
import { durable } from '../../../statechart/core/durable.ts';
import { orderMachine } from './machines.ts';

const starts = (trace: Moment<never>['trace'], source: string): number =>
  trace.filter((entry) => entry.type === 'start' && entry.source === source).length;

/** A saga: what was reserved is released when the charge does not come off. */
function saga(forgetsTimeouts: boolean) {
  return setup({
    types: {} as { context: { reserved: boolean }; events: { type: 'begin' } },
    actors: { reserve: durable<null, null>(), charge: durable<null, null>(), release: durable<null, null>() },
  }).createMachine({
    id: 'saga',
    context: { reserved: false },
    initial: 'idle',
    states: {
      idle: { on: { begin: 'reserving' } },
      reserving: {
        invoke: {
          src: 'reserve',
          input: null,
          onDone: { target: 'charging', actions: assign({ reserved: true }) },
          // Nobody knows whether a reservation that timed out was made.
          onError: forgetsTimeouts
            ? 'failed'
            : [
                {
                  guard: ({ event }) => (event.error as Error).name === 'TimeoutFailure',
                  target: 'releasing',
                },
                { target: 'failed' },
              ],
        },
      },
      charging: { invoke: { src: 'charge', input: null, onDone: 'done', onError: 'releasing' } },
      releasing: { invoke: { src: 'release', input: null, onDone: 'failed', onError: 'stuck' } },
      stuck: { on: { begin: 'releasing' } },
      failed: { type: 'final' },
      done: { type: 'final' },
    },
  });
}

type Saga = ReturnType<typeof saga>;
const answered = [{ output: null }] as const;
const sagaScenario: Scenario<Saga> = {
  sources: { reserve: answered, charge: answered, release: answered },
  steps: [{ send: { type: 'begin' } }],
};

/** Whoever may have reserved, and does not end well, has asked for the release. */
const compensates: Invariant<Saga> = ({ state, trace }) => {
  const [mayHaveReserved, released] = [timedOut(trace), starts(trace, 'release') > 0];
  return state !== 'failed' || !mayHaveReserved || released ? undefined : 'reserved, and never released';
};

/** Ended, by whatever outcome, other than by an error of its own that says that it did nothing. */
const timedOut = (trace: Moment<never>['trace']): boolean =>
  trace.some(
    (entry) => entry.type === 'error' && entry.source === 'reserve' && entry.error === 'TimeoutFailure',
  );

describe('a saga', () => {
  test('that forgets to compensate a timeout is found, with the timeout alone', () => {
    const { failure } = exploreFaults({
      machine: saga(true),
      scenario: sagaScenario,
      invariants: { compensates },
    });
    expect(failure).toMatchObject({
      schedule: ['timeout at call 0 (reserve)'],
      invariant: 'compensates',
      reason: 'reserved, and never released',
      state: 'failed',
    });
  });

  test('that compensates holds under every single fault, and under several', () => {
    const report = exploreFaults({
      machine: saga(false),
      scenario: sagaScenario,
      invariants: { compensates },
      several: { schedules: 200 },
    });
    expect(report.failure).toBeUndefined();
    expect(report.schedules).toBeGreaterThan(220);
  });
});

/** Asks a second time when the first answer is late, and counts what comes. */
function collector(countsLate: boolean) {
  return setup({
    types: {} as { context: { paid: number } },
    actors: { ask: durable<number, null>() },
    actions: {
      count: assign({ paid: ({ context }) => (countsLate ? context.paid + 1 : 1) }),
    },
  }).createMachine({
    id: 'collector',
    type: 'parallel',
    context: { paid: 0 },
    states: {
      first: {
        initial: 'asking',
        states: {
          asking: {
            invoke: { id: 'first', src: 'ask', input: null, onDone: { target: 'over', actions: 'count' } },
          },
          over: {},
        },
      },
      second: {
        initial: 'waiting',
        states: {
          waiting: {
            after: {
              1000: [{ guard: ({ context }) => context.paid === 0, target: 'asking' }],
            },
          },
          asking: {
            invoke: { id: 'second', src: 'ask', input: null, onDone: { target: 'over', actions: 'count' } },
          },
          over: {},
        },
      },
    },
  });
}

describe('a machine that asks twice', () => {
  const scenario = { sources: { ask: [{ output: 1 }] }, steps: [{ pass: 2000 }, { pass: 2000 }] };
  const once = ({ context }: { context: { paid: number } }): boolean => context.paid <= 1;

  test('and counts a late answer twice is found, with the late answer alone', () => {
    const { failure } = exploreFaults({ machine: collector(true), scenario, invariants: { once } });
    expect(failure?.schedule).toEqual(['late by 1 at call 0 (ask)']);
    expect(failure?.invariant).toBe('once');
  });

  test('and counts it once holds', () => {
    expect(
      exploreFaults({ machine: collector(false), scenario, invariants: { once } }).failure,
    ).toBeUndefined();
  });
});

describe('faults of clients, workers and runs', () => {
  const counter = setup({
    types: {} as { context: { n: number; seen: string[] }; events: { type: 'add'; key: string } },
  });

  test('an event that is sent twice is found where it counts twice, and not where it has a key', () => {
    const scenario = { steps: [{ send: { type: 'add', key: 'a' } as const }] };
    const once = ({ context }: { context: { n: number } }): boolean => context.n <= 1;
    const careless = counter.createMachine({
      context: { n: 0, seen: [] },
      on: { add: { actions: assign({ n: ({ context }) => context.n + 1 }) } },
    });
    const careful = counter.createMachine({
      context: { n: 0, seen: [] },
      on: {
        add: {
          guard: ({ context, event }) => !context.seen.includes(event.key),
          actions: assign(({ context, event }) => ({ n: context.n + 1, seen: [...context.seen, event.key] })),
        },
      },
    });
    expect(exploreFaults({ machine: careless, scenario, invariants: { once } }).failure?.schedule).toEqual([
      'step 0 sent twice',
    ]);
    expect(exploreFaults({ machine: careful, scenario, invariants: { once } }).failure).toBeUndefined();
  });

  test('a machine that does not depend on its events alone does not replay', () => {
    let calls = 0;
    const moody = counter.createMachine({
      context: { n: 0, seen: [] },
      on: { add: { actions: assign({ n: () => ++calls }) } },
    });
    const { failure } = exploreFaults({
      machine: moody,
      scenario: { steps: [{ send: { type: 'add', key: 'a' } }] },
      invariants: {},
      faults: ['replay'],
    });
    expect(failure).toMatchObject({ invariant: 'replay', schedule: ['replay behind point 1'] });
  });

  test('a context that cannot be carried over is found', () => {
    const odd = counter.createMachine({
      context: { n: 0, seen: [] },
      on: { add: { actions: assign({ seen: () => [(() => 1) as never] }) } },
    });
    const { failure } = exploreFaults({
      machine: odd,
      scenario: { steps: [{ send: { type: 'add', key: 'a' } }] },
      invariants: {},
      faults: ['continue-as-new'],
    });
    expect(failure).toMatchObject({
      invariant: 'continue-as-new',
      reason: 'context.seen[0]: a function cannot be kept',
    });
  });

  test('a crashed call is made again under the same number, and the run goes on', () => {
    const calls: number[] = [];
    const report = exploreFaults({
      machine: orderMachine,
      scenario: {
        input: { id: '1' },
        sources: { charge: [{ output: 'r' }], ship: [{ output: 's' }], refund: [{ output: null }] },
        steps: [{ send: { type: 'pay' } }, { pass: 200 }],
      },
      invariants: {
        charged: ({ trace, state, isEnd }) => {
          calls.push(trace.filter((entry) => entry.type === 'retry' && entry.source === 'charge').length);
          // An answer that comes at the very end leaves the delays behind it to be waited for.
          return !isEnd || ['done', 'cancelled', 'resting', 'almost'].includes(state);
        },
        once: ({ trace }) => starts(trace, 'charge') <= 1,
      },
    });
    expect(report.failure).toBeUndefined();
    expect(Math.max(...calls)).toBe(1);
  });

  test('two faults that hurt only together are found, and no third is told', () => {
    const fragile = setup({
      types: {} as { context: { failures: number } },
      actors: { a: durable<null, null>(), b: durable<null, null>() },
      actions: { note: assign({ failures: ({ context }) => context.failures + 1 }) },
    }).createMachine({
      id: 'fragile',
      context: { failures: 0 },
      initial: 'a',
      states: {
        a: { invoke: { src: 'a', input: null, onDone: 'b', onError: { target: 'b', actions: 'note' } } },
        b: { invoke: { src: 'b', input: null, onDone: 'c', onError: { target: 'c', actions: 'note' } } },
        c: {},
      },
    });
    const { failure } = exploreFaults({
      machine: fragile,
      scenario: { sources: { a: answered, b: answered }, steps: [] },
      invariants: { few: ({ context }) => context.failures < 2 },
      faults: ['failure', 'twice', 'crash'],
      several: { schedules: 300, most: 4, seed: 7 },
    });
    expect(failure?.faults.map(({ kind }) => kind)).toEqual(['failure', 'failure']);
  });

  test('a scenario that breaks an invariant by itself is told without faults', () => {
    const { schedules, failure } = exploreFaults({
      machine: orderMachine,
      scenario: { input: { id: '1' }, steps: [] },
      invariants: { never: () => false },
    });
    expect([schedules, failure?.faults, failure?.reason]).toEqual([1, [], 'it does not hold']);
  });
});
