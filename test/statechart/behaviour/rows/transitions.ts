import {
  add,
  and,
  assign,
  inc,
  machine,
  not,
  or,
  raise,
  stateIn,
  type Guard,
  type State,
} from '../dialect.ts';
import { FAR, wait, type Row } from '../row.ts';

const guarded = (name: string, guard: Guard, ends: string, context = { n: 5 }): Row => ({
  name: `guards: ${name}`,
  machine: () =>
    machine(
      {
        context,
        initial: 'a',
        states: { a: { on: { GO: [{ target: 'yes', guard }, 'no'] } }, yes: {}, no: {} },
      },
      {
        guards: {
          positive: ({ context: { n } }) => n > 0,
          big: ({ context: { n } }) => n > 100,
          over: ({ context: { n } }, params: { limit: number }) => n > params.limit,
          both: and(['positive', 'big']),
        },
      },
    ),
  steps: [{ type: 'GO', value: 3 }],
  ends,
});

export const guards: readonly Row[] = [
  guarded('an inline function that holds', ({ context }) => context.n === 5, 'yes'),
  guarded('an inline function that does not', ({ context }) => context.n === 6, 'no'),
  guarded('of the event', ({ event }) => event.value === 3, 'yes'),
  guarded('by name', 'positive', 'yes'),
  guarded('by type', { type: 'big' }, 'no'),
  guarded('with params', { type: 'over', params: { limit: 4 } }, 'yes'),
  guarded(
    'with params of a function',
    { type: 'over', params: ({ event }: { event: { value: number } }) => ({ limit: event.value * 2 }) },
    'no',
  ),
  guarded('and', and(['positive', not('big')]), 'yes'),
  guarded('and, one of them false', and(['positive', 'big']), 'no'),
  guarded('or', or(['big', ({ context }) => context.n < 6]), 'yes'),
  guarded('or, none', or(['big', not('positive')]), 'no'),
  guarded('not', not('big'), 'yes'),
  guarded(
    'nested',
    or([and(['positive', 'big']), and([not('big'), { type: 'over', params: { limit: 1 } }])]),
    'yes',
  ),
  guarded('a named combination', 'both', 'no'),
  guarded('a combination that a changed context meets', 'both', 'yes', { n: 101 }),
  {
    name: 'guards: stateIn another region',
    machine: () =>
      machine({
        type: 'parallel',
        states: {
          l: {
            initial: 'a',
            states: { a: { on: { L: { target: 'b', guard: stateIn({ r: 'd' }) } } }, b: {} },
          },
          r: { initial: 'c', states: { c: { on: { R: 'd' } }, d: {} } },
        },
      }),
    steps: [{ type: 'L' }, { type: 'R' }, { type: 'L' }],
    ends: 'l.b, r.d',
  },
  {
    name: 'guards: stateIn by id',
    machine: () =>
      machine({
        type: 'parallel',
        states: {
          l: { initial: 'a', states: { a: { on: { L: { target: 'b', guard: stateIn('#ready') } } }, b: {} } },
          r: { initial: 'c', states: { c: { on: { R: 'd' } }, d: { id: 'ready' } } },
        },
      }),
    steps: [{ type: 'L' }, { type: 'R' }, { type: 'L' }],
    ends: 'l.b, r.d',
  },
  {
    name: 'guards: an inner one that does not hold lets the outer transition through',
    machine: () =>
      machine({
        initial: 'a',
        on: { GO: '.out' },
        states: { a: { on: { GO: { target: 'b', guard: () => false } } }, b: {}, out: {} },
      }),
    steps: [{ type: 'GO' }],
    ends: 'out',
  },
  {
    name: 'guards: the first that holds wins',
    machine: () =>
      machine({
        context: { n: 2 },
        initial: 'a',
        states: {
          a: {
            on: {
              GO: [
                { target: 'one', guard: ({ context }) => context.n === 1 },
                { target: 'two', guard: ({ context }) => context.n === 2 },
                { target: 'more', guard: ({ context }) => context.n > 1 },
              ],
            },
          },
          one: {},
          two: {},
          more: {},
        },
      }),
    steps: [{ type: 'GO' }],
    ends: 'two',
  },
];

export const always: readonly Row[] = [
  {
    name: 'always: at once',
    machine: () => machine({ initial: 'a', states: { a: { always: 'b' }, b: { always: 'c' }, c: {} } }),
    ends: 'c',
  },
  {
    name: 'always: once its guard holds',
    machine: () =>
      machine({
        context: { n: 0 },
        initial: 'a',
        states: {
          a: {
            on: { INC: { actions: inc } },
            always: { guard: ({ context }) => context.n > 1, target: 'b' },
          },
          b: {},
        },
      }),
    steps: [{ type: 'INC' }, { type: 'INC' }],
    ends: 'b',
  },
  {
    name: 'always: a loop by a counter ends',
    machine: () =>
      machine({
        context: { n: 0 },
        initial: 'a',
        states: {
          a: {
            always: [
              { guard: ({ context }) => context.n >= 50, target: 'end' },
              { target: 'b', actions: inc },
            ],
          },
          b: { always: 'a' },
          end: { type: 'final' },
        },
        output: ({ context }: { context: { n: number } }) => context.n,
      }),
    ends: 'end done',
  },
  {
    name: 'always: before raised events',
    machine: (trace) =>
      machine({
        initial: 'a',
        states: {
          a: { entry: raise({ type: 'X' }), always: 'b', on: { X: { actions: () => trace('a took X') } } },
          b: { on: { X: { target: 'c', actions: () => trace('b took X') } } },
          c: {},
        },
      }),
    ends: 'c',
  },
  {
    name: 'always: in another region, by its state',
    machine: () =>
      machine({
        type: 'parallel',
        states: {
          l: { initial: 'a', states: { a: { on: { GO: 'b' } }, b: {} } },
          r: { initial: 'c', states: { c: { always: { guard: stateIn({ l: 'b' }), target: 'd' } }, d: {} } },
        },
      }),
    steps: [{ type: 'GO' }],
    ends: 'l.b, r.d',
  },
  {
    name: 'always: actions without a target, once',
    machine: () =>
      machine({
        context: { n: 0 },
        initial: 'a',
        states: {
          a: { on: { GO: 'b' } },
          b: { always: { guard: ({ context }) => context.n === 0, actions: inc } },
        },
      }),
    steps: [{ type: 'GO' }],
    ends: 'b',
  },
  {
    name: 'always: of the root',
    machine: () =>
      machine({
        context: { n: 0 },
        initial: 'a',
        states: { a: {}, b: { type: 'final' } },
        on: { INC: { actions: inc } },
        always: { guard: ({ context }) => context.n === 2, target: '.b' },
      }),
    steps: [{ type: 'INC' }, { type: 'INC' }],
    ends: 'b done',
  },
  {
    name: 'always: entry actions of a passed state run',
    machine: () =>
      machine({
        context: { list: [] },
        initial: 'a',
        states: {
          a: { on: { GO: 'b' } },
          b: { entry: add('in'), exit: add('out'), always: { target: 'c', actions: add('through') } },
          c: {},
        },
      }),
    steps: [{ type: 'GO' }],
    ends: 'c',
  },
];

const late = (name: string, config: State, steps: Row['steps'], ends: string): Row => ({
  name: `after: ${name}`,
  machine: () => machine(config, { delays: { short: 20, dynamic: ({ context }) => context.n, long: FAR } }),
  steps: steps ?? [],
  ends,
});

export const after: readonly Row[] = [
  late('a delay ends', { initial: 'a', states: { a: { after: { 20: 'b' } }, b: {} } }, [wait(20)], 'b'),
  late(
    'one after the other',
    { initial: 'a', states: { a: { after: { 20: 'b' } }, b: { after: { 20: 'c' } }, c: {} } },
    [wait(20), wait(20)],
    'c',
  ),
  late(
    'all within one wait',
    { initial: 'a', states: { a: { after: { 20: 'b' } }, b: { after: { 20: 'c' } }, c: {} } },
    [wait(50)],
    'c',
  ),
  late('a delay of 0', { initial: 'a', states: { a: { after: { 0: 'b' } }, b: {} } }, [wait(1)], 'b'),
  late('a named delay', { initial: 'a', states: { a: { after: { short: 'b' } }, b: {} } }, [wait(20)], 'b'),
  late(
    'a delay of the context',
    { context: { n: 30 }, initial: 'a', states: { a: { after: { dynamic: 'b' } }, b: {} } },
    [wait(30)],
    'b',
  ),
  late(
    'a delay of the context that is long',
    { context: { n: FAR }, initial: 'a', states: { a: { after: { dynamic: 'b' } }, b: {} } },
    [wait(30)],
    'a',
  ),
  late(
    'a long one waits',
    { initial: 'a', states: { a: { after: { long: 'b' } }, b: {} } },
    [wait(1000)],
    'a',
  ),
  late(
    'the shorter of two',
    { initial: 'a', states: { a: { after: { [FAR]: 'b', 20: 'c' } }, b: {}, c: {} } },
    [wait(30)],
    'c',
  ),
  late(
    'guarded',
    {
      initial: 'a',
      states: { a: { after: { 20: [{ guard: () => false, target: 'b' }, { target: 'c' }] } }, b: {}, c: {} },
    },
    [wait(20)],
    'c',
  ),
  late(
    'a guard that does not hold',
    { initial: 'a', states: { a: { after: { 20: { guard: () => false, target: 'b' } } }, b: {} } },
    [wait(20)],
    'a',
  ),
  late(
    'cancelled by leaving',
    { initial: 'a', states: { a: { after: { [FAR]: 'b' }, on: { GO: 'c' } }, b: {}, c: {} } },
    [{ type: 'GO' }, wait(50)],
    'c',
  ),
  late(
    'begins anew by re-entering',
    {
      context: { n: 0 },
      initial: 'a',
      states: {
        a: { entry: inc, after: { [FAR]: 'b' }, on: { AGAIN: { target: 'a', reenter: true } } },
        b: {},
      },
    },
    [{ type: 'AGAIN' }, { type: 'AGAIN' }],
    'a',
  ),
  late(
    'of an outer state goes on while its children change',
    {
      initial: 'a',
      states: {
        a: {
          initial: 'x',
          after: { 60: 'b' },
          states: { x: { after: { 20: 'y' } }, y: { after: { 20: 'z' } }, z: {} },
        },
        b: {},
      },
    },
    [wait(20), wait(20), wait(20)],
    'b',
  ),
  late(
    'nested, the inner one first',
    {
      initial: 'a',
      states: {
        a: { initial: 'x', after: { 40: 'b' }, states: { x: { after: { 20: 'y' } }, y: {} } },
        b: {},
      },
    },
    [wait(50)],
    'b',
  ),
  late(
    'with actions only',
    { context: { n: 0 }, initial: 'a', states: { a: { after: { 20: { actions: inc } } } } },
    [wait(20)],
    'a',
  ),
  late(
    'in both regions',
    {
      type: 'parallel',
      states: {
        l: { initial: 'a', states: { a: { after: { 20: 'b' } }, b: {} } },
        r: { initial: 'a', states: { a: { after: { 30: 'b' } }, b: {} } },
      },
    },
    [wait(40)],
    'l.b, r.b',
  ),
  late(
    'to the end',
    { initial: 'a', states: { a: { after: { 20: 'z' } }, z: { type: 'final' } }, output: 'late' },
    [wait(20)],
    'z done',
  ),
  late('of the root', { initial: 'a', after: { 20: '.b' }, states: { a: {}, b: {} } }, [wait(20)], 'b'),
  late(
    'round and round',
    {
      context: { n: 0 },
      initial: 'a',
      states: {
        a: { entry: inc, after: { 10: 'b' } },
        b: { after: { 10: [{ guard: ({ context }) => context.n === 4, target: 'end' }, { target: 'a' }] } },
        end: { type: 'final' },
      },
    },
    [wait(200)],
    'end done',
  ),
  late(
    'an event while one waits',
    {
      context: { n: 0 },
      initial: 'a',
      states: { a: { after: { [FAR]: 'b' }, on: { INC: { actions: inc } } }, b: {} },
    },
    [{ type: 'INC' }, wait(10), { type: 'INC' }],
    'a',
  ),
  late(
    'two with the same target',
    {
      context: { list: [] },
      initial: 'a',
      states: {
        a: { after: { 20: { actions: add('20') }, 40: { target: 'b', actions: add('40') } } },
        b: {},
      },
    },
    [wait(20), wait(20)],
    'b',
  ),
  late(
    'then always',
    { initial: 'a', states: { a: { after: { 20: 'b' } }, b: { always: 'c' }, c: {} } },
    [wait(20)],
    'c',
  ),
  late(
    'the state that is entered again by its parent',
    {
      initial: 'p',
      states: {
        p: {
          initial: 'a',
          on: { RESET: { target: 'p', reenter: true } },
          states: { a: { on: { NEXT: 'b' } }, b: { after: { [FAR]: 'c' } }, c: {} },
        },
      },
    },
    [{ type: 'NEXT' }, { type: 'RESET' }, wait(10), { type: 'NEXT' }],
    'p.b',
  ),
  late(
    'a context that is assigned before it',
    {
      context: { n: FAR },
      initial: 'a',
      states: { a: { entry: assign({ n: 25 }), after: { dynamic: 'b' } }, b: {} },
    },
    [wait(25)],
    'b',
  ),
];

const moves = (name: string, config: State, steps: Row['steps'], ends: string): Row => ({
  name: `transitions: ${name}`,
  machine: () => machine(config),
  steps: steps ?? [],
  ends,
});

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

export const transitions: readonly Row[] = [
  moves(
    'the wildcard takes what nothing else does',
    { initial: 'a', states: { a: { on: { X: 'x', '*': 'other' } }, x: {}, other: {} } },
    [e('ANY')],
    'other',
  ),
  moves(
    'a name wins over the wildcard',
    { initial: 'a', states: { a: { on: { '*': 'other', X: 'x' } }, x: {}, other: {} } },
    [e('X')],
    'x',
  ),
  moves(
    'a partial wildcard',
    { initial: 'a', states: { a: { on: { 'mouse.*': 'b' } }, b: {} } },
    [e('mouse.click.left')],
    'b',
  ),
  moves(
    'a partial wildcard takes the bare prefix',
    { initial: 'a', states: { a: { on: { 'mouse.*': 'b' } }, b: {} } },
    [e('mouse')],
    'b',
  ),
  moves(
    'a partial wildcard does not take a longer word',
    { initial: 'a', states: { a: { on: { 'mouse.*': 'b' } }, b: {} } },
    [e('mousetrap')],
    'a',
  ),
  moves(
    'the longer partial wildcard wins',
    { initial: 'a', states: { a: { on: { 'm.*': 'one', 'm.c.*': 'two' } }, one: {}, two: {} } },
    [e('m.c.l')],
    'two',
  ),
  moves(
    'a wildcard with a guard',
    {
      initial: 'a',
      states: {
        a: { on: { '*': { guard: ({ event }) => event.type.startsWith('A'), target: 'b' } } },
        b: {},
      },
    },
    [e('B'), e('A1')],
    'b',
  ),
  moves(
    'the wildcard of the root',
    {
      context: { n: 0 },
      initial: 'a',
      on: { '*': { actions: inc } },
      states: { a: { on: { X: 'b' } }, b: {} },
    },
    [e('X'), e('X'), e('Y')],
    'b',
  ),
  moves(
    'an inner wildcard hides an outer name',
    { initial: 'a', on: { X: '.c' }, states: { a: { on: { '*': 'b' } }, b: {}, c: {} } },
    [e('X')],
    'b',
  ),
  moves(
    'a forbidden event does not reach the parent',
    {
      context: { n: 0 },
      initial: 'a',
      on: { X: { actions: inc } },
      states: { a: { on: { X: undefined, GO: 'b' } }, b: {} },
    },
    [e('X'), e('GO'), e('X')],
    'b',
  ),
  moves(
    'a forbidden event by an empty transition',
    { context: { n: 0 }, initial: 'a', on: { X: { actions: inc } }, states: { a: { on: { X: {} } } } },
    [e('X')],
    'a',
  ),
  moves(
    'reenter runs exit and entry',
    {
      context: { list: [] },
      initial: 'a',
      states: { a: { entry: add('in'), exit: add('out'), on: { X: { target: 'a', reenter: true } } } },
    },
    [e('X')],
    'a',
  ),
  moves(
    'without reenter a self-target runs neither',
    {
      context: { list: [] },
      initial: 'a',
      states: { a: { entry: add('in'), exit: add('out'), on: { X: { target: 'a', actions: add('x') } } } },
    },
    [e('X')],
    'a',
  ),
  moves(
    'reenter of a parent from a child target',
    {
      context: { list: [] },
      initial: 'p',
      states: {
        p: {
          initial: 'a',
          entry: add('in p'),
          exit: add('out p'),
          on: { X: { target: '.b', reenter: true } },
          states: { a: {}, b: {} },
        },
      },
    },
    [e('X')],
    'p.b',
  ),
  moves(
    'a child target keeps the parent',
    {
      context: { list: [] },
      initial: 'p',
      states: {
        p: {
          initial: 'a',
          entry: add('in p'),
          exit: add('out p'),
          on: { X: '.b' },
          states: { a: { exit: add('out a') }, b: { entry: add('in b') } },
        },
      },
    },
    [e('X')],
    'p.b',
  ),
  moves(
    'an event with dots',
    { initial: 'a', states: { a: { on: { 'order.paid': 'b' } }, b: {} } },
    [e('order'), e('order.paid')],
    'b',
  ),
  moves(
    'an event with data',
    { context: { got: null }, on: { PUT: { actions: assign({ got: ({ event }) => event['body'] }) } } },
    [e('PUT', { body: { deep: [1, { two: 2 }] } })],
    '',
  ),
  moves(
    'tags of all active states',
    {
      tags: ['root'],
      type: 'parallel',
      states: {
        l: { initial: 'a', states: { a: { tags: 'busy', on: { X: 'b' } }, b: { tags: ['idle', 'calm'] } } },
        r: { tags: 'right' },
      },
    },
    [e('X')],
    'l.b, r',
  ),
  moves(
    'tags while loading',
    {
      initial: 'a',
      states: { a: { tags: ['loading', 'visible'], on: { OK: 'b' } }, b: { tags: 'visible' } },
    },
    [e('OK')],
    'b',
  ),
  moves(
    'meta is no part of the state',
    {
      initial: 'a',
      meta: { m: 1 },
      states: {
        a: { meta: { page: 'a' }, on: { X: { target: 'b', meta: { why: 'x' } } } },
        b: { meta: { page: 'b' } },
      },
    },
    [e('X')],
    'b',
  ),
  moves(
    'a route by an event of its own',
    {
      id: 'app',
      initial: 'home',
      states: { home: { id: 'home', route: {} }, about: { id: 'about', route: {} } },
    },
    [e('xstate.route', { to: '#about' })],
    'about',
  ),
  moves(
    'a route whose guard does not hold',
    {
      id: 'app',
      initial: 'home',
      states: { home: { id: 'home', route: {} }, admin: { id: 'admin', route: { guard: () => false } } },
    },
    [e('xstate.route', { to: '#admin' })],
    'home',
  ),
  moves(
    'output of a constant',
    { initial: 'a', states: { a: { on: { END: 'z' } }, z: { type: 'final' } }, output: { ok: true } },
    [e('END')],
    'z done',
  ),
  moves(
    'output of the context',
    {
      context: { n: 3 },
      initial: 'a',
      states: { a: { on: { END: 'z' } }, z: { type: 'final' } },
      output: ({ context }: { context: { n: number } }) => ({ n: context.n }),
    },
    [e('END')],
    'z done',
  ),
  moves(
    'output of the final state, by the event',
    {
      initial: 'a',
      states: {
        a: { on: { END: 'z' } },
        z: { type: 'final', output: ({ event }: { event: { type: string } }) => event.type },
      },
      output: ({ event }: { event: { output: unknown } }) => event.output,
    },
    [e('END')],
    'z done',
  ),
  moves(
    'output of which of two ends',
    {
      initial: 'a',
      states: {
        a: { on: { Y: 'yes', N: 'no' } },
        yes: { type: 'final', output: 'yes' },
        no: { type: 'final', output: 'no' },
      },
      output: ({ event }: { event: { output: unknown } }) => event.output,
    },
    [e('N')],
    'no done',
  ),
  moves(
    'no output at all',
    { initial: 'a', states: { a: { on: { END: 'z' } }, z: { type: 'final' } } },
    [e('END')],
    'z done',
  ),
  moves(
    'output null',
    { initial: 'a', states: { a: { on: { END: 'z' } }, z: { type: 'final' } }, output: null },
    [e('END')],
    'z done',
  ),
  {
    name: 'transitions: input makes the context',
    machine: () =>
      machine({
        context: ({ input }) => ({ got: input, n: (input as { start: number }).start }),
        on: { INC: { actions: inc } },
      }),
    input: { start: 40, names: ['a', 'b'] },
    steps: [e('INC')],
    ends: '',
  },
  {
    name: 'transitions: no input',
    machine: () => machine({ context: ({ input }) => ({ got: input === undefined ? 'none' : 'some' }) }),
    ends: '',
  },
  {
    name: 'transitions: input in the output',
    machine: () =>
      machine({
        context: ({ input }) => ({ got: input }),
        initial: 'z',
        states: { z: { type: 'final' } },
        output: ({ context }: { context: { got: unknown } }) => context.got,
      }),
    input: { list: [1, 2, { three: 3 }] },
    ends: 'z done',
  },
  {
    name: 'transitions: two events in one step of a client, in their order',
    machine: () =>
      machine({ context: { list: [] }, on: { '*': { actions: add(({ event }) => event.type) } } }),
    steps: [e('ONE'), e('TWO'), e('THREE'), e('ONE')],
    ends: '',
  },
];
