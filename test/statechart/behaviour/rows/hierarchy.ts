import { add, assign, inc, machine, raise, type State } from '../dialect.ts';
import type { Row } from '../row.ts';

/** Notes the entry and the exit of every state below. */
const noted = (trace: (text: string) => void, name: string, state: State): State => ({
  ...state,
  entry: () => trace(`enter ${name}`),
  exit: () => trace(`exit ${name}`),
  ...(state.states === undefined
    ? {}
    : {
        states: Object.fromEntries(
          Object.entries(state.states).map(([key, child]) => [key, noted(trace, `${name}.${key}`, child)]),
        ),
      }),
});

const deep: State = {
  initial: 'a',
  states: {
    a: {
      initial: 'x',
      on: { UP: 'b', SIDE: '.y', ROOT: { target: 'a', reenter: true } },
      states: {
        x: { on: { NEXT: 'y', AWAY: '#far' } },
        y: { initial: 'p', states: { p: { on: { Q: 'q' } }, q: {} } },
      },
    },
    b: { initial: 'z', states: { z: { on: { BACK: '#(machine).a.y.q' } }, far: { id: 'far' } } },
  },
};

const walk = (name: string, events: readonly string[], ends: string): Row => ({
  name: `hierarchy: ${name}`,
  machine: (trace) => machine(noted(trace, 'm', deep)),
  steps: events.map((type) => ({ type })),
  ends,
});

export const hierarchy: readonly Row[] = [
  walk('the initial state and its initial child', [], 'a.x'),
  walk('a child goes to its sibling', ['NEXT'], 'a.y.p'),
  walk('a parent takes what its child does not', ['NEXT', 'UP'], 'b.z'),
  walk('a relative target enters a child', ['SIDE', 'Q'], 'a.y.q'),
  walk('a target by id is elsewhere in the tree', ['AWAY'], 'b.far'),
  walk('a target by path from the root', ['UP', 'BACK'], 'a.y.q'),
  walk('reenter leaves and enters the state with its children', ['NEXT', 'Q', 'ROOT'], 'a.x'),
  walk('an event that nothing takes changes nothing', ['NOPE', 'Q'], 'a.x'),
  walk('a long way', ['NEXT', 'Q', 'UP', 'BACK', 'SIDE', 'UP', 'NOPE'], 'b.z'),
  {
    name: 'hierarchy: the inner transition wins over the outer one',
    machine: (trace) =>
      machine({
        initial: 'a',
        states: {
          a: {
            initial: 'x',
            on: { GO: { target: 'outer', actions: () => trace('outer') } },
            states: { x: { on: { GO: { target: 'y', actions: () => trace('inner') } } }, y: {} },
          },
          outer: {},
        },
      }),
    steps: [{ type: 'GO' }, { type: 'GO' }],
    ends: 'outer',
  },
  {
    name: 'hierarchy: a final child ends its parent by onDone',
    machine: () =>
      machine({
        initial: 'work',
        states: {
          work: {
            initial: 'one',
            states: { one: { on: { END: 'last' } }, last: { type: 'final' } },
            onDone: 'rest',
          },
          rest: {},
        },
      }),
    steps: [{ type: 'END' }],
    ends: 'rest',
  },
  {
    name: 'hierarchy: the output of a final child is in the event of onDone',
    machine: () =>
      machine({
        context: { got: null, n: 4 },
        initial: 'work',
        states: {
          work: {
            initial: 'one',
            states: {
              one: { on: { END: 'last' } },
              last: {
                type: 'final',
                output: ({ context }: { context: { n: number } }) => ({ twice: context.n * 2 }),
              },
            },
            onDone: { target: 'rest', actions: assign({ got: ({ event }) => event.output }) },
          },
          rest: {},
        },
      }),
    steps: [{ type: 'END' }],
    ends: 'rest',
  },
  {
    name: 'hierarchy: onDone of two levels, one after the other',
    machine: (trace) =>
      machine({
        initial: 'top',
        states: {
          top: {
            initial: 'mid',
            states: {
              mid: {
                initial: 'low',
                states: {
                  low: { on: { END: 'over' } },
                  over: { type: 'final', entry: () => trace('low is over') },
                },
                onDone: { target: 'over', actions: () => trace('mid is done') },
              },
              over: { type: 'final' },
            },
            onDone: { target: 'end', actions: () => trace('top is done') },
          },
          end: { type: 'final' },
        },
      }),
    steps: [{ type: 'END' }],
    ends: 'end done',
  },
  {
    name: 'hierarchy: actions of exit, transition and entry in their order',
    machine: () =>
      machine({
        context: { list: [] },
        initial: 'a',
        states: {
          a: {
            initial: 'b',
            exit: add('exit a'),
            states: { b: { exit: add('exit b'), on: { GO: { target: '#d', actions: add('go') } } } },
          },
          c: { initial: 'd', entry: add('enter c'), states: { d: { id: 'd', entry: add('enter d') } } },
        },
      }),
    steps: [{ type: 'GO' }],
    ends: 'c.d',
  },
  {
    name: 'hierarchy: the transition to the initial state has actions of its own',
    machine: (trace) =>
      machine({
        initial: { target: 'a', actions: () => trace('root to a') },
        states: {
          a: {
            initial: { target: 'b', actions: () => trace('a to b') },
            entry: () => trace('a'),
            states: { b: { entry: () => trace('b') } },
          },
        },
      }),
    ends: 'a.b',
  },
  {
    name: 'hierarchy: an action without a target leaves the state alone',
    machine: (trace) =>
      machine({
        context: { n: 0 },
        initial: 'a',
        states: {
          a: { entry: () => trace('enter'), exit: () => trace('exit'), on: { INC: { actions: inc } } },
        },
      }),
    steps: [{ type: 'INC' }, { type: 'INC' }],
    ends: 'a',
  },
  {
    name: 'hierarchy: a machine without states keeps a context',
    machine: () => machine({ context: { n: 0 }, on: { INC: { actions: inc } } }),
    steps: [{ type: 'INC' }, { type: 'INC' }, { type: 'OTHER' }],
    ends: '',
  },
  {
    name: 'hierarchy: a machine that is over before it begins',
    machine: () => machine({ initial: 'end', states: { end: { type: 'final' } }, output: 7 }),
    ends: 'end done',
  },
  {
    name: 'hierarchy: events after the end go nowhere',
    machine: (trace) =>
      machine({
        initial: 'a',
        states: { a: { on: { END: 'end' } }, end: { type: 'final', entry: () => trace('over') } },
        on: { LATE: { actions: () => trace('late') } },
      }),
    steps: [{ type: 'END' }, { type: 'LATE' }],
    ends: 'end done',
  },
  {
    name: 'hierarchy: a self-transition of an outer state keeps its inner state',
    machine: (trace) =>
      machine({
        initial: 'a',
        states: {
          a: {
            initial: 'x',
            entry: () => trace('enter a'),
            on: { SELF: { target: 'a', actions: () => trace('self') } },
            states: { x: { on: { NEXT: 'y' } }, y: { entry: () => trace('enter y') } },
          },
        },
      }),
    steps: [{ type: 'NEXT' }, { type: 'SELF' }],
    ends: 'a.x',
  },
  {
    name: 'hierarchy: entry raises an event that the same state takes',
    machine: () =>
      machine({
        initial: 'a',
        states: {
          a: { entry: raise({ type: 'ON' }), on: { ON: 'b' } },
          b: { entry: raise({ type: 'ON' }), on: { ON: 'c' } },
          c: {},
        },
      }),
    ends: 'c',
  },
];

const regions = (trace: (text: string) => void): State =>
  noted(trace, 'm', {
    type: 'parallel',
    states: {
      l: { initial: 'a', states: { a: { on: { GO: 'b', L: 'b' } }, b: { on: { BACK: 'a' } } } },
      r: {
        initial: 'c',
        states: { c: { on: { GO: 'd', R: 'd' } }, d: { on: { END: 'e' } }, e: { type: 'final' } },
      },
    },
  });

const both = (name: string, events: readonly string[], ends: string): Row => ({
  name: `parallel: ${name}`,
  machine: (trace) => machine(regions(trace)),
  steps: events.map((type) => ({ type })),
  ends,
});

export const parallel: readonly Row[] = [
  both('all regions are entered', [], 'l.a, r.c'),
  both('an event reaches every region', ['GO'], 'l.b, r.d'),
  both('an event of one region leaves the others alone', ['L', 'NOPE'], 'l.b, r.c'),
  both('regions go their own ways', ['R', 'END', 'L', 'BACK'], 'l.a, r.e'),
  {
    name: 'parallel: the machine ends when every region has',
    machine: () =>
      machine({
        type: 'parallel',
        states: {
          l: { initial: 'a', states: { a: { on: { L: 'z' } }, z: { type: 'final' } } },
          r: { initial: 'a', states: { a: { on: { R: 'z' } }, z: { type: 'final' } } },
        },
        output: 'both',
      }),
    steps: [{ type: 'L' }, { type: 'R' }],
    ends: 'r.z, l.z done',
  },
  {
    name: 'parallel: onDone of a parallel state',
    machine: () =>
      machine({
        initial: 'p',
        states: {
          p: {
            type: 'parallel',
            states: {
              l: { initial: 'a', states: { a: { on: { L: 'z' } }, z: { type: 'final' } } },
              r: { initial: 'a', states: { a: { on: { R: 'z' } }, z: { type: 'final' } } },
            },
            onDone: 'q',
          },
          q: {},
        },
      }),
    steps: [{ type: 'R' }, { type: 'L' }],
    ends: 'q',
  },
  {
    name: 'parallel: one region is done and says so, the other goes on',
    machine: (trace) =>
      machine({
        type: 'parallel',
        states: {
          l: {
            initial: 'a',
            onDone: { actions: () => trace('l is done') },
            states: { a: { on: { L: 'z' } }, z: { type: 'final' } },
          },
          r: { initial: 'a', states: { a: { on: { R: 'b' } }, b: {} } },
        },
      }),
    steps: [{ type: 'L' }, { type: 'R' }],
    ends: 'l.z, r.b',
  },
  {
    name: 'parallel: leaving a parallel state leaves its regions, last first',
    machine: (trace) =>
      machine({
        initial: 'p',
        states: { p: { ...regions(trace), on: { OUT: 'q' } }, q: { on: { IN: 'p' } } },
      }),
    steps: [{ type: 'GO' }, { type: 'OUT' }, { type: 'IN' }],
    ends: 'p.l.a, p.r.c',
  },
  {
    name: 'parallel: a target in each region',
    machine: () =>
      machine({
        initial: 'off',
        states: {
          off: { on: { ON: { target: ['p.l.b', 'p.r.d'] } } },
          p: {
            type: 'parallel',
            states: {
              l: { initial: 'a', states: { a: {}, b: {} } },
              r: { initial: 'c', states: { c: {}, d: {} } },
            },
          },
        },
      }),
    steps: [{ type: 'ON' }],
    ends: 'p.l.b, p.r.d',
  },
  {
    name: 'parallel: a region raises what another one takes',
    machine: () =>
      machine({
        type: 'parallel',
        states: {
          l: {
            initial: 'a',
            states: { a: { on: { GO: { target: 'b', actions: raise({ type: 'KNOCK' }) } } }, b: {} },
          },
          r: { initial: 'c', states: { c: { on: { KNOCK: 'd' } }, d: {} } },
        },
      }),
    steps: [{ type: 'GO' }],
    ends: 'l.b, r.d',
  },
  {
    name: 'parallel: of two conflicting transitions the first region’s wins',
    machine: () =>
      machine({
        initial: 'p',
        states: {
          p: {
            type: 'parallel',
            states: {
              l: { initial: 'a', states: { a: { on: { X: '#left' } } } },
              r: { initial: 'c', states: { c: { on: { X: '#right' } } } },
            },
          },
          left: { id: 'left' },
          right: { id: 'right' },
        },
      }),
    steps: [{ type: 'X' }],
    ends: 'left',
  },
  {
    name: 'parallel: regions within regions',
    machine: () =>
      machine({
        type: 'parallel',
        states: {
          o: {
            type: 'parallel',
            states: {
              i: { initial: 'a', states: { a: { on: { X: 'b' } }, b: {} } },
              j: { initial: 'a', states: { a: { on: { Y: 'b' } }, b: {} } },
            },
          },
          k: { initial: 'a', states: { a: { on: { X: 'b' } }, b: {} } },
        },
      }),
    steps: [{ type: 'X' }, { type: 'Y' }],
    ends: 'o.i.b, o.j.b, k.b',
  },
  {
    name: 'parallel: assignments of both regions, in order',
    machine: () =>
      machine({
        context: { list: [] },
        type: 'parallel',
        states: { l: { on: { X: { actions: add('l') } } }, r: { on: { X: { actions: add('r') } } } },
      }),
    steps: [{ type: 'X' }, { type: 'X' }],
    ends: 'l, r',
  },
];

const player = (history: 'shallow' | 'deep', target?: string): State => ({
  initial: 'on',
  states: {
    on: {
      initial: 'a',
      on: { OFF: 'off' },
      states: {
        a: { on: { NEXT: 'b' } },
        b: { initial: 'x', states: { x: { on: { NEXT: 'y' } }, y: {} } },
        past: { type: 'history', history, ...(target === undefined ? {} : { target }) },
      },
    },
    off: { on: { ON: 'on.past', FRESH: 'on' } },
  },
});

const resumed = (name: string, config: State, events: readonly string[], ends: string): Row => ({
  name: `history: ${name}`,
  machine: () => machine(config),
  steps: events.map((type) => ({ type })),
  ends,
});

export const history: readonly Row[] = [
  resumed('shallow, to the child itself', player('shallow'), ['NEXT', 'NEXT', 'OFF', 'ON'], 'on.b.x'),
  resumed('deep, to the grandchild', player('deep'), ['NEXT', 'NEXT', 'OFF', 'ON'], 'on.b.y'),
  resumed('shallow, from the first child', player('shallow'), ['OFF', 'ON'], 'on.a'),
  resumed('a fresh entry does not remember', player('deep'), ['NEXT', 'NEXT', 'OFF', 'FRESH'], 'on.a'),
  resumed('the last exit counts', player('deep'), ['NEXT', 'NEXT', 'OFF', 'FRESH', 'OFF', 'ON'], 'on.a'),
  resumed(
    'a default target when there is no past',
    { ...player('shallow', 'b'), initial: 'off' },
    ['ON'],
    'on.b.x',
  ),
  resumed(
    'without a past and a default it is the initial state',
    { ...player('deep'), initial: 'off' },
    ['ON'],
    'on.a',
  ),
  resumed('a default target is not used when there is a past', player('shallow', 'b'), ['OFF', 'ON'], 'on.a'),
  resumed(
    'deep, of parallel regions',
    {
      initial: 'p',
      states: {
        p: {
          type: 'parallel',
          on: { OFF: 'off' },
          states: {
            l: { initial: 'a', states: { a: { on: { L: 'b' } }, b: {} } },
            r: {
              initial: 'a',
              states: {
                a: { on: { R: 'b' } },
                b: { initial: 'x', states: { x: { on: { R: 'y' } }, y: {} } },
              },
            },
            past: { type: 'history', history: 'deep' },
          },
        },
        off: { on: { ON: 'p.past' } },
      },
    },
    ['L', 'R', 'R', 'OFF', 'ON'],
    'p.l.b, p.r.b.y',
  ),
  resumed(
    'of one region, by a target of two',
    {
      initial: 'p',
      states: {
        p: {
          type: 'parallel',
          on: { OFF: 'off' },
          states: {
            l: { initial: 'a', states: { a: { on: { L: 'b' } }, b: {}, past: { type: 'history' } } },
            r: { initial: 'a', states: { a: { on: { R: 'b' } }, b: {} } },
          },
        },
        off: { on: { ON: { target: ['p.l.past', 'p.r.b'] } } },
      },
    },
    ['L', 'OFF', 'ON'],
    'p.l.b, p.r.b',
  ),
  resumed(
    'the context is not part of it',
    { ...player('shallow'), context: { n: 0 }, on: { INC: { actions: inc } } },
    ['INC', 'NEXT', 'OFF', 'INC', 'ON', 'INC'],
    'on.b.x',
  ),
  resumed(
    'a reset by leaving to another child',
    player('shallow'),
    ['NEXT', 'OFF', 'ON', 'OFF', 'ON'],
    'on.b.x',
  ),
];
