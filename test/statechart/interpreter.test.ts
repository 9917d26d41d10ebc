import { assign, createMachine, raise, sendTo, setup, spawnChild, stopChild, type AnyActorRef } from 'xstate';
import { testActor, type TraceEntry } from '../../statechart/client/test-actor.ts';
import { decodeData } from '../../statechart/core/data.ts';
import { durable } from '../../statechart/core/durable.ts';
import { MachineError } from '../../statechart/core/machine-error.ts';
import { workflowRef } from '../../statechart/core/workflow-ref.ts';

/** Starts and stops with their sources. */
const actorsOf = (trace: readonly TraceEntry[]): unknown[] =>
  trace.flatMap((entry) =>
    entry.type === 'start'
      ? [['start', entry.source, entry.input]]
      : entry.type === 'stop'
        ? [['stop', entry.source]]
        : [],
  );

const fetching = setup({
  types: {} as { context: { got: unknown }; events: { type: 'again' } | { type: 'leave' } },
  actors: { fetch: durable<string, { url: string }>() },
}).createMachine({
  id: 'fetching',
  context: { got: null },
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'fetch',
        src: 'fetch',
        input: { url: '/a' },
        onDone: { target: 'loaded', actions: assign({ got: ({ event }) => event.output }) },
        onError: 'broken',
      },
      after: { 1000: 'late' },
      on: { leave: 'away', again: { target: 'loading', reenter: true } },
    },
    loaded: { type: 'final' },
    broken: {},
    late: {},
    away: {},
  },
  output: ({ context }) => context.got,
});

describe('what a macrostep asks for', () => {
  test('entering a state starts its invoked actor with resolved input and its delay', () => {
    const actor = testActor(fetching);
    expect(actorsOf(actor.trace)).toEqual([['start', 'fetch', { url: '/a' }]]);
    expect(actor.delays).toEqual([{ id: 'xstate.after.1000.fetching.loading', at: 1000 }]);
  });

  test('leaving a state stops its actor and cancels its delay', () => {
    const actor = testActor(fetching);
    actor.send({ type: 'leave' });
    expect(actorsOf(actor.trace).slice(1)).toEqual([['stop', 'fetch']]);
    expect(actor.delays).toEqual([]);
    expect(actor.running).toEqual([]);
  });

  test('re-entering a state stops the old actor before it starts the new one', () => {
    const actor = testActor(fetching);
    actor.send({ type: 'again' });
    expect(actorsOf(actor.trace).slice(1)).toEqual([
      ['stop', 'fetch'],
      ['start', 'fetch', { url: '/a' }],
    ]);
    expect(actor.running.map(({ step }) => step)).toEqual([2]);
  });

  test('the actor’s result becomes output', () => {
    const actor = testActor(fetching);
    actor.resolve('fetch', 'page');
    expect([actor.status, actor.output]).toEqual(['done', 'page']);
  });

  test('an actor started and stopped within one macrostep never appears', () => {
    const passing = setup({ actors: { work: durable<void, void>() } }).createMachine({
      id: 'passing',
      initial: 'a',
      states: { a: { invoke: { src: 'work', onError: {} }, always: 'b' }, b: {} },
    });
    expect(testActor(passing).trace).toEqual([]);
  });

  test('spawned and assign-spawned actors start and stop like invoked ones', () => {
    const spawning = setup({
      types: {} as { context: { ref: unknown } },
      actors: { work: durable<void, { n: number }>() },
    }).createMachine({
      id: 'spawning',
      context: { ref: null },
      entry: spawnChild('work', { id: 'one', input: { n: 1 } }),
      on: {
        two: { actions: assign({ ref: ({ spawn }) => spawn('work', { id: 'two', input: { n: 2 } }) }) },
        stop: { actions: stopChild('one') },
      },
    });
    const actor = testActor(spawning);
    actor.send({ type: 'two' });
    actor.send({ type: 'stop' });
    expect(actorsOf(actor.trace)).toEqual([
      ['start', 'work', { n: 1 }],
      ['start', 'work', { n: 2 }],
      ['stop', 'work'],
    ]);
    expect(actor.running.map(({ path }) => path)).toEqual([['two']]);
  });

  test('raise with a delay, sendTo self and sendTo another workflow are told apart', () => {
    const sending = createMachine({
      id: 'sending',
      initial: 'here',
      states: { here: { on: { kid: 'there' } }, there: {} },
      on: {
        later: { actions: raise({ type: 'now' }, { delay: 50, id: 'soon' }) },
        far: { actions: sendTo(workflowRef('order-7'), { type: 'paid' }) },
        self: { actions: sendTo(({ self }) => self, { type: 'kid' }) },
      },
    });
    const actor = testActor(sending);
    actor.send({ type: 'later' });
    expect(actor.delays).toEqual([{ id: 'soon', at: 50 }]);
    actor.send({ type: 'far' });
    expect(actor.sent).toEqual([{ to: { workflowId: 'order-7', path: [] }, event: { type: 'paid' } }]);
    expect(actor.send({ type: 'self' })).toBe('there');
  });

  test('custom actions run in their place', () => {
    const ran: string[] = [];
    const acting = createMachine({ id: 'acting', on: { go: { actions: () => ran.push('go') } } });
    testActor(acting).send({ type: 'go' });
    expect(ran).toEqual(['go']);
  });
});

describe('a machine that fails', () => {
  test('an action that throws is a MachineError with the reason', () => {
    const throwing = createMachine({
      id: 'throwing',
      on: {
        go: {
          actions: assign(() => {
            throw new Error('no such thing');
          }),
        },
      },
    });
    const actor = testActor(throwing);
    actor.send({ type: 'go' });
    expect(actor.failure).toBeInstanceOf(MachineError);
    expect(actor.failure?.message).toBe("machine 'throwing' failed: no such thing");
    expect(actor.status).toBe('error');
  });

  test('an actor’s error without onError fails the machine', () => {
    const bare = setup({ actors: { work: durable<void, void>() } }).createMachine({
      id: 'bare',
      invoke: { id: 'w', src: 'work' },
    });
    const actor = testActor(bare);
    actor.reject('w', new Error('lost'));
    expect(actor.failure?.message).toBe("machine 'bare' failed: lost");
  });

  test('an initial context that throws fails the start', () => {
    const broken = createMachine({
      id: 'broken',
      context: () => {
        throw new Error('no input');
      },
    });
    expect(testActor(broken).failure?.message).toBe("machine 'broken' failed: no input");
  });

  test('a loop that never ends is cut, and the states of it are named', () => {
    const looping = createMachine({
      id: 'looping',
      initial: 'rest',
      states: {
        rest: { on: { go: 'a' } },
        a: { always: 'b' },
        b: { always: 'a' },
      },
    });
    const actor = testActor(looping, { maxMicrosteps: 500 });
    actor.send({ type: 'go' });
    expect(actor.failure?.message).toMatch(
      /more than 500 microsteps; the last ones went through (a, b|b, a)$/,
    );
  });

  test('an event that a machine sends itself for ever is cut in the same way', () => {
    const echoing = createMachine({
      id: 'echoing',
      on: {
        ping: {
          actions: sendTo(({ system }) => system.get('nobody') as AnyActorRef, { type: 'ping' }),
        },
      },
    });
    const actor = testActor(echoing, { maxMicrosteps: 500 });
    actor.send({ type: 'ping' });
    expect(actor.failure?.message).toContain('more than 500 microsteps');
  });
});

describe('data without encoded parts', () => {
  test('is answered as it is, and a part below is still decoded', () => {
    const plain = { a: [1, { b: 'c' }], at: new Date(5) };
    expect(decodeData(plain)).toBe(plain);
    expect(decodeData({ a: [{ $type: 'BigInt', value: '7' }] })).toEqual({ a: [7n] });
  });
});

describe('a machine that goes on in a new run', () => {
  test('asks for what was running under the same number, and goes on where it was', () => {
    const actor = testActor(fetching);
    actor.advance(400);
    actor.continueAsNew();
    expect(actor.state).toBe('loading');
    expect(actor.running.map(({ step }) => step)).toEqual([1]);
    expect(actor.delays).toEqual([{ id: 'xstate.after.1000.fetching.loading', at: 1000 }]);
    expect(actor.send({ type: 'leave' })).toBe('away');
    expect([actor.running, actor.delays]).toEqual([[], []]);
  });

  test('keeps history states and context', () => {
    const remembering = createMachine({
      id: 'remembering',
      initial: 'playing',
      context: { songs: 2 },
      states: {
        playing: {
          initial: 'slow',
          on: { stop: 'stopped' },
          states: { slow: { on: { fast: 'fast' } }, fast: {}, past: { type: 'history' } },
        },
        stopped: { on: { back: 'playing.past' } },
      },
    });
    const actor = testActor(remembering);
    actor.send({ type: 'fast' });
    actor.send({ type: 'stop' });
    actor.continueAsNew();
    expect(actor.send({ type: 'back' })).toBe('playing.fast');
    expect(actor.context).toEqual({ songs: 2 });
  });

  test('keeps values that JSON has no form for, and references to actors', () => {
    const keeping = setup({
      types: {} as { context: Record<string, unknown> },
      actors: { kid: createMachine({ id: 'kid', initial: 'a', states: { a: { on: { go: 'b' } }, b: {} } }) },
    }).createMachine({
      id: 'keeping',
      context: ({ spawn, self }) => ({
        at: new Date(5),
        tags: new Set(['x']),
        totals: new Map([['a', { n: 1n }]]),
        bytes: new Uint8Array([1, 2, 255]),
        none: undefined,
        error: Object.assign(new RangeError('far'), { code: 7 }),
        kid: spawn('kid', { id: 'kid' }),
        kids: new Map([['one', self]]),
      }),
      on: { go: { actions: sendTo(({ context }) => context['kid'] as never, { type: 'go' } as never) } },
    });
    const actor = testActor(keeping);
    const before = { ...actor.context };
    actor.continueAsNew();
    const { kid, kids, ...values } = actor.context;
    const { kid: _kid, kids: _kids, ...expected } = before;
    expect(values).toEqual(expected);
    expect(Object.keys(actor.context)).toEqual(Object.keys(before));
    expect(kid).toBe(actor.snapshot.children['kid']);
    expect((kids as Map<string, { id: string }>).get('one')?.id).toBe('test');
    actor.send({ type: 'go' });
    expect((kid as { getSnapshot(): { value: unknown } }).getSnapshot().value).toBe('b');
  });
});
