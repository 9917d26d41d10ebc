import {
  assign,
  createMachine,
  raise,
  sendTo,
  setup,
  spawnChild,
  stopChild,
  type AnyEventObject,
} from 'xstate';
import { durable } from '../../statechart/durable.ts';
import type { Effect } from '../../statechart/effect.ts';
import { Interpreter, MachineError } from '../../statechart/interpreter.ts';
import { workflowRef } from '../../statechart/workflow-ref.ts';

const done = (id: string, output?: unknown): AnyEventObject => ({
  type: `xstate.done.actor.${id}`,
  output,
  actorId: id,
});
const failed = (id: string, error: unknown): AnyEventObject => ({
  type: `xstate.error.actor.${id}`,
  error,
  actorId: id,
});
const summary = (effects: readonly Effect[]): unknown[] =>
  effects.map((effect) => {
    switch (effect.type) {
      case 'start':
        return ['start', effect.actor.id, effect.actor.src, effect.actor.input];
      case 'stop':
      case 'cancel':
        return [effect.type, effect.id];
      case 'delay':
        return ['delay', effect.delay.id, effect.delay.ms, effect.delay.event.type];
      case 'send':
        return ['send', effect.to, effect.event.type];
      case 'run':
        return ['run', effect.name];
    }
  });

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

describe('a macrostep as effects', () => {
  test('entering a state starts its invoked actor with resolved input and its delay', () => {
    const [, effects] = Interpreter.start(fetching, undefined);
    expect(summary(effects)).toEqual([
      ['start', 'fetch', 'fetch', { url: '/a' }],
      ['delay', 'xstate.after.1000.fetching.loading', 1000, 'xstate.after.1000.fetching.loading'],
    ]);
  });

  test('leaving a state stops its actor and cancels its delay', () => {
    const [machine] = Interpreter.start(fetching, undefined);
    expect(summary(machine.step({ type: 'leave' }))).toEqual([
      ['stop', 'fetch'],
      ['cancel', 'xstate.after.1000.fetching.loading'],
    ]);
  });

  test('re-entering a state stops the old actor before it starts the new one', () => {
    const [machine] = Interpreter.start(fetching, undefined);
    const effects = summary(machine.step({ type: 'again' }));
    expect(effects.slice(0, 2)).toEqual([
      ['stop', 'fetch'],
      ['start', 'fetch', 'fetch', { url: '/a' }],
    ]);
  });

  test('the actor’s result becomes output', () => {
    const [machine] = Interpreter.start(fetching, undefined);
    machine.step(done('fetch', 'page'));
    expect(machine.snapshot).toMatchObject({ status: 'done', output: 'page' });
  });

  test('an actor started and stopped within one macrostep never appears', () => {
    const passing = setup({ actors: { work: durable<void, void>() } }).createMachine({
      id: 'passing',
      initial: 'a',
      states: { a: { invoke: { src: 'work', onError: {} }, always: 'b' }, b: {} },
    });
    const [, effects] = Interpreter.start(passing, undefined);
    expect(effects.filter((effect) => effect.type === 'start')).toEqual([]);
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
    const [machine, effects] = Interpreter.start(spawning, undefined);
    expect(summary(effects)).toEqual([['start', 'one', 'work', { n: 1 }]]);
    expect(summary(machine.step({ type: 'two' }))).toEqual([['start', 'two', 'work', { n: 2 }]]);
    expect(summary(machine.step({ type: 'stop' }))).toEqual([['stop', 'one']]);
  });

  test('raise with a delay, sendTo a child and sendTo another workflow are told apart', () => {
    const sending = setup({ actors: { child: durable<void, void>() } }).createMachine({
      id: 'sending',
      invoke: { id: 'kid', src: 'child', onError: {} },
      on: {
        later: { actions: raise({ type: 'now' }, { delay: 50, id: 'soon' }) },
        kid: { actions: sendTo('kid', { type: 'hello' }) },
        far: { actions: sendTo(workflowRef('order-7'), { type: 'paid' }) },
        self: { actions: sendTo(({ self }) => self, { type: 'kid' }) },
      },
    });
    const [machine] = Interpreter.start(sending, undefined);
    expect(summary(machine.step({ type: 'later' }))).toEqual([['delay', 'soon', 50, 'now']]);
    expect(summary(machine.step({ type: 'kid' }))).toEqual([['send', { kind: 'actor', id: 'kid' }, 'hello']]);
    expect(summary(machine.step({ type: 'far' }))).toEqual([
      ['send', { kind: 'workflow', workflowId: 'order-7' }, 'paid'],
    ]);
    expect(summary(machine.step({ type: 'self' }))).toEqual([['send', { kind: 'self' }, 'kid']]);
  });

  test('custom actions come out unperformed', () => {
    const ran: string[] = [];
    const acting = createMachine({ id: 'acting', on: { go: { actions: () => ran.push('go') } } });
    const [machine] = Interpreter.start(acting, undefined);
    const [effect] = machine.step({ type: 'go' });
    expect(ran).toEqual([]);
    if (effect?.type === 'run') effect.run();
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
    const [machine] = Interpreter.start(throwing, undefined);
    expect(() => machine.step({ type: 'go' })).toThrow(MachineError);
    expect(() => machine.step({ type: 'go' })).toThrow("machine 'throwing' failed: no such thing");
  });

  test('an actor’s error without onError fails the machine', () => {
    const bare = setup({ actors: { work: durable<void, void>() } }).createMachine({
      id: 'bare',
      invoke: { id: 'w', src: 'work' },
    });
    const [machine] = Interpreter.start(bare, undefined);
    expect(() => machine.step(failed('w', new Error('lost')))).toThrow("machine 'bare' failed: lost");
  });

  test('an initial context that throws fails the start', () => {
    const broken = createMachine({
      id: 'broken',
      context: () => {
        throw new Error('no input');
      },
    });
    expect(() => Interpreter.start(broken, undefined)).toThrow("machine 'broken' failed: no input");
  });
});

describe('a restored machine', () => {
  test('asks for nothing and goes on where it was', () => {
    const [first] = Interpreter.start(fetching, undefined);
    const persisted = JSON.parse(JSON.stringify(first.persist())) as unknown;
    const second = Interpreter.restore(fetching, persisted);
    expect(second.snapshot.value).toBe('loading');
    expect(summary(second.step({ type: 'leave' }))).toEqual([
      ['stop', 'fetch'],
      ['cancel', 'xstate.after.1000.fetching.loading'],
    ]);
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
    const [first] = Interpreter.start(remembering, undefined);
    first.step({ type: 'fast' });
    first.step({ type: 'stop' });
    const second = Interpreter.restore(remembering, JSON.parse(JSON.stringify(first.persist())));
    second.step({ type: 'back' });
    expect(second.snapshot.value).toEqual({ playing: 'fast' });
    expect(second.snapshot.context).toEqual({ songs: 2 });
  });
});
