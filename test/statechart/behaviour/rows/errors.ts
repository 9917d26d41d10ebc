import {
  assign,
  enqueueActions,
  fails,
  inc,
  keep,
  machine,
  raise,
  sendTo,
  spawnChild,
  type State,
} from '../dialect.ts';
import { wait, type Row } from '../row.ts';

const e = (type: string, more: object = {}): { type: string } => ({ type, ...more });

const broken = (name: string, config: State, ends: string, steps: Row['steps'] = [e('GO')]): Row => ({
  name: `errors: ${name}`,
  machine: () =>
    machine(
      { context: { n: 0 }, initial: 'a', states: { a: { on: { GO: 'b' } }, b: {} }, ...config },
      {
        guards: { bad: fails('named guard') },
        actions: { bad: fails('named action') },
        delays: { bad: fails('named delay') },
      },
    ),
  steps,
  ends,
});

export const errors: readonly Row[] = [
  broken('an action', { on: { X: { actions: fails('action') } } }, 'error: action', [e('X'), e('GO')]),
  broken(
    'an action on the way to another state',
    { states: { a: { on: { GO: { target: 'b', actions: fails('on the way') } } }, b: {} } },
    'error: on the way',
  ),
  broken('a named action', { on: { X: { actions: 'bad' } } }, 'error: named action', [e('X')]),
  broken(
    'an action after an assignment',
    { on: { X: { actions: [inc, fails('after it')] } } },
    'error: after it',
    [e('X')],
  ),
  broken(
    'an entry action',
    { states: { a: { on: { GO: 'b' } }, b: { entry: fails('entry') } } },
    'error: entry',
  ),
  broken('an exit action', { states: { a: { exit: fails('exit'), on: { GO: 'b' } }, b: {} } }, 'error: exit'),
  broken('the first entry action', { entry: fails('at once') }, 'error: at once', []),
  broken(
    'the entry action of the initial state',
    { states: { a: { entry: fails('in a') } } },
    'error: in a',
    [],
  ),
  broken('an assignment', { on: { X: { actions: assign({ n: fails('assign') }) } } }, 'error: assign', [
    e('X'),
  ]),
  broken(
    'an assignment in the first entry',
    { entry: assign(fails('first assign')) },
    'error: first assign',
    [],
  ),
  broken('the context', { context: fails('context') }, 'error: context', []),
  broken(
    'a context that wants an input',
    { context: ({ input }) => ({ n: (input as { deep: { n: number } }).deep.n }) },
    "error: Cannot read properties of undefined (reading 'deep')",
    [],
  ),
  broken(
    'a guard',
    { states: { a: { on: { GO: { guard: fails('guard'), target: 'b' } } }, b: {} } },
    "error: Unable to evaluate guard in transition for event 'GO' in state node '(machine).a':\nguard",
  ),
  broken(
    'a named guard',
    { states: { a: { on: { GO: { guard: 'bad', target: 'b' } } }, b: {} } },
    "error: Unable to evaluate guard 'bad' in transition for event 'GO' in state node '(machine).a':\nnamed guard",
  ),
  broken(
    'a guard that is not there',
    { states: { a: { on: { GO: { guard: 'none', target: 'b' } } }, b: {} } },
    "error: Unable to evaluate guard 'none' in transition for event 'GO' in state node '(machine).a':\nGuard 'none' is not implemented.'.",
  ),
  broken(
    'a guard of always',
    { states: { a: { on: { GO: 'b' } }, b: { always: { guard: fails('always'), target: 'a' } } } },
    'error: always',
  ),
  broken(
    'a delay by a function',
    { states: { a: { on: { GO: 'b' } }, b: { entry: raise({ type: 'X' }, { delay: fails('delay') }) } } },
    'error: delay',
  ),
  broken(
    'a named delay of after',
    { states: { a: { on: { GO: 'b' } }, b: { after: { bad: 'a' } } } },
    'error: named delay',
  ),
  broken(
    'a named delay that is not there',
    { states: { a: { on: { GO: 'b' } }, b: { after: { none: 'a' } } } },
    'a',
    [e('GO'), wait(5)],
  ),
  broken(
    'the output',
    { states: { a: { on: { GO: 'b' } }, b: { type: 'final' } }, output: fails('output') },
    'error: output',
  ),
  broken(
    'the output of a final state',
    {
      states: {
        a: { on: { GO: 'b' } },
        b: { initial: 'c', states: { c: { type: 'final', output: fails('state output') } }, onDone: 'a' },
      },
    },
    'error: state output',
  ),
  broken('an event by a function', { on: { X: { actions: raise(fails('event')) } } }, 'error: event', [
    e('X'),
  ]),
  broken(
    'the target of sendTo',
    { on: { X: { actions: sendTo(fails('target'), { type: 'Y' }) } } },
    'error: target',
    [e('X')],
  ),
  broken(
    'a target that is not there by its id',
    { on: { X: { actions: sendTo('nobody', { type: 'Y' }) } } },
    "error: Unable to send event to actor 'nobody' from machine '(machine)'.",
    [e('X')],
  ),
  broken('enqueueActions', { on: { X: { actions: enqueueActions(fails('enqueue')) } } }, 'error: enqueue', [
    e('X'),
  ]),
  broken(
    'after a delay',
    { states: { a: { after: { 20: 'b' } }, b: { entry: fails('late') } } },
    'error: late',
    [wait(20)],
  ),
  broken(
    'a thrown string',
    {
      on: {
        X: {
          actions: () => {
            throw 'text' as unknown as Error;
          },
        },
      },
    },
    'error: text',
    [e('X')],
  ),
  broken(
    'a TypeError',
    {
      on: {
        X: {
          actions: () => {
            throw new TypeError('types');
          },
        },
      },
    },
    'error: types',
    [e('X')],
  ),
  broken(
    'params by a function',
    { on: { X: { actions: { type: 'plain', params: fails('params') } } } },
    'error: params',
    [e('X')],
  ),
  {
    name: 'errors: an input',
    machine: () =>
      machine({
        initial: 'a',
        states: {
          a: { on: { GO: 'b' } },
          b: { invoke: { src: 'load', input: fails('input'), onError: 'c' } },
          c: {},
        },
      }),
    sources: { load: () => 1 },
    steps: [e('GO')],
    ends: 'error: input',
  },
  {
    name: 'errors: onDone throws',
    machine: () =>
      machine({
        initial: 'p',
        states: {
          p: { invoke: { src: 'load', onDone: { target: 'q', actions: fails('in onDone') }, onError: 'r' } },
          q: {},
          r: {},
        },
      }),
    sources: { load: () => 1 },
    ends: 'error: in onDone',
  },
  {
    name: 'errors: onError throws',
    machine: () =>
      machine({
        initial: 'p',
        states: {
          p: { invoke: { src: 'load', onError: { target: 'r', actions: fails('in onError') } } },
          r: {},
        },
      }),
    sources: { load: fails('first') },
    ends: 'error: in onError',
  },
  {
    name: 'errors: onError guarded by the error',
    machine: () =>
      machine({
        context: { got: null },
        initial: 'p',
        states: {
          p: {
            invoke: {
              src: 'load',
              onError: [
                {
                  guard: ({ event }) =>
                    event.error instanceof Error && (event.error as { code?: string }).code === 'E1',
                  target: 'one',
                  actions: keep('error'),
                },
                { target: 'other' },
              ],
            },
          },
          one: {},
          other: {},
        },
      }),
    sources: { load: fails('coded', { code: 'E1' }) },
    ends: 'one',
  },
  {
    name: 'errors: by a wildcard',
    machine: () =>
      machine({
        initial: 'p',
        states: { p: { invoke: { src: 'load' }, on: { 'xstate.error.actor.*': 'bad' } }, bad: {} },
      }),
    sources: { load: fails('wild') },
    ends: 'bad',
  },
  {
    name: 'errors: the first step of a spawned child',
    machine: () =>
      machine(
        {
          initial: 'a',
          states: {
            a: { on: { GO: 'b' } },
            b: { entry: spawnChild('kid', { id: 'k' }), on: { 'xstate.error.actor.k': 'c' } },
            c: {},
          },
        },
        { actors: { kid: machine({ entry: fails('kid entry') }) } },
      ),
    steps: [e('GO')],
    ends: 'c',
  },
];
