import { and, assign, not, setup } from 'xstate';
import type {
  EndTurnInput,
  EndTurnOutcome,
  FailTurnInput,
  RequestModelInput,
  RequestModelOutcome,
  RunToolOutcome,
  SessionRef,
  TakeOverInput,
  TakeoverTerms,
  ToolCall,
  ToolInput,
  TurnEnd,
} from '../../activities/contract.ts';
import type { ActorFailure } from '../statechart/actor-failure.ts';
import { durable } from '../statechart/durable.ts';
import type { SessionEvent } from './events.ts';

export interface SessionInput {
  /** `sesn_...` */
  readonly session: string;
  /** Above that of any earlier workflow of the session. */
  readonly epoch: number;
}

export interface SessionContext {
  readonly session: string;
  /** Raised whenever a turn ends: what a stopped actor of an ended turn still wants to append is refused. */
  readonly epoch: number;
  /** Sequence number of the last user event taken. */
  readonly seen: number;
  /** Sequence number of the last user message taken. */
  readonly message: number;
  /** Tool uses of the newest reply that have no result yet, in order. */
  readonly queue: readonly ToolCall[];
  /** Answers to tool uses that the machine has not heard of yet: a client may be quicker than the activity's completion. */
  readonly early: readonly Answer[];
  /** Model requests in this turn. */
  readonly turns: number;
  /** Waits for the provider in a row, and the length of the next one in milliseconds. */
  readonly waits: number;
  readonly wait: number;
  /** Why the turn is to end, once that is decided. */
  readonly ending: TurnEnd | null;
  readonly pausing: boolean;
  /** The takeover that a person has or waits for; left out by releases that knew none. */
  readonly takeover?: Takeover | null;
  /** `failTurn` runs: the log does not tell of the failure yet. */
  readonly telling?: boolean;
  readonly failure: { readonly type: string | null; readonly message: string } | null;
}

interface Takeover extends TakeoverTerms {
  /** Begun between two turns, where the session goes back to. */
  readonly resting: boolean;
  /** `message` as it began: one that came since begins a turn. */
  readonly message: number;
}

interface Answer {
  readonly call: string;
  readonly result: 'allow' | 'deny' | 'own';
}

const ref = ({ context }: { context: SessionContext }): SessionRef => ({
  session: context.session,
  epoch: context.epoch,
});

const headOf = ({ context }: { context: SessionContext }): ToolInput => ({
  ...ref({ context }),
  call: context.queue[0]?.id ?? '',
});

const undecided = (call: ToolCall): boolean => call.decision === 'ask' || call.decision === 'custom';

/** The queue once a tool use is answered. The client's own result stands in the log already, so nothing is left to do. */
const answered = (queue: readonly ToolCall[], { call: id, result }: Answer): readonly ToolCall[] =>
  queue.flatMap((call) => {
    if (call.id !== id || !undecided(call)) return [call];
    return result === 'own' ? [] : [{ ...call, decision: result }];
  });

const takeOverInput = ({ context }: { context: SessionContext }): TakeOverInput => {
  const { takeover, record, disconnect_after_s, expires_after_s } = context.takeover as Takeover;
  const kept = context.queue.map(({ id }) => id);
  return { ...ref({ context }), takeover, record, disconnect_after_s, expires_after_s, kept };
};

/** What was to run was decided before the person changed the screen: it is answered as interrupted. */
const outdated = (queue: readonly ToolCall[]): readonly ToolCall[] =>
  queue.map((call) => (call.decision === 'allow' ? { ...call, decision: 'deny' as const } : call));

const failureOf = (error: unknown): SessionContext['failure'] => {
  const { type, message } = error as ActorFailure;
  return { type, message };
};

/**
 * An agent session. The four states of the agent loop bear their usual names: `request` asks the model, `tool_use` runs the
 * tool it asked for, `tool_result` appends the result, `end` ends the turn. Around them: `idle`, `awaiting_approval`,
 * `verifying` (an outcome is unknown: look, then go on), `paused`, `taken_over` (a person has the computer) and `failed`. `next` is never stayed in: it decides where
 * to go.
 */
export const sessionMachine = setup({
  types: {
    input: {} as SessionInput,
    context: {} as SessionContext,
    events: {} as SessionEvent,
  },
  actors: {
    requestModel: durable<RequestModelOutcome, RequestModelInput>(),
    runTool: durable<RunToolOutcome, ToolInput>(),
    interruptTool: durable<void, ToolInput>(),
    takeOver: durable<void, TakeOverInput>(),
    look: durable<void, ToolInput>(),
    appendResult: durable<void, ToolInput>(),
    resumeTurn: durable<void, SessionRef>(),
    endTurn: durable<EndTurnOutcome, EndTurnInput>(),
    failTurn: durable<void, FailTurnInput>(),
  },
  guards: {
    isNew: ({ context, event }) => 'seq' in event && event.seq > context.seen,
    isEnding: ({ context }) => context.ending !== null,
    isPausing: ({ context }) => context.pausing,
    isDenied: ({ context }) => context.queue[0]?.decision === 'deny',
    isUndecided: ({ context }) => context.queue.some(undecided),
    isFree: ({ context }) => context.takeover == null,
    isTakenOver: ({ context }) => context.takeover != null,
    isAskedFor: ({ context, event }) =>
      event.type === 'takeover.withdrawn' && context.takeover?.takeover === event.takeover,
    tellsFirst: ({ context, event }) =>
      event.type === 'takeover' &&
      event.after_failure === true &&
      context.telling === true &&
      context.takeover == null,
    isResting: ({ context }) => context.takeover?.resting === true,
    wasSpokenTo: ({ context }) => context.message > (context.takeover?.message ?? 0),
    hasTools: ({ context }) => context.queue.length > 0,
  },
  actions: {
    takeMessage: assign(({ context, event }) =>
      event.type === 'user.message' ? taken(context, event.seq) : {},
    ),
    takeInterrupt: assign(({ event }) =>
      event.type === 'user.interrupt'
        ? { seen: event.seq, ending: 'interrupted' as const, pausing: false }
        : {},
    ),
    takeAnswer: assign(({ context, event }) => {
      if (event.type !== 'user.tool_confirmation' && event.type !== 'user.custom_tool_result') return {};
      const result = event.type === 'user.tool_confirmation' ? event.result : 'own';
      const answer: Answer = { call: event.call, result };
      if (!context.queue.some((call) => call.id === event.call)) {
        return { seen: event.seq, early: [...context.early, answer] };
      }
      return { seen: event.seq, queue: answered(context.queue, answer) };
    }),
    pause: assign({ pausing: true }),
    resume: assign({ pausing: false }),
    noteTakeover: assign(({ context, event }) =>
      event.type === 'takeover' ? noted(context, event, false) : {},
    ),
    noteRestingTakeover: assign(({ context, event }) =>
      event.type === 'takeover' ? noted(context, event, true) : {},
    ),
    /** It was asked for while the turn ended. */
    restTakeover: assign(({ context }) =>
      context.takeover == null
        ? {}
        : { takeover: { ...context.takeover, resting: true, message: context.message } },
    ),
    forgetTakeover: assign({ takeover: null }),
    endTakeover: assign(({ context }) => ({ takeover: null, queue: outdated(context.queue) })),
    beginTurn: assign({ turns: 0, waits: 0, ending: null, failure: null, queue: [], early: [] }),
    raiseEpoch: assign({ epoch: ({ context }) => context.epoch + 1 }),
  },
  delays: {
    providerWait: ({ context }) => context.wait,
    /** The sandbox answers an interrupt within a moment; a computer that does not is given up. */
    interruptGrace: 15_000,
  },
}).createMachine({
  id: 'session',
  context: ({ input }) => ({
    session: input.session,
    epoch: input.epoch,
    seen: 0,
    message: 0,
    queue: [],
    early: [],
    turns: 0,
    waits: 0,
    wait: 0,
    ending: null,
    pausing: false,
    takeover: null,
    failure: null,
  }),
  initial: 'idle',
  on: {
    'user.message': { guard: 'isNew', actions: 'takeMessage' },
    'user.interrupt': { guard: 'isNew', actions: assign({ seen: ({ event }) => event.seq }) },
    'user.tool_confirmation': { guard: 'isNew', actions: 'takeAnswer' },
    'user.custom_tool_result': { guard: 'isNew', actions: 'takeAnswer' },
    takeover: { guard: 'isFree', actions: 'noteTakeover' },
    'takeover.withdrawn': { guard: 'isAskedFor', actions: 'forgetTakeover' },
  },
  states: {
    idle: {
      description: 'Waits for a user message.',
      always: { guard: 'isTakenOver', target: 'taken_over', actions: 'restTakeover' },
      on: {
        'user.message': { guard: 'isNew', target: 'next', actions: ['takeMessage', 'beginTurn'] },
        takeover: { guard: 'isFree', target: 'taken_over', actions: 'noteRestingTakeover' },
      },
    },
    next: {
      description: 'Decides the next step; never stayed in.',
      always: [
        { guard: 'isEnding', target: 'end' },
        { guard: 'isTakenOver', target: 'taken_over' },
        { guard: 'isPausing', target: 'paused' },
        { guard: 'isUndecided', target: 'awaiting_approval' },
        { guard: 'isDenied', target: 'tool_result' },
        { guard: 'hasTools', target: 'tool_use' },
        { target: 'request' },
      ],
    },
    request: {
      description: 'Asks the model for the next reply.',
      initial: 'asking',
      on: {
        'user.interrupt': { guard: 'isNew', target: 'next', actions: 'takeInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
        takeover: {
          // Not waited for: the reply would be to a screen that is no more. Should it come late, it is refused.
          guard: 'isFree',
          target: 'taken_over',
          actions: ['noteTakeover', 'raiseEpoch'],
        },
      },
      states: {
        asking: {
          invoke: {
            id: 'requestModel',
            src: 'requestModel',
            input: ({ context }) => ({ ...ref({ context }), turns: context.turns, waits: context.waits }),
            onDone: [
              {
                description: 'asks for tools',
                guard: ({ event }) => event.output.type === 'tools',
                target: '#session.next',
                actions: assign(({ context, event }) => ({
                  queue:
                    event.output.type === 'tools' ? context.early.reduce(answered, event.output.calls) : [],
                  early: [],
                  turns: context.turns + 1,
                  waits: 0,
                })),
              },
              {
                description: 'provider limited',
                guard: ({ event }) => event.output.type === 'wait',
                target: 'waiting',
                actions: assign(({ context, event }) => ({
                  wait: event.output.type === 'wait' ? event.output.ms : 0,
                  waits: context.waits + 1,
                })),
              },
              {
                description: 'no tools',
                target: '#session.next',
                actions: assign(({ event }) => ({
                  ending: event.output.type === 'limit' ? ('limit' as const) : ('end_turn' as const),
                })),
              },
            ],
            onError: {
              target: '#session.failed',
              actions: assign(({ event }) => ({ failure: failureOf(event.error) })),
            },
          },
        },
        waiting: {
          description: 'The provider is limited or overloaded: a durable wait.',
          tags: 'rescheduling',
          on: { pause: { target: '#session.next', actions: 'pause' } },
          after: { providerWait: 'asking' },
        },
      },
    },
    tool_use: {
      description: 'Runs the first tool use of the queue in the sandbox.',
      initial: 'running',
      on: { pause: { actions: 'pause' }, resume: { actions: 'resume' } },
      invoke: {
        id: 'runTool',
        src: 'runTool',
        input: headOf,
        onDone: [
          {
            description: 'outcome unknown',
            guard: ({ event }) => event.output.type === 'unknown',
            target: 'verifying',
          },
          { target: 'tool_result' },
        ],
        onError: { target: 'failed', actions: assign(({ event }) => ({ failure: failureOf(event.error) })) },
      },
      states: {
        running: {
          on: { 'user.interrupt': { guard: 'isNew', target: 'interrupting', actions: 'takeInterrupt' } },
        },
        interrupting: {
          description: 'The tool is being stopped; what it put out is still awaited.',
          invoke: {
            id: 'interruptTool',
            src: 'interruptTool',
            input: headOf,
            onError: { target: '#session.next' },
          },
          after: { interruptGrace: '#session.next' },
        },
      },
    },
    verifying: {
      description:
        'An action was begun and its outcome lost: look at the screen, tell the model, never do it again.',
      on: {
        'user.interrupt': { guard: 'isNew', actions: 'takeInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
      },
      invoke: {
        id: 'look',
        src: 'look',
        input: headOf,
        onDone: 'tool_result',
        onError: { target: 'failed', actions: assign(({ event }) => ({ failure: failureOf(event.error) })) },
      },
    },
    tool_result: {
      description: 'Appends the result of the first tool use to the log.',
      on: {
        'user.interrupt': { guard: 'isNew', actions: 'takeInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
      },
      invoke: {
        id: 'appendResult',
        src: 'appendResult',
        input: headOf,
        onDone: { target: 'next', actions: assign(({ context }) => ({ queue: context.queue.slice(1) })) },
        onError: { target: 'failed', actions: assign(({ event }) => ({ failure: failureOf(event.error) })) },
      },
    },
    awaiting_approval: {
      description:
        'Tool uses wait for a person, or for the client’s own results. None of the reply runs before all are decided.',
      on: {
        'user.interrupt': { guard: 'isNew', target: 'next', actions: 'takeInterrupt' },
        takeover: { guard: 'isFree', target: 'taken_over', actions: 'noteTakeover' },
      },
      initial: 'asking',
      states: {
        asking: {
          always: { guard: not('isUndecided'), description: 'all decided', target: 'resuming' },
        },
        resuming: {
          invoke: {
            id: 'resumeTurn',
            src: 'resumeTurn',
            input: ref,
            onDone: '#session.next',
            onError: {
              target: '#session.failed',
              actions: assign(({ event }) => ({ failure: failureOf(event.error) })),
            },
          },
        },
      },
    },
    paused: {
      description: 'Stopped between two steps until resumed.',
      on: {
        resume: { target: 'next', actions: 'resume' },
        'user.interrupt': { guard: 'isNew', target: 'next', actions: 'takeInterrupt' },
        takeover: { guard: 'isFree', target: 'taken_over', actions: 'noteTakeover' },
      },
    },
    taken_over: {
      description:
        'A person has mouse and keyboard; what they do is recorded. Handed back, the model is shown the screen.',
      on: {
        'user.interrupt': { guard: and(['isNew', not('isResting')]), actions: 'takeInterrupt' },
        pause: { guard: not('isResting'), actions: 'pause' },
        resume: { guard: not('isResting'), actions: 'resume' },
        // It has begun: the computer itself is handed back.
        'takeover.withdrawn': {},
      },
      invoke: {
        id: 'takeOver',
        src: 'takeOver',
        input: takeOverInput,
        onDone: [
          {
            description: 'a message came meanwhile',
            guard: and(['isResting', 'wasSpokenTo']),
            target: 'next',
            actions: ['endTakeover', 'beginTurn'],
          },
          { description: 'between two turns', guard: 'isResting', target: 'idle', actions: 'endTakeover' },
          { target: 'next', actions: 'endTakeover' },
        ],
        onError: {
          target: 'failed',
          actions: ['endTakeover', assign(({ event }) => ({ failure: failureOf(event.error) }))],
        },
      },
    },
    end: {
      description:
        'The turn is over: open tool uses are answered, late writers fenced, the session marked idle.',
      entry: 'raiseEpoch',
      invoke: {
        id: 'endTurn',
        src: 'endTurn',
        input: ({ context }) => ({ ...ref({ context }), reason: context.ending ?? 'end_turn' }),
        onDone: [
          {
            guard: ({ context, event }) =>
              event.output.type === 'more' || context.message > event.output.cursor,
            target: 'next',
            actions: 'beginTurn',
          },
          { target: 'idle', actions: 'beginTurn' },
        ],
        onError: { target: 'failed', actions: assign(({ event }) => ({ failure: failureOf(event.error) })) },
      },
    },
    failed: {
      description: 'A step failed for good. A user message resumes the session.',
      entry: ['raiseEpoch', assign({ telling: true })],
      exit: assign({ telling: false }),
      invoke: {
        id: 'failTurn',
        src: 'failTurn',
        input: ({ context }) => ({
          ...ref({ context }),
          error: context.failure ?? { type: null, message: 'unknown failure' },
        }),
        // Asked for as the step failed, a takeover begins once the log tells of that.
        onDone: [
          { guard: 'isTakenOver', target: 'taken_over', actions: 'restTakeover' },
          { actions: assign({ telling: false }) },
        ],
        // The log may be what failed; the state itself tells of it.
        onError: [
          { guard: 'isTakenOver', target: 'taken_over', actions: 'restTakeover' },
          { actions: assign({ telling: false }) },
        ],
      },
      on: {
        'user.message': { guard: 'isNew', target: 'next', actions: ['takeMessage', 'beginTurn'] },
        takeover: [
          { guard: 'tellsFirst', actions: 'noteTakeover' },
          { guard: 'isFree', target: 'taken_over', actions: 'noteRestingTakeover' },
        ],
      },
    },
  },
});

function noted(context: SessionContext, terms: TakeoverTerms, resting: boolean): Partial<SessionContext> {
  const { takeover, record, disconnect_after_s, expires_after_s } = terms;
  const { message } = context;
  return { takeover: { takeover, record, disconnect_after_s, expires_after_s, resting, message } };
}

function taken(context: SessionContext, seq: number): Partial<SessionContext> {
  return { seen: Math.max(context.seen, seq), message: seq };
}
