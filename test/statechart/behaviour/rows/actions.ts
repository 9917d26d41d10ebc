import {
  add,
  assign,
  cancel,
  emit,
  enqueueActions,
  inc,
  log,
  machine,
  raise,
  sendTo,
  type State,
} from '../dialect.ts';
import { FAR, wait, type Row } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

/** One state that acts on `GO`. */
const acts = (
  name: string,
  config: State,
  steps: Row['steps'] = [e('GO', { value: 2 })],
  ends = 'a',
): Row => ({
  name,
  machine: () =>
    machine({ context: { n: 0, list: [] }, initial: 'a', states: { a: {}, b: {}, c: {} }, ...config }),
  steps,
  ends,
});

export const assigning: readonly Row[] = [
  acts('assign: a property by a function', {
    on: { GO: { actions: assign({ n: ({ context, event }) => context.n + event.value }) } },
  }),
  acts('assign: a property by a constant', { on: { GO: { actions: assign({ got: 'this' }) } } }),
  acts('assign: by one function', {
    on: { GO: { actions: assign(({ context }) => ({ n: context.n + 1, got: 'both' })) } },
  }),
  acts('assign: later ones see what earlier ones assigned', {
    on: { GO: { actions: [inc, inc, assign({ got: ({ context }) => context.n })] } },
  }),
  acts('assign: before custom actions of the same list', {
    on: { GO: { actions: [inc, add(({ context }) => context.n), inc, add(({ context }) => context.n)] } },
  }),
  acts('assign: a property to undefined', {
    context: { n: 1, got: 'x' },
    on: { GO: { actions: assign({ got: undefined }) } },
  }),
  acts('assign: a new property', { on: { GO: { actions: assign({ late: () => ({ deep: true }) }) } } }),
  acts(
    'assign: in entry, exit and transition',
    {
      states: {
        a: { entry: add('in a'), exit: add('out a'), on: { GO: { target: 'b', actions: add('go') } } },
        b: { entry: add('in b') },
      },
    },
    [e('GO')],
    'b',
  ),
  acts('assign: in the entry of the root', { entry: inc }, []),
  {
    name: 'assign: by a named action with params',
    machine: () =>
      machine(
        { context: { n: 1 }, on: { GO: { actions: { type: 'plus', params: { by: 4 } } } } },
        { actions: { plus: assign({ n: ({ context }, params: { by: number }) => context.n + params.by }) } },
      ),
    steps: [e('GO'), e('GO')],
    ends: '',
  },
  {
    name: 'assign: params by a function of the event',
    machine: () =>
      machine(
        {
          context: { n: 1 },
          on: {
            GO: {
              actions: {
                type: 'plus',
                params: ({ event }: { event: { value: number } }) => ({ by: event.value }),
              },
            },
          },
        },
        { actions: { plus: assign({ n: ({ context }, params: { by: number }) => context.n + params.by }) } },
      ),
    steps: [e('GO', { value: 10 })],
    ends: '',
  },
  {
    name: 'actions: custom ones run in document order, and see the context of their place',
    machine: (trace) =>
      machine({
        context: { n: 0 },
        on: {
          GO: {
            actions: [
              ({ context }) => trace(`first ${context.n}`),
              inc,
              ({ context }) => trace(`second ${context.n}`),
              inc,
              ({ context, event }) => trace(`third ${context.n} ${event.type}`),
            ],
          },
        },
      }),
    steps: [e('GO'), e('GO')],
    ends: '',
  },
  {
    name: 'actions: named, with and without params',
    machine: (trace) =>
      machine(
        {
          on: {
            GO: {
              actions: [
                'plain',
                { type: 'with', params: { a: 1 } },
                { type: 'with', params: ({ event }: { event: { type: string } }) => ({ a: event.type }) },
              ],
            },
          },
        },
        {
          actions: {
            plain: () => trace('plain'),
            with: (_, params: { a: unknown }) => trace(`with ${String(params.a)}`),
          },
        },
      ),
    steps: [e('GO')],
    ends: '',
  },
  {
    name: 'actions: a name that stands for nothing is passed over',
    machine: (trace) =>
      machine({
        initial: 'a',
        states: { a: { on: { GO: { target: 'b', actions: ['nothing', () => trace('after it')] } } }, b: {} },
      }),
    steps: [e('GO')],
    ends: 'b',
  },
  {
    name: 'actions: the event in the initial entry',
    machine: (trace) => machine({ entry: ({ event }) => trace(event.type) }),
    ends: '',
  },
  {
    name: 'actions: log leaves the machine alone',
    machine: () =>
      machine({
        context: { n: 0 },
        on: { GO: { actions: [log('text'), log(({ context }) => context.n, 'label'), inc] } },
      }),
    steps: [e('GO')],
    ends: '',
  },
  acts('enqueueActions: enqueues assignments and custom ones', {
    on: {
      GO: {
        actions: enqueueActions(({ enqueue, event }) => {
          enqueue.assign({ n: event.value });
          enqueue(add('queued'));
          enqueue(inc);
        }),
      },
    },
  }),
  acts(
    'enqueueActions: check by a guard',
    {
      on: {
        GO: {
          actions: enqueueActions(({ enqueue, check }) => {
            if (check(({ context }) => context.n === 0)) enqueue(add('zero'));
            else enqueue(add('more'));
            enqueue(inc);
          }),
        },
      },
    },
    [e('GO'), e('GO')],
  ),
  acts(
    'enqueueActions: raises',
    {
      states: {
        a: {
          on: { GO: { actions: enqueueActions(({ enqueue }) => enqueue.raise({ type: 'ON' })) }, ON: 'b' },
        },
        b: {},
      },
    },
    [e('GO')],
    'b',
  ),
  acts(
    'enqueueActions: raises with a delay and cancels it',
    {
      states: {
        a: {
          on: {
            GO: {
              actions: enqueueActions(({ enqueue }) => {
                enqueue.raise({ type: 'ON' }, { delay: 20, id: 'x' });
                enqueue.raise({ type: 'OFF' }, { delay: 30, id: 'y' });
                enqueue.cancel('x');
              }),
            },
            ON: 'b',
            OFF: 'c',
          },
        },
        b: {},
        c: {},
      },
    },
    [e('GO'), wait(40)],
    'c',
  ),
  acts('enqueueActions: the context is that of its place', {
    on: {
      GO: {
        actions: [
          inc,
          enqueueActions(({ enqueue, context }) => {
            enqueue(add(context.n));
            enqueue(inc);
            enqueue(add(({ context: later }) => later.n));
          }),
        ],
      },
    },
  }),
  acts(
    'enqueueActions: emits and sends to itself',
    {
      states: {
        a: {
          on: {
            GO: {
              actions: enqueueActions(({ enqueue, self }) => {
                enqueue.emit({ type: 'told' });
                enqueue.sendTo(self, { type: 'ON' });
              }),
            },
            ON: 'b',
          },
        },
        b: {},
      },
    },
    [e('GO')],
    'b',
  ),
  {
    name: 'enqueueActions: by name with params',
    machine: () =>
      machine(
        { context: { list: [] }, on: { GO: { actions: { type: 'many', params: { times: 3 } } } } },
        {
          actions: {
            many: enqueueActions(({ enqueue }, params: { times: number }) => {
              for (let n = 0; n < params.times; n++) enqueue(add(n));
            }),
          },
        },
      ),
    steps: [e('GO')],
    ends: '',
  },
];

const three: State['states'] = { a: { on: { ON: 'b', OFF: 'c' } }, b: { on: { ON: 'c' } }, c: {} };
const sends = (name: string, config: State, steps: Row['steps'], ends: string, trace = false): Row => ({
  name,
  machine: (note) =>
    machine(
      {
        context: { n: 0, list: [] },
        initial: 'a',
        states: three,
        ...config,
        ...(trace ? { entry: () => note('start') } : {}),
      },
      { delays: { short: 20, byContext: ({ context }) => context.n } },
    ),
  steps: steps ?? [],
  ends,
});

export const sending: readonly Row[] = [
  sends('raise: an event', { on: { GO: { actions: raise({ type: 'ON' }) } } }, [e('GO')], 'b'),
  sends(
    'raise: two events in their order',
    { on: { GO: { actions: [raise({ type: 'ON' }), raise({ type: 'ON' })] } } },
    [e('GO')],
    'c',
  ),
  sends(
    'raise: by a function',
    { on: { GO: { actions: raise(({ event }) => ({ type: event['next'] as string })) } } },
    [e('GO', { next: 'OFF' })],
    'c',
  ),
  sends(
    'raise: before the next external event',
    { on: { GO: { actions: [raise({ type: 'ON' }), add('go')] }, NEXT: { actions: add('next') } } },
    [e('GO'), e('NEXT')],
    'b',
  ),
  sends(
    'raise: with a delay',
    { on: { GO: { actions: raise({ type: 'ON' }, { delay: 20 }) } } },
    [e('GO'), wait(20)],
    'b',
  ),
  sends(
    'raise: with a named delay',
    { on: { GO: { actions: raise({ type: 'ON' }, { delay: 'short' }) } } },
    [e('GO'), wait(20)],
    'b',
  ),
  sends(
    'raise: with a delay of the context',
    { context: { n: 30 }, on: { GO: { actions: raise({ type: 'ON' }, { delay: 'byContext' }) } } },
    [e('GO'), wait(30)],
    'b',
  ),
  sends(
    'raise: with a delay by a function',
    { on: { GO: { actions: raise({ type: 'ON' }, { delay: ({ event }) => event.value }) } } },
    [e('GO', { value: 25 }), wait(25)],
    'b',
  ),
  sends(
    'raise: with a delay of 0',
    { on: { GO: { actions: [raise({ type: 'ON' }, { delay: 0 }), add('go')] } } },
    [e('GO'), wait(1)],
    'b',
  ),
  sends(
    'raise: a delayed one outlives its state',
    {
      states: {
        a: { on: { GO: { target: 'b', actions: raise({ type: 'ON' }, { delay: 20 }) } } },
        b: { on: { ON: 'c' } },
        c: {},
      },
    },
    [e('GO'), wait(20)],
    'c',
  ),
  sends(
    'raise: the same id twice, both arrive',
    {
      on: {
        GO: {
          actions: [
            raise({ type: 'TICK' }, { delay: 20, id: 't' }),
            raise({ type: 'TICK' }, { delay: 30, id: 't' }),
          ],
        },
        TICK: { actions: inc },
      },
    },
    [e('GO'), wait(40)],
    'a',
  ),
  sends(
    'cancel: by id',
    {
      on: {
        GO: { actions: raise({ type: 'ON' }, { delay: FAR, id: 'later' }) },
        STOP: { actions: cancel('later') },
      },
    },
    [e('GO'), e('STOP'), wait(30)],
    'a',
  ),
  sends(
    'cancel: at once after it was sent',
    {
      on: {
        GO: {
          actions: [
            raise({ type: 'ON' }, { delay: 20, id: 'x' }),
            raise({ type: 'OFF' }, { delay: 30 }),
            cancel('x'),
          ],
        },
      },
    },
    [e('GO'), wait(40)],
    'c',
  ),
  sends(
    'cancel: an id by a function',
    {
      on: {
        GO: {
          actions: [
            raise({ type: 'ON' }, { delay: 20, id: 'id-7' }),
            raise({ type: 'OFF' }, { delay: 30 }),
            cancel(({ event }) => `id-${event.value}`),
          ],
        },
      },
    },
    [e('GO', { value: 7 }), wait(40)],
    'c',
  ),
  sends(
    'cancel: an id that there is not',
    { on: { GO: { actions: [cancel('nothing'), raise({ type: 'ON' })] } } },
    [e('GO')],
    'b',
  ),
  sends(
    'cancel: one of the same id twice',
    {
      on: {
        GO: {
          actions: [
            raise({ type: 'TICK' }, { delay: 20, id: 't' }),
            raise({ type: 'TICK' }, { delay: 30, id: 't' }),
            raise({ type: 'ON' }, { delay: 40 }),
            cancel('t'),
          ],
        },
        TICK: { actions: inc },
      },
    },
    [e('GO'), wait(50)],
    'b',
  ),
  sends(
    'sendTo: itself',
    { on: { GO: { actions: sendTo(({ self }) => self, { type: 'ON' }) } } },
    [e('GO')],
    'b',
  ),
  sends(
    'sendTo: itself, after the rest of the macrostep',
    {
      on: {
        GO: { actions: [sendTo(({ self }) => self, { type: 'ADD' }), raise({ type: 'RAISED' })] },
        ADD: { actions: add('sent') },
        RAISED: { actions: add('raised') },
      },
    },
    [e('GO')],
    'a',
  ),
  sends(
    'sendTo: itself with a delay',
    { on: { GO: { actions: sendTo(({ self }) => self, { type: 'ON' }, { delay: 20 }) } } },
    [e('GO'), wait(20)],
    'b',
  ),
  sends(
    'sendTo: itself with a delay and an id, cancelled',
    {
      on: {
        GO: { actions: sendTo(({ self }) => self, { type: 'ON' }, { delay: FAR, id: 's' }) },
        STOP: { actions: cancel('s') },
      },
    },
    [e('GO'), e('STOP')],
    'a',
  ),
  sends(
    'sendTo: itself by an event of a function',
    {
      on: {
        GO: {
          actions: sendTo(
            ({ self }) => self,
            ({ context, event }) => ({ type: 'ADD', sum: context.n + event.value }),
          ),
        },
        ADD: { actions: add(({ event }) => event['sum']) },
      },
    },
    [e('GO', { value: 5 })],
    'a',
  ),
  sends(
    'self.send in an action',
    { on: { GO: { actions: ({ self }) => self.send({ type: 'ON' }) } } },
    [e('GO')],
    'b',
  ),
  sends(
    'self.send in an action, twice and in order',
    {
      on: {
        GO: {
          actions: ({ self }) => {
            self.send({ type: 'ADD', value: 1 });
            self.send({ type: 'ADD', value: 2 });
          },
        },
        ADD: { actions: add(({ event }) => event.value) },
      },
    },
    [e('GO')],
    'a',
  ),
  sends('self.send in the initial entry', { entry: ({ self }) => self.send({ type: 'ON' }) }, [], 'b'),
  {
    name: 'self.getSnapshot in an action',
    machine: (trace) =>
      machine({
        context: { n: 0 },
        initial: 'a',
        states: {
          a: { on: { GO: { target: 'b', actions: inc } } },
          b: {
            entry: ({ self }) => trace(JSON.stringify(self.getSnapshot().value)),
            on: {
              LOOK: {
                actions: [
                  inc,
                  ({ self }) =>
                    trace(`${JSON.stringify(self.getSnapshot().value)} ${self.getSnapshot().context.n}`),
                ],
              },
            },
          },
        },
      }),
    steps: [e('GO'), e('LOOK'), e('LOOK')],
    ends: 'b',
  },
  {
    name: 'self is not there in a guard',
    machine: () =>
      machine({
        initial: 'a',
        states: { a: { on: { GO: { target: 'b', guard: ({ self }) => self === undefined } } }, b: {} },
      }),
    steps: [e('GO')],
    ends: 'b',
  },
  {
    name: 'self.id in an action',
    machine: (trace) =>
      machine({
        id: 'named',
        entry: ({ self }) => trace(self.id === 'named' ? 'the id of the machine' : 'an id of the actor'),
      }),
    ends: '',
  },
  sends('emit: an event', { on: { GO: { actions: emit({ type: 'told', n: 1 }) } } }, [e('GO')], 'a'),
  sends(
    'emit: by a function, before and after an assignment',
    {
      on: {
        GO: {
          actions: [
            emit(({ context }) => ({ type: 'told', n: context.n })),
            inc,
            emit(({ context }) => ({ type: 'told', n: context.n })),
          ],
        },
      },
    },
    [e('GO'), e('GO')],
    'a',
  ),
  sends('emit: in the initial entry', { entry: emit({ type: 'born' }) }, [], 'a'),
  sends(
    'emit: in the last step',
    { states: { a: { on: { END: 'z' } }, z: { type: 'final', entry: emit({ type: 'bye' }) } } },
    [e('END')],
    'z done',
  ),
  sends(
    'emit: after a delay',
    { states: { a: { after: { 20: 'b' } }, b: { entry: emit({ type: 'late' }) } } },
    [wait(20)],
    'b',
  ),
];
