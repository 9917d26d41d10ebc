import type { AnyStateMachine } from 'xstate';
import {
  add,
  assign,
  emit,
  enqueueActions,
  fails,
  forwardTo,
  inc,
  keep,
  machine,
  raise,
  sendParent,
  sendTo,
  type Ref,
  type State,
} from '../dialect.ts';
import { asBoth, FAR, settle, GATED, wait, type Row, type Trace } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

/** Counts, tells its parent on demand, and ends. */
const counter = (trace: Trace): AnyStateMachine =>
  machine({
    id: 'counter',
    context: ({ input }) => ({ n: (input as { start?: number } | undefined)?.start ?? 0 }),
    initial: 'on',
    states: {
      on: {
        on: {
          INC: { actions: [inc, ({ context }) => trace(`kid ${context.n}`)] },
          ADD: { actions: assign({ n: ({ context, event }) => context.n + event.value }) },
          TELL: { actions: sendParent(({ context }) => ({ type: 'KID', value: context.n })) },
          TELL_LATE: { actions: sendParent({ type: 'KID', value: -1 }, { delay: 20 }) },
          END: 'over',
          BREAK: { actions: fails('kid broke') },
        },
      },
      over: { type: 'final' },
    },
    output: ({ context }: { context: { n: number } }) => ({ counted: context.n }),
  });

const parentOf = (more: object = {}, rest: State = {}): State => ({
  context: { n: 0, got: null, list: [] },
  initial: 'p',
  ...rest,
  states: {
    p: {
      invoke: {
        id: 'kid',
        src: 'kid',
        onDone: { target: 'done', actions: keep('output') },
        onError: { target: 'bad', actions: keep('error') },
        ...more,
      },
      on: {
        TO: { actions: sendTo('kid', ({ event }) => event['event'] as { type: string }) },
        KID: { actions: add(({ event }) => event.value) },
        LEAVE: 'away',
      },
    },
    done: {},
    bad: {},
    away: { on: { BACK: 'p' } },
    ...rest.states,
  },
});

const to = (type: string, more: object = {}): { type: string } => e('TO', { event: { type, ...more } });

const family = (
  name: string,
  steps: Row['steps'],
  ends: string,
  more: object = {},
  rest: State = {},
): readonly Row[] =>
  asBoth('kid', {
    name: `machine: ${name}`,
    machine: (trace) => machine(parentOf(more, rest), { actors: { kid: counter(trace) } }),
    steps: steps ?? [],
    ends,
  });

export const children: readonly Row[] = [
  ...family('runs and ends', [to('INC'), to('INC'), to('END')], 'done'),
  ...family('its own input as written', [to('END')], 'done', { input: { start: 5 } }),
  ...family(
    'an input of the context',
    [to('INC'), to('END')],
    'done',
    { input: ({ context }: { context: { n: number } }) => ({ start: context.n + 40 }) },
    { context: { n: 2, got: null } },
  ),
  ...family('without an input', [to('ADD', { value: 3 }), to('END')], 'done'),
  ...family('it tells its parent', [to('INC'), to('TELL'), to('INC'), to('TELL')], 'p'),
  ...family('it tells its parent after a delay', [to('TELL_LATE'), wait(20)], 'p'),
  ...family('stopped by leaving the state', [to('INC'), e('LEAVE')], 'away'),
  ...family(
    'anew by coming back',
    [to('INC'), e('LEAVE'), e('BACK'), to('INC'), to('INC'), to('END')],
    'done',
  ),
  ...family('it fails', [to('BREAK')], 'bad'),
  ...family('it fails, and nothing takes the error', [to('BREAK')], 'error: kid broke', {
    onError: undefined,
  }),
  ...family('an event that it does not take', [to('NOPE'), to('END')], 'done'),
  ...family(
    'three events at once, in their order',
    [e('MANY'), to('END')],
    'done',
    {},
    {
      on: {
        MANY: {
          actions: [
            sendTo('kid', { type: 'ADD', value: 1 }),
            sendTo('kid', { type: 'INC' }),
            sendTo('kid', { type: 'ADD', value: 10 }),
          ],
        },
      },
    },
  ),
  ...family(
    'a delayed event to it',
    [e('LATER'), wait(20), to('END')],
    'done',
    {},
    { on: { LATER: { actions: sendTo('kid', { type: 'INC' }, { delay: 20 }) } } },
  ),
  ...family(
    'a delayed event that it does not live to see',
    [e('LATER'), e('LEAVE'), wait(30)],
    'away',
    {},
    { on: { LATER: { actions: sendTo('kid', { type: 'INC' }, { delay: FAR }) } } },
  ),
  ...family(
    'an event in the entry of the state that invokes it',
    [to('END')],
    'done',
    {},
    { entry: raise({ type: 'EARLY' }), on: { EARLY: { actions: sendTo('kid', { type: 'ADD', value: 9 }) } } },
  ),
  ...family(
    'forwardTo',
    [e('INC'), e('INC'), to('END')],
    'done',
    {},
    { on: { INC: { actions: forwardTo('kid') } } },
  ),
  ...family(
    'by the reference in children',
    [e('REF'), to('END')],
    'done',
    {},
    {
      on: {
        REF: {
          actions: sendTo(
            ({ self }) =>
              (self.getSnapshot() as unknown as { children: Record<string, Ref> }).children['kid'],
            { type: 'INC' },
          ),
        },
      },
    },
  ),
  ...family('onDone with a guard', [to('END')], 'away', {
    input: { start: 1 },
    onDone: [
      {
        guard: ({ event }: { event: { output: { counted: number } } }) => event.output.counted > 1,
        target: 'done',
      },
      { target: 'away' },
    ],
  }),
  ...family('onSnapshot', [to('INC'), to('INC')], 'p', {
    onSnapshot: {
      actions: assign({ n: ({ event }) => (event['snapshot'] as { context: { n: number } }).context.n }),
    },
  }),
  ...family('onSnapshot with a target', [to('ADD', { value: 7 })], 'away', {
    onSnapshot: {
      guard: ({ event }: { event: { snapshot: { context: { n: number } } } }) => event.snapshot.context.n > 5,
      target: 'away',
    },
  }),
  ...asBoth('kid', {
    name: 'machine: getSnapshot of a child in an action',
    machine: (trace) =>
      machine(
        parentOf(
          { onSnapshot: { actions: inc } },
          {
            on: {
              LOOK: {
                actions: enqueueActions(({ enqueue, self }) => {
                  const seen = self.getSnapshot() as unknown as { children: Record<string, Ref> };
                  if (seen.children['kid']?.getSnapshot().context.n === 4) enqueue.raise({ type: 'LEAVE' });
                }),
              },
            },
          },
        ),
        { actors: { kid: counter(trace) } },
      ),
    steps: [to('ADD', { value: 4 }), e('LOOK')],
    ends: 'away',
  }),
  ...asBoth('kid', {
    name: 'machine: it lives as long as its parent',
    machine: (trace) =>
      machine(
        {
          invoke: { id: 'kid', src: 'kid' },
          on: { TO: { actions: sendTo('kid', ({ event }) => event['event'] as { type: string }) } },
          initial: 'a',
          states: { a: { on: { GO: 'b' } }, b: { on: { END: 'z' } }, z: { type: 'final' } },
        },
        { actors: { kid: counter(trace) } },
      ),
    steps: [to('INC'), e('GO'), to('INC'), e('END')],
    ends: 'z done',
  }),
  ...asBoth('kid', {
    name: 'machine: it is over before it begins',
    machine: () =>
      machine(parentOf(), {
        actors: { kid: machine({ initial: 'z', states: { z: { type: 'final' } }, output: 'at once' }) },
      }),
    ends: 'done',
  }),
  ...asBoth('kid', {
    name: 'machine: it tells its parent in its first step',
    machine: () =>
      machine(parentOf(), { actors: { kid: machine({ entry: sendParent({ type: 'KID', value: 1 }) }) } }),
    ends: 'p',
  }),
  ...asBoth('kid', {
    name: 'machine: it fails in its first step',
    machine: () => machine(parentOf(), { actors: { kid: machine({ entry: fails('stillborn') }) } }),
    ends: 'bad',
  }),
  ...asBoth('kid', {
    name: 'machine: its context fails',
    machine: () =>
      machine(parentOf(), { actors: { kid: machine({ context: fails('no context', { code: 9 }) }) } }),
    ends: 'bad',
  }),
  ...asBoth('kid', {
    name: 'machine: an error with fields reaches the parent',
    machine: () =>
      machine(parentOf(), {
        actors: { kid: machine({ on: { GO: { actions: fails('typed', { code: 'E7', data: { a: 1 } }) } } }) },
      }),
    steps: [to('GO')],
    ends: 'bad',
  }),
  ...asBoth('kid', {
    name: 'machine: delays of its own',
    machine: () =>
      machine(parentOf(), {
        actors: {
          kid: machine({
            initial: 'a',
            states: { a: { after: { 20: 'b' } }, b: { after: { 20: 'z' } }, z: { type: 'final' } },
          }),
        },
      }),
    steps: [wait(50)],
    ends: 'done',
  }),
  ...asBoth('kid', {
    name: 'machine: a promise of its own',
    machine: () =>
      machine(parentOf(), {
        actors: {
          kid: machine({
            context: { got: null },
            initial: 'a',
            states: {
              a: { invoke: { src: 'load', onDone: { target: 'z', actions: keep('output') } } },
              z: { type: 'final' },
            },
            output: ({ context }: { context: { got: unknown } }) => context.got,
          }),
        },
      }),
    sources: { load: () => 'from below' },
    ends: 'done',
  }),
  ...asBoth('kid', {
    name: 'machine: a promise of its own that takes its time',
    machine: () =>
      machine(parentOf({}, { on: { INC: { actions: inc } } }), {
        actors: {
          kid: machine({
            initial: 'a',
            states: { a: { invoke: { src: 'load', onDone: 'z' } }, z: { type: 'final' } },
          }),
        },
      }),
    sources: { load: GATED },
    steps: [e('INC'), settle('load')],
    ends: 'done',
  }),
  ...asBoth('kid', {
    name: 'machine: a grandchild',
    machine: (trace) => {
      const kid = machine(
        {
          invoke: { id: 'below', src: 'below' },
          on: { DOWN: { actions: sendTo('below', ({ event }) => event['event'] as { type: string }) } },
        },
        { actors: { below: counter(trace) } },
      );
      return machine(parentOf(), { actors: { kid } });
    },
    steps: [to('DOWN', { event: e('INC') }), to('DOWN', { event: e('END') })],
    ends: 'p',
  }),
  ...asBoth('kid', {
    name: 'machine: parent and child talk to and fro',
    machine: () =>
      machine(
        {
          context: { n: 0 },
          invoke: { id: 'kid', src: 'kid' },
          initial: 'a',
          states: {
            a: {
              on: {
                PONG: [
                  { guard: ({ context }) => context.n >= 4, target: 'b' },
                  { actions: [inc, sendTo('kid', { type: 'PING' })] },
                ],
              },
            },
            b: {},
          },
          on: { GO: { actions: sendTo('kid', { type: 'PING' }) } },
        },
        { actors: { kid: machine({ on: { PING: { actions: sendParent({ type: 'PONG' }) } } }) } },
      ),
    steps: [e('GO')],
    ends: 'b',
  }),
  ...asBoth('kid', {
    name: 'machine: the parent as a reference in the input',
    machine: () =>
      machine(
        {
          initial: 'a',
          states: {
            a: {
              invoke: { id: 'kid', src: 'kid', input: ({ self }: { self: unknown }) => ({ parent: self }) },
              on: { HELLO: 'b' },
            },
            b: {},
          },
        },
        {
          actors: {
            kid: machine({
              context: ({ input }) => ({ ref: (input as { parent: Ref }).parent }),
              entry: sendTo(({ context }) => context.ref, { type: 'HELLO' }),
            }),
          },
        },
      ),
    ends: 'b',
  }),
  ...asBoth('kid', {
    name: 'machine: the sender as a reference in an event',
    machine: () =>
      machine(
        {
          initial: 'ask',
          invoke: { id: 'kid', src: 'kid' },
          states: {
            ask: {
              on: { GO: { actions: sendTo('kid', ({ self }) => ({ type: 'AUTH', ref: self })) }, OK: 'auth' },
            },
            auth: {},
          },
        },
        {
          actors: {
            kid: machine({ on: { AUTH: { actions: sendTo(({ event }) => event.ref, { type: 'OK' }, {}) } } }),
          },
        },
      ),
    steps: [e('GO')],
    ends: 'auth',
  }),
  ...asBoth('kid', {
    name: 'machine: it answers after a delay by a reference of an event',
    machine: () =>
      machine(
        {
          initial: 'ask',
          invoke: { id: 'kid', src: 'kid' },
          states: {
            ask: {
              on: { GO: { actions: sendTo('kid', ({ self }) => ({ type: 'AUTH', ref: self })) }, OK: 'auth' },
            },
            auth: {},
          },
        },
        {
          actors: {
            kid: machine({
              on: { AUTH: { actions: sendTo(({ event }) => event.ref, { type: 'OK' }, { delay: 20 }) } },
            }),
          },
        },
      ),
    steps: [e('GO'), wait(20)],
    ends: 'auth',
  }),
  ...asBoth('kid', {
    name: 'machine: data in its input, its events and its output',
    machine: () =>
      machine(parentOf({ input: { at: new Date(5), all: new Set([1]) } }), {
        actors: {
          kid: machine({
            context: ({ input }) => ({ got: input, list: [] }),
            on: { PUT: { actions: add(({ event }) => event['data']) } },
            initial: 'a',
            states: { a: { on: { END: 'z' } }, z: { type: 'final' } },
            output: ({ context }: { context: object }) => ({ ...context, big: 7n }),
          }),
        },
      }),
    steps: [to('PUT', { data: new Map([['a', new Date(6)]]) }), to('END')],
    ends: 'done',
  }),
  ...family(
    'getSnapshot of a child whose snapshots nobody asked for',
    [to('ADD', { value: 4 }), e('LOOK')],
    'away',
    {},
    {
      on: {
        LOOK: {
          actions: enqueueActions(({ enqueue, self }) => {
            const seen = self.getSnapshot() as unknown as { children: Record<string, Ref> };
            if (seen.children['kid']?.getSnapshot().value === 'on') enqueue.raise({ type: 'LEAVE' });
          }),
        },
      },
    },
  ),
  ...family('onSnapshot after an event that the child does not take', [to('NOPE'), to('NOPE')], 'p', {
    onSnapshot: { actions: inc },
  }),
  {
    name: 'machine: inline',
    machine: (trace) => machine(parentOf({ src: counter(trace) })),
    steps: [to('INC'), to('END')],
    ends: 'done',
  },
  {
    name: 'machine: inline, with an input',
    machine: (trace) => machine(parentOf({ src: counter(trace), input: { start: 8 } })),
    steps: [to('TELL'), to('END')],
    ends: 'done',
  },
  {
    name: 'machine: it emits, and nobody above hears it',
    machine: () =>
      machine(
        { invoke: { id: 'kid', src: 'kid' }, on: { TO: { actions: sendTo('kid', { type: 'GO' }) } } },
        { actors: { kid: machine({ on: { GO: { actions: emit({ type: 'told' }) } } }) } },
      ),
    steps: [e('TO')],
    ends: '',
  },
  {
    name: 'machine: two of the same source',
    machine: (trace) =>
      machine(
        {
          context: { list: [] },
          invoke: [
            { id: 'one', src: 'kid', input: { start: 1 } },
            { id: 'two', src: 'kid', input: { start: 10 } },
          ],
          on: {
            BOTH: { actions: [sendTo('one', { type: 'TELL' }), sendTo('two', { type: 'TELL' })] },
            KID: { actions: add(({ event }) => event.value) },
          },
        },
        { actors: { kid: counter(trace) } },
      ),
    steps: [e('BOTH')],
    ends: '',
  },
  {
    name: 'machine: in two regions',
    machine: (trace) =>
      machine(
        {
          type: 'parallel',
          states: {
            l: {
              initial: 'a',
              states: {
                a: {
                  invoke: { id: 'l', src: 'kid', onDone: 'z' },
                  on: { L: { actions: sendTo('l', { type: 'END' }) } },
                },
                z: { type: 'final' },
              },
            },
            r: {
              initial: 'a',
              states: {
                a: {
                  invoke: { id: 'r', src: 'kid', onDone: 'z' },
                  on: { R: { actions: sendTo('r', { type: 'END' }) } },
                },
                z: { type: 'final' },
              },
            },
          },
        },
        { actors: { kid: counter(trace) } },
      ),
    steps: [e('R'), e('L')],
    ends: 'r.z, l.z done',
  },
];
