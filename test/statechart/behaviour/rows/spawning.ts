import type { AnyStateMachine } from 'xstate';
import {
  add,
  assign,
  enqueueActions,
  fails,
  forwardTo,
  inc,
  keep,
  machine,
  raise,
  sendParent,
  sendTo,
  spawnChild,
  stopChild,
  type Ref,
} from '../dialect.ts';
import { asBoth, fail, GATED, NEVER, settle, wait, type Row } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

const echo = (): AnyStateMachine =>
  machine({
    id: 'echo',
    context: ({ input }) => ({ got: input ?? null, n: 0 }),
    initial: 'a',
    states: {
      a: {
        on: {
          SAY: {
            actions: [
              inc,
              sendParent(({ context, event }) => ({
                type: 'SAID',
                value: event.value,
                by: context.got,
                n: context.n,
              })),
            ],
          },
          END: 'z',
          BREAK: { actions: fails('echo broke') },
        },
      },
      z: { type: 'final' },
    },
    output: ({ context }: { context: { n: number } }) => context.n,
  });
const listens = { SAID: { actions: add(({ event }: { event: object }) => ({ ...event })) } } as const;

export const spawning: readonly Row[] = [
  ...asBoth('echo', {
    name: 'spawn: spawnChild in entry, and a message',
    machine: () =>
      machine(
        {
          context: { list: [] },
          entry: spawnChild('echo', { id: 'one', input: 'first' }),
          on: { ...listens, GO: { actions: sendTo('one', { type: 'SAY', value: 1 }) } },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO'), e('GO')],
    ends: '',
  }),
  ...asBoth('echo', {
    name: 'spawn: in assign, its reference in the context',
    machine: () =>
      machine(
        {
          context: { list: [], ref: null as unknown as Ref },
          on: {
            ...listens,
            BORN: { actions: assign({ ref: ({ spawn }) => spawn('echo', { id: 'one', input: 'kept' }) }) },
            GO: { actions: sendTo(({ context }) => context.ref, { type: 'SAY', value: 1 }) },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('BORN'), e('GO')],
    ends: '',
  }),
  ...asBoth('echo', {
    name: 'spawn: in the initial context',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => ({ list: [], ref: spawn('echo', { id: 'one' }) }),
          on: {
            ...listens,
            GO: { actions: sendTo(({ context }) => context.ref, { type: 'SAY', value: 1 }) },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO')],
    ends: '',
  }),
  ...asBoth('echo', {
    name: 'spawn: many, each with its own id',
    machine: () =>
      machine(
        {
          context: { list: [], refs: [] as readonly Ref[], n: 0 },
          on: {
            ...listens,
            BORN: {
              actions: [
                inc,
                assign({
                  refs: ({ context, spawn }) => [
                    ...(context['refs'] as Ref[]),
                    spawn('echo', { id: `e${context.n}`, input: context.n }),
                  ],
                }),
              ],
            },
            ALL: {
              actions: enqueueActions(({ enqueue, context }) => {
                for (const ref of context['refs'] as Ref[]) enqueue.sendTo(ref, { type: 'SAY', value: 0 });
              }),
            },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('BORN'), e('BORN'), e('BORN'), e('ALL')],
    ends: '',
  }).slice(0, 1),
  ...asBoth('echo', {
    name: 'spawn: stopChild by id',
    machine: () =>
      machine(
        {
          context: { list: [] },
          entry: spawnChild('echo', { id: 'one' }),
          on: {
            ...listens,
            GO: { actions: sendTo('one', { type: 'SAY', value: 1 }) },
            STOP: { actions: stopChild('one') },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO'), e('STOP')],
    ends: '',
  }),
  ...asBoth('echo', {
    name: 'spawn: stopChild by reference',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => ({ list: [], ref: spawn('echo', { id: 'one' }) }),
          on: { ...listens, STOP: { actions: stopChild(({ context }) => context.ref) } },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('STOP')],
    ends: '',
  }),
  ...asBoth('echo', {
    name: 'spawn: its end is an event by its id',
    machine: () =>
      machine(
        {
          context: { got: null, list: [] },
          entry: spawnChild('echo', { id: 'one' }),
          initial: 'a',
          states: { a: { on: { 'xstate.done.actor.one': { target: 'b', actions: keep('output') } } }, b: {} },
          on: {
            ...listens,
            GO: { actions: [sendTo('one', { type: 'SAY', value: 1 }), sendTo('one', { type: 'END' })] },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO')],
    ends: 'b',
  }),
  ...asBoth('echo', {
    name: 'spawn: its error is an event by its id',
    machine: () =>
      machine(
        {
          context: { got: null },
          entry: spawnChild('echo', { id: 'one' }),
          initial: 'a',
          states: { a: { on: { 'xstate.error.actor.one': { target: 'b', actions: keep('error') } } }, b: {} },
          on: { GO: { actions: sendTo('one', { type: 'BREAK' }) } },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO')],
    ends: 'b',
  }),
  ...asBoth('echo', {
    name: 'spawn: an error that nothing takes',
    machine: () =>
      machine(
        {
          entry: spawnChild('echo', { id: 'one' }),
          initial: 'a',
          states: { a: {} },
          on: { GO: { actions: sendTo('one', { type: 'BREAK' }) } },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO')],
    ends: 'error: echo broke',
  }),
  ...asBoth('echo', {
    name: 'spawn: it lives beyond the state that spawned it',
    machine: () =>
      machine(
        {
          context: { list: [] },
          initial: 'a',
          states: { a: { entry: spawnChild('echo', { id: 'one' }), on: { NEXT: 'b' } }, b: {} },
          on: { ...listens, GO: { actions: sendTo('one', { type: 'SAY', value: 1 }) } },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('NEXT'), e('GO')],
    ends: 'b',
  }),
  {
    name: 'spawn: a promise by spawnChild',
    machine: () =>
      machine({
        context: { got: null },
        entry: spawnChild('load', { id: 'l', input: 3 }),
        initial: 'a',
        states: { a: { on: { 'xstate.done.actor.l': { target: 'b', actions: keep('output') } } }, b: {} },
      }),
    sources: { load: (n: number) => n + 1 },
    ends: 'b',
  },
  {
    name: 'spawn: a promise that fails',
    machine: () =>
      machine({
        context: { got: null },
        entry: spawnChild('load', { id: 'l' }),
        initial: 'a',
        states: { a: { on: { 'xstate.error.actor.l': { target: 'b', actions: keep('error') } } }, b: {} },
      }),
    sources: { load: GATED },
    steps: [fail('load', new Error('spawned in vain'))],
    ends: 'b',
  },
  {
    name: 'spawn: a promise, stopped before it settles',
    machine: () =>
      machine({
        entry: spawnChild('load', { id: 'l' }),
        initial: 'a',
        states: {
          a: { on: { STOP: { target: 'b', actions: stopChild('l') }, 'xstate.done.actor.l': 'c' } },
          b: {},
          c: {},
        },
      }),
    sources: { load: NEVER },
    steps: [e('STOP')],
    ends: 'b',
  },
  {
    name: 'spawn: by enqueueActions',
    machine: () =>
      machine(
        {
          context: { list: [] },
          on: {
            ...listens,
            BORN: {
              actions: enqueueActions(({ enqueue }) => {
                enqueue.spawnChild('echo', { id: 'q', input: 'queued' });
                enqueue.sendTo('q', { type: 'SAY', value: 5 });
              }),
            },
            STOP: { actions: enqueueActions(({ enqueue }) => enqueue.stopChild('q')) },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('BORN'), e('STOP')],
    ends: '',
  },
  {
    name: 'spawn: inline',
    machine: () =>
      machine({
        context: { list: [] },
        entry: spawnChild(echo(), { id: 'one' }),
        on: { ...listens, GO: { actions: sendTo('one', { type: 'SAY', value: 1 }) } },
      }),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'spawn: inline in assign',
    machine: () =>
      machine({
        context: ({ spawn }) => ({ list: [], ref: spawn(echo(), { id: 'one' }) }),
        on: { ...listens, GO: { actions: sendTo(({ context }) => context.ref, { type: 'SAY', value: 1 }) } },
      }),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'spawn: an id by a function',
    machine: () =>
      machine(
        {
          context: { list: [], n: 7 },
          entry: spawnChild('echo', { id: ({ context }) => `e-${context.n}` }),
          on: { ...listens, GO: { actions: sendTo('e-7', { type: 'SAY', value: 1 }) } },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'spawn: an input by a function',
    machine: () =>
      machine(
        {
          context: { list: [], n: 7 },
          entry: spawnChild('echo', {
            id: 'one',
            input: ({ context }: { context: { n: number } }) => context.n,
          }),
          on: { ...listens, GO: { actions: sendTo('one', { type: 'SAY', value: 1 }) } },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'spawn: syncSnapshot',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => ({ list: [], n: 0, ref: spawn('echo', { id: 'one', syncSnapshot: true }) }),
          on: {
            'xstate.snapshot.one': { actions: inc },
            GO: { actions: sendTo('one', { type: 'SAY', value: 1 }) },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'spawn: getSnapshot of a reference in a guard',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => ({ ref: spawn('echo', { id: 'one' }) }),
          initial: 'a',
          states: {
            a: {
              on: {
                SAY: { actions: forwardTo('one') },
                CHECK: { guard: ({ context }) => context.ref.getSnapshot().context.n === 2, target: 'b' },
              },
            },
            b: {},
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('SAY', { value: 1 }), e('CHECK'), e('SAY', { value: 1 }), e('CHECK')],
    ends: 'b',
  },
  {
    name: 'spawn: siblings that talk by references',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => {
            const ref = spawn('echo', { id: 'b' });
            return { list: [], ref: spawn('relay', { id: 'a', input: { other: ref } }), other: ref };
          },
          on: { ...listens, GO: { actions: sendTo('a', { type: 'PASS', value: 4 }) } },
        },
        {
          actors: {
            echo: echo(),
            relay: machine({
              context: ({ input }) => ({ ref: (input as { other: Ref }).other }),
              on: {
                PASS: {
                  actions: sendTo(
                    ({ context }) => context.ref,
                    ({ event }) => ({ type: 'SAY', value: event.value }),
                  ),
                },
              },
            }),
          },
        },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'spawn: the id of a stopped child is free again',
    machine: () =>
      machine(
        {
          context: { list: [] },
          on: {
            ...listens,
            BORN: { actions: spawnChild('echo', { id: 'one' }) },
            STOP: { actions: stopChild('one') },
            GO: { actions: sendTo('one', { type: 'SAY', value: 1 }) },
          },
        },
        { actors: { echo: echo() } },
      ),
    steps: [e('BORN'), e('GO'), e('STOP'), e('BORN'), e('GO')],
    ends: '',
  },
  {
    name: 'spawn: two promises and an event between their ends',
    machine: () =>
      machine({
        context: { list: [], n: 0 },
        entry: [spawnChild('one', { id: 'o' }), spawnChild('two', { id: 't' })],
        on: { 'xstate.done.actor.*': { actions: add(({ event }) => event.output) }, INC: { actions: inc } },
      }),
    sources: { one: GATED, two: GATED },
    steps: [settle('two', 2), e('INC'), settle('one', 1)],
    ends: '',
  },
];

export const systems: readonly Row[] = [
  ...asBoth('log', {
    name: 'system: sendTo by systemId of an invoked actor',
    machine: () =>
      machine(
        {
          context: { list: [] },
          invoke: { id: 'logger', systemId: 'logger', src: 'log' },
          on: {
            GO: {
              actions: sendTo(
                ({ system }) => system.get('logger'),
                ({ event }) => event,
              ),
            },
            SAID: { actions: add(({ event }) => event.value) },
          },
        },
        {
          actors: {
            log: machine({ on: { GO: { actions: sendParent({ type: 'SAID', value: 'logged' }) } } }),
          },
        },
      ),
    steps: [e('GO'), e('GO')],
    ends: '',
  }),
  {
    name: 'system: systemId of a spawned actor',
    machine: () =>
      machine(
        {
          context: { list: [] },
          entry: spawnChild('log', { id: 'l', systemId: 'logger' }),
          on: {
            GO: { actions: sendTo(({ system }) => system.get('logger'), { type: 'GO' }) },
            SAID: { actions: add(({ event }) => event.value) },
          },
        },
        {
          actors: {
            log: machine({ on: { GO: { actions: sendParent({ type: 'SAID', value: 'logged' }) } } }),
          },
        },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'system: a child reaches its sibling',
    machine: () =>
      machine(
        {
          context: { list: [] },
          invoke: [
            { id: 'a', src: 'a' },
            { id: 'b', systemId: 'store', src: 'b' },
          ],
          on: {
            GO: { actions: sendTo('a', { type: 'GO' }) },
            SAID: { actions: add(({ event }) => event.value) },
          },
        },
        {
          actors: {
            a: machine({
              on: { GO: { actions: sendTo(({ system }) => system.get('store'), { type: 'PUT', value: 3 }) } },
            }),
            b: machine({
              on: { PUT: { actions: sendParent(({ event }) => ({ type: 'SAID', value: event.value })) } },
            }),
          },
        },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'system: get answers undefined for what there is not',
    machine: (trace) =>
      machine({ on: { GO: { actions: ({ system }) => trace(String(system.get('nobody') as unknown)) } } }),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'system: an actor that was left is no longer there',
    machine: (trace) =>
      machine(
        {
          initial: 'a',
          states: { a: { invoke: { id: 'k', systemId: 'kid', src: 'kid' }, on: { NEXT: 'b' } }, b: {} },
          on: {
            LOOK: {
              actions: ({ system }) => trace((system.get('kid') as unknown) === undefined ? 'gone' : 'there'),
            },
          },
        },
        { actors: { kid: machine({}) } },
      ),
    steps: [e('LOOK'), e('NEXT'), e('LOOK')],
    ends: 'b',
  },
  {
    name: 'system: getSnapshot by systemId',
    machine: () =>
      machine(
        {
          context: { n: 0 },
          invoke: { id: 'k', systemId: 'kid', src: 'kid' },
          on: {
            GO: { actions: sendTo('k', { type: 'INC' }) },
            LOOK: { actions: assign({ n: ({ system }) => system.get('kid').getSnapshot().context.n }) },
          },
        },
        { actors: { kid: machine({ context: { n: 5 }, on: { INC: { actions: inc } } }) } },
      ),
    steps: [e('GO'), e('LOOK')],
    ends: '',
  },
  {
    name: 'system: an activity with a systemId',
    machine: (trace) =>
      machine({
        initial: 'p',
        states: {
          p: {
            invoke: { systemId: 'loader', src: 'load', onDone: 'q' },
            on: {
              LOOK: {
                actions: ({ system }) =>
                  trace((system.get('loader') as unknown) === undefined ? 'gone' : 'there'),
              },
            },
          },
          q: {},
        },
      }),
    sources: { load: GATED },
    steps: [e('LOOK'), settle('load')],
    ends: 'q',
  },
  {
    name: 'references: itself in the context',
    machine: () =>
      machine({
        context: ({ self }) => ({ ref: self, n: 0 }),
        on: { GO: { actions: sendTo(({ context }) => context.ref, { type: 'INC' }) }, INC: { actions: inc } },
      }),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'references: in an array, a Map and a Set of the context',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => {
            const ref = spawn('kid', { id: 'k' });
            return { list: [ref], map: new Map([['k', ref]]), set: new Set([ref]), n: 0 };
          },
          on: {
            GO: {
              actions: sendTo(({ context }) => (context['map'] as Map<string, Ref>).get('k'), { type: 'HI' }),
            },
            SAID: { actions: inc },
          },
        },
        { actors: { kid: machine({ on: { HI: { actions: sendParent({ type: 'SAID' }) } } }) } },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'references: in a raised event',
    machine: () =>
      machine({
        context: { n: 0 },
        on: {
          GO: { actions: raise(({ self }) => ({ type: 'USE', ref: self })) },
          USE: { actions: sendTo(({ event }) => event.ref, { type: 'INC' }) },
          INC: { actions: inc },
        },
      }),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'references: in a delayed event',
    machine: () =>
      machine({
        context: { n: 0 },
        on: {
          GO: { actions: raise(({ self }) => ({ type: 'USE', ref: self }), { delay: 20 }) },
          USE: { actions: sendTo(({ event }) => event.ref, { type: 'INC' }) },
          INC: { actions: inc },
        },
      }),
    steps: [e('GO'), wait(20)],
    ends: '',
  },
  {
    name: 'references: in the output of a child',
    machine: () =>
      machine(
        {
          context: { got: null, n: 0 },
          initial: 'p',
          states: {
            p: {
              invoke: {
                id: 'kid',
                src: 'kid',
                input: ({ self }: { self: unknown }) => ({ ref: self }),
                onDone: { target: 'q', actions: keep('output') },
              },
            },
            q: { entry: sendTo(({ context }) => context.got as Ref, { type: 'INC' }) },
          },
          on: { INC: { actions: inc } },
        },
        {
          actors: {
            kid: machine({
              context: ({ input }) => ({ ref: (input as { ref: Ref }).ref }),
              initial: 'z',
              states: { z: { type: 'final' } },
              output: ({ context }: { context: { ref: unknown } }) => context.ref,
            }),
          },
        },
      ),
    ends: 'q',
  },
  {
    name: 'references: a child in the output of the machine',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => ({ ref: spawn('kid', { id: 'k' }) }),
          initial: 'a',
          states: { a: { on: { END: 'z' } }, z: { type: 'final' } },
          output: ({ context }: { context: { ref: { id: string } } }) => context.ref.id,
        },
        { actors: { kid: machine({}) } },
      ),
    steps: [e('END')],
    ends: 'z done',
  },
  {
    name: 'references: one to a child that was stopped stays in the context',
    machine: () =>
      machine(
        {
          context: ({ spawn }) => ({ ref: spawn('kid', { id: 'k' }), n: 0 }),
          on: {
            STOP: { actions: stopChild('k') },
            GO: { actions: [sendTo(({ context }) => context.ref, { type: 'HI' }), inc] },
          },
        },
        { actors: { kid: machine({}) } },
      ),
    steps: [e('STOP'), e('GO')],
    ends: '',
  },
];
