import { fromPromise } from 'xstate';
import { add, assign, fails, inc, keep, machine, raise, type State } from '../dialect.ts';
import { fail, FAR, GATED, NEVER, settle, wait, type Row, type Source } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

/** A state that invokes `load` and goes to `ok` or `bad` with what it got. */
const loading = (more: object = {}): State => ({
  context: { n: 3, got: null, list: [] },
  initial: 'p',
  states: {
    p: {
      invoke: {
        id: 'load',
        src: 'load',
        onDone: { target: 'ok', actions: keep('output') },
        onError: { target: 'bad', actions: keep('error') },
        ...more,
      },
      on: { LEAVE: 'away', AGAIN: { target: 'p', reenter: true }, INC: { actions: inc } },
    },
    ok: {},
    bad: {},
    away: { on: { BACK: 'p' } },
  },
});

const loads = (
  name: string,
  load: Source,
  ends: string,
  more: object = {},
  steps: Row['steps'] = [],
): Row => ({
  name: `promise: ${name}`,
  machine: () => machine(loading(more)),
  sources: { load },
  steps,
  ends,
});

class CardDeclined extends Error {
  override readonly name = 'CardDeclined';
  readonly code = 'insufficient_funds';
  readonly amount = 12;
}

export const promises: readonly Row[] = [
  loads('done', () => 'page', 'ok'),
  loads('done with an object', () => ({ a: [1, { b: null }] }), 'ok'),
  loads('done with undefined', () => undefined, 'ok'),
  loads('done with null', () => null, 'ok'),
  loads('an error', fails('no such page'), 'bad'),
  loads(
    'an error with a name, a code and fields',
    () => {
      throw new CardDeclined('declined');
    },
    'bad',
  ),
  loads(
    'an error with a cause',
    () => {
      throw new Error('outer', { cause: new TypeError('inner') });
    },
    'bad',
  ),
  loads(
    'a TypeError',
    () => {
      throw new TypeError('not a function');
    },
    'bad',
  ),
  loads('a constant input', ({ url }: { url: string }) => url, 'ok', { input: { url: '/a' } }),
  loads('an input of the context', (n: number) => n * 2, 'ok', {
    input: ({ context }: { context: { n: number } }) => context.n,
  }),
  loads(
    'an input of the event',
    (type: string) => type,
    'ok',
    { input: ({ event }: { event: { type: string } }) => event.type },
    [e('LEAVE'), e('BACK')],
  ),
  loads('guarded onDone', () => 5, 'ok', {
    onDone: [
      { guard: ({ event }: { event: { output: number } }) => event.output > 10, target: 'away' },
      { target: 'ok' },
    ],
  }),
  loads('onDone without a target', () => 5, 'p', { onDone: { actions: keep('output') } }),
  loads('without onError the machine fails', fails('unseen'), 'error: unseen', { onError: undefined }),
  loads('events while it runs', GATED, 'ok', {}, [e('INC'), e('INC'), settle('load', 'page')]),
  loads('it fails after an event', GATED, 'bad', {}, [e('INC'), fail('load', new Error('late'))]),
  loads('left before it settles', NEVER, 'away', {}, [e('LEAVE')]),
  loads('left, and entered again', GATED, 'ok', {}, [e('LEAVE'), e('BACK'), settle('load', 2)]),
  loads('re-entered while it runs', GATED, 'ok', {}, [e('AGAIN'), e('AGAIN'), settle('load', 'third')]),
  loads('never settles', NEVER, 'p', {}, [e('INC'), wait(100)]),
  {
    name: 'promise: a timeout by after',
    machine: () =>
      machine({
        initial: 'p',
        states: {
          p: { invoke: { src: 'load', onDone: 'ok', onError: 'bad' }, after: { 30: 'late' } },
          ok: {},
          bad: {},
          late: {},
        },
      }),
    sources: { load: NEVER },
    steps: [wait(30)],
    ends: 'late',
  },
  {
    name: 'promise: in time, the timeout is cancelled',
    machine: () =>
      machine({
        initial: 'p',
        states: { p: { invoke: { src: 'load', onDone: 'ok' }, after: { [FAR]: 'late' } }, ok: {}, late: {} },
      }),
    sources: { load: () => 1 },
    steps: [wait(50)],
    ends: 'ok',
  },
  {
    name: 'promise: two of one state',
    machine: () =>
      machine({
        context: { list: [] },
        initial: 'p',
        states: {
          p: {
            invoke: [
              { id: 'one', src: 'one', onDone: { actions: add(({ event }) => event.output) } },
              { id: 'two', src: 'two', onDone: { target: 'q', actions: add(({ event }) => event.output) } },
            ],
          },
          q: {},
        },
      }),
    sources: { one: GATED, two: GATED },
    steps: [settle('one', 1), settle('two', 2)],
    ends: 'q',
  },
  {
    name: 'promise: in both regions',
    machine: () =>
      machine({
        type: 'parallel',
        states: {
          l: { initial: 'p', states: { p: { invoke: { src: 'one', onDone: 'q' } }, q: { type: 'final' } } },
          r: { initial: 'p', states: { p: { invoke: { src: 'two', onDone: 'q' } }, q: { type: 'final' } } },
        },
      }),
    sources: { one: GATED, two: GATED },
    steps: [settle('two'), settle('one')],
    ends: 'r.q, l.q done',
  },
  {
    name: 'promise: one after the other',
    machine: () =>
      machine({
        context: { list: [] },
        initial: 'one',
        states: {
          one: {
            invoke: {
              src: 'load',
              input: 1,
              onDone: { target: 'two', actions: add(({ event }) => event.output) },
            },
          },
          two: {
            invoke: {
              src: 'load',
              input: 2,
              onDone: { target: 'three', actions: add(({ event }) => event.output) },
            },
          },
          three: {
            invoke: {
              src: 'load',
              input: 3,
              onDone: { target: 'end', actions: add(({ event }) => event.output) },
            },
          },
          end: { type: 'final' },
        },
        output: ({ context }: { context: { list: unknown } }) => context.list,
      }),
    sources: { load: (n: number) => n * n },
    ends: 'end done',
  },
  {
    name: 'promise: of the root, for as long as the machine lives',
    machine: () =>
      machine({
        context: { got: null },
        invoke: { src: 'load', onDone: { actions: keep('output') } },
        initial: 'a',
        states: { a: { on: { GO: 'b' } }, b: {} },
      }),
    sources: { load: GATED },
    steps: [e('GO'), settle('load', 'root')],
    ends: 'b',
  },
  {
    name: 'promise: started and stopped within one macrostep',
    machine: (trace) =>
      machine({
        initial: 'a',
        states: {
          a: { invoke: { src: 'load', onDone: { actions: () => trace('done') } }, always: 'b' },
          b: {},
        },
      }),
    sources: { load: () => 1 },
    steps: [e('X')],
    ends: 'b',
  },
  {
    name: 'promise: a retry loop by the machine',
    machine: () =>
      machine({
        context: { n: 0 },
        initial: 'try',
        states: {
          try: {
            entry: inc,
            invoke: {
              src: 'load',
              input: ({ context }: { context: { n: number } }) => context.n,
              onDone: 'ok',
              onError: 'wait',
            },
          },
          wait: { after: { 10: 'try' } },
          ok: { type: 'final' },
        },
        output: ({ context }: { context: { n: number } }) => context.n,
      }),
    sources: {
      load: (n: number) => {
        if (n < 3) throw new Error('again');
        return n;
      },
    },
    steps: [wait(30)],
    ends: 'ok done',
  },
  {
    name: 'promise: onDone raises',
    machine: () =>
      machine({
        initial: 'p',
        states: {
          p: { invoke: { src: 'load', onDone: { actions: raise({ type: 'LOADED' }) } }, on: { LOADED: 'q' } },
          q: {},
        },
      }),
    sources: { load: () => 1 },
    ends: 'q',
  },
  {
    name: 'promise: its id in the event of its end',
    machine: (trace) =>
      machine({
        initial: 'p',
        states: {
          p: {
            invoke: {
              id: 'my',
              src: 'load',
              onDone: {
                target: 'q',
                actions: ({ event }) => trace(`${event.type} ${String(event['actorId'])}`),
              },
            },
          },
          q: {},
        },
      }),
    sources: { load: () => 1 },
    ends: 'q',
  },
  {
    name: 'promise: an id of XState’s own making',
    machine: (trace) =>
      machine({
        id: 'm',
        initial: 'p',
        states: {
          p: { invoke: { src: 'load', onDone: { target: 'q', actions: ({ event }) => trace(event.type) } } },
          q: {},
        },
      }),
    sources: { load: () => 1 },
    ends: 'q',
  },
  {
    name: 'promise: the machine ends by onDone',
    machine: () =>
      machine({
        initial: 'p',
        states: {
          p: { invoke: { src: 'load', onDone: 'z' } },
          z: { type: 'final', output: ({ event }: { event: { output: unknown } }) => event.output },
        },
        output: ({ event }: { event: { output: unknown } }) => event.output,
      }),
    sources: { load: () => ({ receipt: 'r1' }) },
    ends: 'z done',
  },
  {
    name: 'promise: a local activity',
    machine: () => machine(loading()),
    sources: { load: () => 'near' },
    kinds: { load: 'local-activity' },
    ends: 'ok',
  },
  {
    name: 'promise: a local activity that fails',
    machine: () => machine(loading()),
    sources: { load: fails('near miss', { code: 3 }) },
    kinds: { load: 'local-activity' },
    ends: 'bad',
  },
  {
    name: 'promise: inline, in the process',
    machine: () =>
      machine({
        context: { got: null },
        initial: 'p',
        states: {
          p: {
            invoke: {
              src: fromPromise(async () => await Promise.resolve('inline')),
              onDone: { target: 'q', actions: keep('output') },
            },
          },
          q: {},
        },
      }),
    ends: 'q',
  },
  {
    name: 'promise: inline, in the process, with an input',
    machine: () =>
      machine({
        context: { n: 2, got: null },
        initial: 'p',
        states: {
          p: {
            invoke: {
              src: fromPromise(async ({ input }) => await Promise.resolve(input as unknown)),
              input: ({ context }: { context: { n: number } }) => [context.n],
              onDone: { target: 'q', actions: keep('output') },
            },
          },
          q: {},
        },
      }),
    ends: 'q',
  },
  {
    name: 'promise: inline, in the process, that rejects',
    machine: () =>
      machine({
        context: { got: null },
        initial: 'p',
        states: {
          p: {
            invoke: {
              src: fromPromise(async () => await Promise.reject(new RangeError('too far'))),
              onError: { target: 'q', actions: keep('error') },
            },
          },
          q: {},
        },
      }),
    ends: 'q',
  },
  {
    name: 'promise: named, in the process',
    machine: () =>
      machine(
        {
          context: { got: null },
          initial: 'p',
          states: {
            p: { invoke: { src: 'own', input: 4, onDone: { target: 'q', actions: keep('output') } } },
            q: {},
          },
        },
        { actors: { own: fromPromise(async ({ input }) => await Promise.resolve((input as number) + 1)) } },
      ),
    ends: 'q',
  },
  {
    name: 'promise: named, in the process, left before it settles',
    machine: () =>
      machine(
        {
          initial: 'p',
          states: { p: { invoke: { src: 'own', onDone: 'q' }, on: { GO: 'r' } }, q: {}, r: {} },
        },
        { actors: { own: fromPromise(async () => await new Promise(() => undefined)) } },
      ),
    steps: [e('GO')],
    ends: 'r',
  },
  {
    name: 'promise: onDone when the context changed meanwhile',
    machine: () =>
      machine({
        context: { n: 0, got: null },
        initial: 'p',
        states: {
          p: {
            invoke: {
              src: 'load',
              input: ({ context }: { context: { n: number } }) => context.n,
              onDone: {
                target: 'q',
                actions: assign({ got: ({ context, event }) => [context.n, event.output] }),
              },
            },
            on: { INC: { actions: inc } },
          },
          q: {},
        },
      }),
    sources: { load: GATED },
    steps: [e('INC'), e('INC'), settle('load', 'x')],
    ends: 'q',
  },
];
