import {
  add,
  assign,
  enqueueActions,
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
import { asBoth, FAR, fail, GATED, NEVER, settle, wait, type Row } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

export const examples: readonly Row[] = [
  {
    name: 'example: purchase before the deadline',
    machine: () =>
      machine({
        id: 'purchase',
        initial: 'open',
        states: {
          open: { after: { [FAR]: 'missed' }, on: { ORDER: 'ordered' } },
          ordered: { type: 'final' },
          missed: { type: 'final' },
        },
      }),
    steps: [wait(10), e('ORDER')],
    ends: 'ordered done',
  },
  {
    name: 'example: purchase after the deadline',
    machine: () =>
      machine({
        id: 'purchase',
        initial: 'open',
        states: {
          open: { after: { 30: 'missed' }, on: { ORDER: 'ordered' } },
          ordered: { type: 'final' },
          missed: { type: 'final' },
        },
      }),
    steps: [wait(30), e('ORDER')],
    ends: 'missed done',
  },
  {
    name: 'example: credit check of three bureaus',
    machine: () =>
      machine({
        id: 'credit',
        context: ({ input }) => ({ got: input, list: [] }),
        initial: 'verify',
        states: {
          verify: {
            invoke: {
              src: 'verify',
              input: ({ context }: { context: { got: unknown } }) => context.got,
              onDone: 'scores',
              onError: 'refused',
            },
          },
          scores: {
            type: 'parallel',
            states: Object.fromEntries(
              ['one', 'two', 'three'].map((name) => [
                name,
                {
                  initial: 'asking',
                  states: {
                    asking: {
                      invoke: {
                        src: name,
                        onDone: { target: 'known', actions: add(({ event }) => event.output) },
                      },
                    },
                    known: { type: 'final' as const },
                  },
                },
              ]),
            ),
            onDone: 'decide',
          },
          decide: {
            always: [
              {
                guard: ({ context }) => (context.list as number[]).toSorted((a, b) => a - b)[1]! > 700,
                target: 'approved',
              },
              { target: 'refused' },
            ],
          },
          approved: { type: 'final' },
          refused: { type: 'final' },
        },
      }),
    input: { ssn: '123' },
    sources: { verify: () => true, one: GATED, two: GATED, three: GATED },
    steps: [settle('two', 720), settle('one', 650), settle('three', 790)],
    ends: 'approved done',
  },
  {
    name: 'example: monitor job',
    machine: () =>
      machine({
        id: 'monitor',
        context: { n: 0 },
        initial: 'submit',
        states: {
          submit: { invoke: { src: 'submit', onDone: 'waiting', onError: 'failed' } },
          waiting: { after: { 10: 'checking' } },
          checking: {
            entry: inc,
            invoke: {
              src: 'status',
              input: ({ context }: { context: { n: number } }) => context.n,
              onDone: [
                { guard: ({ event }) => event.output === 'SUCCEEDED', target: 'ended' },
                { guard: ({ event }) => event.output === 'FAILED', target: 'failed' },
                'waiting',
              ],
              onError: 'failed',
            },
          },
          failed: { type: 'final' },
          ended: { type: 'final' },
        },
      }),
    sources: { submit: () => 'job-1', status: (n: number) => (n < 3 ? 'RUNNING' : 'SUCCEEDED') },
    steps: [wait(30)],
    ends: 'ended done',
  },
  {
    name: 'example: book lending',
    machine: () =>
      machine({
        id: 'lending',
        context: { got: null, n: 0 },
        initial: 'status',
        states: {
          status: {
            invoke: {
              src: 'status',
              onDone: [
                { guard: ({ event }) => event.output === 'onLoan', target: 'report' },
                { target: 'check out' },
              ],
            },
          },
          report: { on: { HOLD: 'hold', CANCEL: 'cancelled' } },
          hold: { invoke: { src: 'hold', onDone: 'sleep' } },
          sleep: { after: { 20: 'again' } },
          again: {
            entry: inc,
            invoke: {
              src: 'again',
              onDone: [
                { guard: ({ event }) => event.output === 'onLoan', target: 'sleep' },
                { target: 'check out' },
              ],
            },
          },
          'check out': { invoke: { src: 'checkout', onDone: { target: 'done', actions: keep('output') } } },
          cancelled: { type: 'final' },
          done: { type: 'final' },
        },
        output: ({ context }: { context: object }) => context,
      }),
    sources: { status: () => 'onLoan', hold: () => null, again: () => 'free', checkout: () => ({ due: 14 }) },
    steps: [e('HOLD'), wait(20)],
    ends: 'done done',
  },
  {
    name: 'example: stopwatch',
    machine: () =>
      machine({
        context: { n: 0 },
        initial: 'stopped',
        states: {
          stopped: { on: { START: 'running' } },
          running: {
            after: {
              10: { target: 'running', reenter: true, actions: inc, guard: ({ context }) => context.n < 5 },
            },
            on: { STOP: 'stopped', RESET: { actions: assign({ n: 0 }) } },
          },
        },
        on: { RESET: { actions: assign({ n: 0 }) } },
      }),
    steps: [e('START'), wait(100), e('STOP'), e('RESET')],
    ends: 'stopped',
  },
  {
    name: 'example: traffic light',
    machine: () =>
      machine({
        initial: 'green',
        context: { n: 0 },
        states: {
          green: { after: { 10: 'yellow' } },
          yellow: { after: { 10: 'red' } },
          red: {
            entry: inc,
            initial: 'walk',
            states: { walk: { after: { 10: 'stop' } }, stop: { type: 'final' } },
            onDone: [{ guard: ({ context }) => context.n < 2, target: 'green' }, { target: 'off' }],
          },
          off: {},
        },
      }),
    steps: [wait(200)],
    ends: 'off',
  },
  {
    name: 'example: approval with reminders',
    machine: (trace) =>
      machine({
        context: { n: 0, got: null },
        initial: 'asking',
        states: {
          asking: {
            initial: 'waiting',
            on: {
              APPROVE: { target: 'approved', actions: assign({ got: ({ event }) => event['by'] }) },
              REJECT: 'rejected',
            },
            states: {
              waiting: { after: { 20: { guard: ({ context }) => context.n < 2, target: 'reminding' } } },
              reminding: { entry: [inc, ({ context }) => trace(`reminder ${context.n}`)], always: 'waiting' },
            },
          },
          approved: { type: 'final' },
          rejected: { type: 'final' },
        },
        output: ({ context }: { context: { got: unknown; n: number } }) =>
          `${String(context.got)}:${context.n}`,
      }),
    steps: [wait(60), e('APPROVE', { by: 'ann' })],
    ends: 'approved done',
  },
  {
    name: 'example: order saga with compensation',
    machine: () =>
      machine({
        context: { list: [] },
        initial: 'reserving',
        states: {
          reserving: {
            invoke: {
              src: 'reserve',
              onDone: { target: 'charging', actions: add('reserved') },
              onError: 'failed',
            },
          },
          charging: {
            invoke: {
              src: 'charge',
              onDone: { target: 'shipping', actions: add('charged') },
              onError: 'releasing',
            },
          },
          shipping: { invoke: { src: 'ship', onDone: 'shipped', onError: 'refunding' } },
          refunding: { invoke: { src: 'refund', onDone: { target: 'releasing', actions: add('refunded') } } },
          releasing: { invoke: { src: 'release', onDone: { target: 'failed', actions: add('released') } } },
          shipped: { type: 'final' },
          failed: { type: 'final' },
        },
        output: ({ context }: { context: { list: unknown } }) => context.list,
      }),
    sources: { reserve: () => 1, charge: () => 1, ship: GATED, refund: () => 1, release: () => 1 },
    steps: [fail('ship', new Error('no courier'))],
    ends: 'failed done',
  },
  {
    name: 'example: event-based decision with timeout',
    machine: () =>
      machine({
        initial: 'ask',
        states: {
          ask: { on: { YES: 'yes', NO: 'no' }, after: { [FAR]: 'silence' } },
          yes: { type: 'final' },
          no: { type: 'final' },
          silence: { type: 'final' },
        },
      }),
    steps: [e('MAYBE'), e('NO')],
    ends: 'no done',
  },
  ...asBoth('pong', {
    name: 'example: ping and pong',
    machine: () =>
      machine(
        {
          context: { n: 0 },
          initial: 'play',
          states: {
            play: {
              invoke: { id: 'pong', src: 'pong' },
              entry: raise({ type: 'SERVE' }),
              on: {
                SERVE: { actions: sendTo('pong', ({ self }) => ({ type: 'PING', ref: self })) },
                PONG: [
                  { guard: ({ context }) => context.n >= 3, target: 'over' },
                  { actions: [inc, raise({ type: 'SERVE' })] },
                ],
              },
            },
            over: { type: 'final' },
          },
        },
        {
          actors: {
            pong: machine({
              on: { PING: { actions: sendTo(({ event }) => event.ref, { type: 'PONG' }, { delay: 5 }) } },
            }),
          },
        },
      ),
    steps: [wait(50)],
    ends: 'over done',
  }),
  {
    name: 'example: a list of todos, one actor each',
    machine: () =>
      machine(
        {
          context: { n: 0, list: [] },
          on: {
            NEW: {
              actions: [
                inc,
                assign({
                  list: ({ context, event, spawn }) => [
                    ...context.list,
                    spawn('todo', { id: `todo-${context.n}`, input: event['title'] }),
                  ],
                }),
              ],
            },
            DONE: { actions: sendTo(({ event }) => `todo-${event.value}`, { type: 'DONE' }) },
            GONE: {
              actions: [
                stopChild(({ event }) => `todo-${event.value}`),
                assign({
                  list: ({ context, event }) =>
                    (context.list as Ref[]).filter(({ id }) => id !== `todo-${event.value}`),
                }),
              ],
            },
            FINISHED: { actions: assign({ got: ({ event }) => event['title'] }) },
          },
        },
        {
          actors: {
            todo: machine({
              context: ({ input }) => ({ got: input }),
              initial: 'open',
              states: {
                open: {
                  on: {
                    DONE: {
                      target: 'done',
                      actions: sendParent(({ context }) => ({ type: 'FINISHED', title: context.got })),
                    },
                  },
                },
                done: {},
              },
            }),
          },
        },
      ),
    steps: [
      e('NEW', { title: 'milk' }),
      e('NEW', { title: 'bread' }),
      e('DONE', { value: 2 }),
      e('GONE', { value: 1 }),
    ],
    ends: '',
  },
  {
    name: 'example: fan-out over a list, one promise each',
    machine: () =>
      machine({
        context: { n: 0, list: [] },
        entry: enqueueActions(({ enqueue }) => {
          for (const n of [1, 2, 3]) enqueue(spawnChild('square', { id: `s${n}`, input: n }));
        }),
        initial: 'run',
        states: {
          run: {
            on: {
              'xstate.done.actor.*': {
                actions: [
                  inc,
                  assign({
                    list: ({ context, event }) =>
                      [...context.list, event.output].toSorted((a, b) => Number(a) - Number(b)),
                  }),
                ],
              },
            },
            always: { guard: ({ context }) => context.n === 3, target: 'end' },
          },
          end: { type: 'final' },
        },
        output: ({ context }: { context: { list: unknown } }) => context.list,
      }),
    sources: { square: (n: number) => n * n },
    ends: 'end done',
  },
  {
    name: 'example: a debounce',
    machine: (trace) =>
      machine({
        context: { n: 0 },
        initial: 'idle',
        states: {
          idle: { on: { KEY: 'typing' } },
          typing: { after: { 40: 'search' }, on: { KEY: { target: 'typing', reenter: true, actions: inc } } },
          search: { entry: () => trace('search') },
        },
      }),
    steps: [e('KEY'), wait(40)],
    ends: 'search',
  },
  {
    name: 'example: a fetch that is cancelled by the user',
    machine: () =>
      machine({
        context: { got: null },
        initial: 'idle',
        states: {
          idle: { on: { FETCH: 'loading' } },
          loading: {
            tags: 'busy',
            invoke: { src: 'fetch', onDone: { target: 'idle', actions: keep('output') } },
            on: { CANCEL: 'idle' },
          },
        },
      }),
    sources: { fetch: NEVER },
    steps: [e('FETCH'), e('CANCEL'), e('FETCH')],
    ends: 'loading',
  },
];
