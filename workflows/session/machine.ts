import { and, assign, not } from 'xstate';
import {
  firstToolUse,
  resumeInput,
  sessionRef,
  takeOverInput,
  undecided,
  withAnswers,
  withRecalled,
} from './context.ts';
import { sessionSetup } from './setup.ts';

/**
 * The state machine of an agent session. The four states of the agent loop have their usual names: `request` asks the model,
 * `tool_use` runs the tool that it asked for, `tool_result` appends the result, and `end` ends the turn. The others are `idle`,
 * `recalling`, `awaiting_approval`, `verifying` (an outcome is unknown, so the screen is looked at), `paused`, `taken_over` (a
 * person has mouse and keyboard) and `failed`. The machine never stays in `next`, which decides the next step.
 */
export const sessionMachine = sessionSetup.createMachine({
  id: 'session',
  context: ({ input }) => ({
    session: input.session,
    epoch: input.epoch,
    generation: input.epoch,
    behind: input.resume === true,
    seen: 0,
    message: 0,
    queue: [],
    claims: [],
    checked: 0,
    outdatedUpTo: 0,
    turns: 0,
    waits: 0,
    faults: 0,
    wait: 0,
    pauses: 0,
    ending: null,
    refusal: null,
    pausing: false,
    takeover: null,
    failure: null,
  }),
  initial: 'idle',
  on: {
    'user.message': { guard: 'isNew', actions: 'acceptMessage' },
    'user.interrupt': { guard: 'isNew', actions: assign({ seen: ({ event }) => event.seq }) },
    'user.tool_confirmation': { actions: 'addClaim' },
    'user.custom_tool_result': { actions: 'addClaim' },
    recall: { guard: 'isSetBack', target: '.recalling' },
    takeover: { guard: 'hasNoTakeover', actions: 'requestTakeover' },
    'takeover.withdrawn': { guard: 'isRequestedTakeover', actions: 'clearTakeover' },
  },
  states: {
    idle: {
      description: 'Waits for a user message.',
      always: [
        { guard: 'isBehind', target: 'recalling' },
        { guard: 'hasTakeover', target: 'taken_over', actions: 'moveTakeoverBetweenTurns' },
      ],
      on: {
        'user.message': { guard: 'isNew', target: 'next', actions: ['acceptMessage', 'beginTurn'] },
        takeover: { guard: 'hasNoTakeover', target: 'taken_over', actions: 'requestTakeoverBetweenTurns' },
      },
    },
    recalling: {
      description:
        'The event log holds more than this workflow knows: it reads where the log stands and goes on there.',
      on: {
        recall: {},
        'user.interrupt': { guard: 'isNew', actions: 'acceptInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
      },
      invoke: {
        id: 'recall',
        src: 'recall',
        input: sessionRef,
        onDone: [
          {
            description: 'nothing is left to do',
            guard: ({ context, event }) => event.output.rest && context.message <= event.output.message,
            target: 'idle',
            actions: [assign(({ context, event }) => withRecalled(context, event.output)), 'beginTurn'],
          },
          {
            target: 'next',
            actions: [
              assign({ turns: 0, waits: 0, faults: 0, pauses: 0, failure: null }),
              assign(({ context, event }) => withRecalled(context, event.output)),
            ],
          },
        ],
        onError: {
          target: 'failed',
          actions: ['keepFailure', assign({ behind: false })],
        },
      },
    },
    next: {
      description: 'Decides the next step; the session never stays here.',
      always: [
        { guard: 'isEnding', target: 'end' },
        { guard: 'hasTakeover', target: 'taken_over' },
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
        'user.interrupt': { guard: 'isNew', target: 'next', actions: 'acceptInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
        takeover: {
          // The reply is not waited for, because it would be to an outdated screen. One that comes late is refused.
          guard: 'hasNoTakeover',
          target: 'taken_over',
          actions: ['requestTakeover', 'raiseEpoch'],
        },
      },
      states: {
        asking: {
          invoke: {
            id: 'requestModel',
            src: 'requestModel',
            input: ({ context }) => ({
              ...sessionRef({ context }),
              turns: context.turns,
              waits: context.waits,
              faults: context.faults,
              pauses: context.pauses,
            }),
            onDone: [
              {
                description: 'asks for tools',
                guard: ({ event }) => event.output.type === 'tools',
                target: '#session.next',
                actions: assign(({ context, event }) => {
                  const queue = event.output.type === 'tools' ? event.output.calls : [];
                  return {
                    queue,
                    claims: context.claims.filter((claim) => queue.some(({ id }) => id === claim)),
                    turns: context.turns + 1,
                    waits: 0,
                    faults: 0,
                    pauses: 0,
                  };
                }),
              },
              {
                description: 'broken off to be continued',
                guard: ({ event }) => event.output.type === 'continue',
                target: '#session.next',
                actions: assign(({ context }) => ({
                  turns: context.turns + 1,
                  waits: 0,
                  faults: 0,
                  pauses: context.pauses + 1,
                })),
              },
              {
                description: 'provider limited',
                guard: ({ event }) => event.output.type === 'wait',
                target: 'waiting',
                actions: assign(({ context, event }) => ({
                  wait: event.output.type === 'wait' ? event.output.ms : 0,
                  waits: context.waits + 1,
                  faults: event.output.type === 'wait' && event.output.fault ? context.faults + 1 : 0,
                })),
              },
              {
                description: 'declined',
                guard: ({ event }) => event.output.type === 'refusal',
                target: '#session.next',
                actions: assign(({ event }) => ({
                  ending: 'refusal' as const,
                  refusal: event.output.type === 'refusal' ? event.output.details : null,
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
              actions: 'keepFailure',
            },
          },
        },
        waiting: {
          description: 'The provider is limited or overloaded; the wait survives restarts.',
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
        input: firstToolUse,
        onDone: [
          {
            description: 'outcome unknown',
            guard: ({ event }) => event.output.type === 'unknown',
            target: 'verifying',
          },
          { target: 'tool_result' },
        ],
        onError: { target: 'failed', actions: 'keepFailure' },
      },
      states: {
        running: {
          on: { 'user.interrupt': { guard: 'isNew', target: 'interrupting', actions: 'acceptInterrupt' } },
        },
        interrupting: {
          description: 'The tool is being stopped; its output so far is still awaited.',
          invoke: {
            id: 'interruptTool',
            src: 'interruptTool',
            input: firstToolUse,
            onDone: {
              description: 'nothing was running',
              guard: ({ event }) => !event.output.running,
              target: '#session.next',
            },
            onError: { target: '#session.next' },
          },
          after: { interruptGrace: '#session.next' },
        },
      },
    },
    verifying: {
      description:
        'An action was begun and its outcome lost: the model is shown the screen, and the action is not repeated.',
      on: {
        'user.interrupt': { guard: 'isNew', actions: 'acceptInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
      },
      invoke: {
        id: 'look',
        src: 'look',
        input: firstToolUse,
        onDone: 'tool_result',
        onError: { target: 'failed', actions: 'keepFailure' },
      },
    },
    tool_result: {
      description: 'Appends the result of the first tool use to the log.',
      on: {
        'user.interrupt': { guard: 'isNew', actions: 'acceptInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
      },
      invoke: {
        id: 'appendResult',
        src: 'appendResult',
        input: firstToolUse,
        onDone: { target: 'next', actions: assign(({ context }) => ({ queue: context.queue.slice(1) })) },
        onError: { target: 'failed', actions: 'keepFailure' },
      },
    },
    awaiting_approval: {
      description:
        'Tool uses wait for a person, or for the client’s own results. No tool use of the reply runs before all are decided.',
      on: {
        'user.interrupt': { guard: 'isNew', target: 'next', actions: 'acceptInterrupt' },
        takeover: { guard: 'hasNoTakeover', target: 'taken_over', actions: 'requestTakeover' },
      },
      initial: 'asking',
      states: {
        asking: {
          always: { guard: 'isAnswered', description: 'all answered', target: 'resuming' },
        },
        resuming: {
          description: 'The answers are read from the event log; they count only there.',
          entry: 'countClaims',
          invoke: {
            id: 'resumeTurn',
            src: 'resumeTurn',
            input: resumeInput,
            onDone: [
              {
                description: 'some are not in the log',
                guard: ({ context, event }) =>
                  withAnswers(context, event.output.answers).queue.some(undecided),
                target: 'asking',
                actions: assign(({ context, event }) => withAnswers(context, event.output.answers)),
              },
              {
                target: '#session.next',
                actions: assign(({ context, event }) => withAnswers(context, event.output.answers)),
              },
            ],
            onError: {
              target: '#session.failed',
              actions: 'keepFailure',
            },
          },
        },
      },
    },
    paused: {
      description: 'The session has stopped between two steps until it is resumed.',
      on: {
        resume: { target: 'next', actions: 'resume' },
        'user.interrupt': { guard: 'isNew', target: 'next', actions: 'acceptInterrupt' },
        takeover: { guard: 'hasNoTakeover', target: 'taken_over', actions: 'requestTakeover' },
      },
    },
    taken_over: {
      description:
        'A person has mouse and keyboard, and what they do is recorded. Afterwards the model is shown the screen.',
      on: {
        'user.interrupt': { guard: and(['isNew', not('isBetweenTurns')]), actions: 'acceptInterrupt' },
        pause: { guard: not('isBetweenTurns'), actions: 'pause' },
        resume: { guard: not('isBetweenTurns'), actions: 'resume' },
        // A takeover that has begun cannot be withdrawn: mouse and keyboard are handed back instead.
        'takeover.withdrawn': {},
      },
      invoke: {
        id: 'takeOver',
        src: 'takeOver',
        input: takeOverInput,
        onDone: [
          {
            description: 'a message came meanwhile',
            guard: and(['isBetweenTurns', 'hasNewMessage']),
            target: 'next',
            actions: ['endTakeover', 'beginTurn'],
          },
          {
            description: 'between two turns',
            guard: 'isBetweenTurns',
            target: 'idle',
            actions: 'endTakeover',
          },
          {
            target: 'next',
            actions: ['endTakeover', assign(({ event }) => ({ outdatedUpTo: event.output.cursor }))],
          },
        ],
        onError: {
          target: 'failed',
          actions: ['endTakeover', 'keepFailure'],
        },
      },
    },
    end: {
      description:
        'The turn is over: open tool uses are answered, late writers are fenced, and the session is marked idle.',
      entry: 'raiseEpoch',
      invoke: {
        id: 'endTurn',
        src: 'endTurn',
        input: ({ context }) => ({
          ...sessionRef({ context }),
          reason: context.ending ?? 'end_turn',
          refusal: context.refusal,
        }),
        onDone: [
          {
            guard: ({ context, event }) =>
              event.output.type === 'more' || context.message > event.output.cursor,
            target: 'next',
            actions: 'beginTurn',
          },
          { target: 'idle', actions: 'beginTurn' },
        ],
        onError: { target: 'failed', actions: 'keepFailure' },
      },
    },
    failed: {
      description: 'A step failed for good. A user message resumes the session.',
      always: { guard: 'isStale', target: 'recalling' },
      entry: 'raiseEpoch',
      initial: 'reporting',
      states: {
        reporting: {
          description:
            'The failure is written into the event log first; a message or a takeover that comes meanwhile waits for that.',
          invoke: {
            id: 'failTurn',
            src: 'failTurn',
            input: ({ context }) => ({
              ...sessionRef({ context }),
              error: context.failure ?? { type: null, message: 'unknown failure' },
              message: context.message,
            }),
            onDone: [
              {
                description: 'a message came meanwhile',
                guard: ({ context, event }) =>
                  event.output.type === 'more' || context.message > event.output.cursor,
                target: '#session.next',
                actions: 'beginTurn',
              },
              { guard: 'hasTakeover', target: '#session.taken_over', actions: 'moveTakeoverBetweenTurns' },
              { target: 'reported' },
            ],
            // The event log itself has failed, or the session is deleted; the state shows the failure.
            onError: [
              { guard: 'hasTakeover', target: '#session.taken_over', actions: 'moveTakeoverBetweenTurns' },
              { target: 'reported' },
            ],
          },
        },
        reported: {
          on: {
            'user.message': {
              guard: 'isNew',
              target: '#session.next',
              actions: ['acceptMessage', 'beginTurn'],
            },
            takeover: {
              guard: 'hasNoTakeover',
              target: '#session.taken_over',
              actions: 'requestTakeoverBetweenTurns',
            },
          },
        },
      },
    },
  },
});
