import { and, assign, not } from 'xstate';
import { answered, headOf, recalled, ref, resumeInput, takeOverInput, undecided } from './context.ts';
import { sessionSetup } from './setup.ts';

/**
 * An agent session. The four states of the agent loop bear their usual names: `request` asks the model, `tool_use` runs the
 * tool it asked for, `tool_result` appends the result, `end` ends the turn. Around them: `idle`, `awaiting_approval`,
 * `verifying` (an outcome is unknown: look, then go on), `paused`, `taken_over` (a person has the computer) and `failed`.
 * `next` is never stayed in: it decides where to go.
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
    'user.message': { guard: 'isNew', actions: 'takeMessage' },
    'user.interrupt': { guard: 'isNew', actions: assign({ seen: ({ event }) => event.seq }) },
    'user.tool_confirmation': { actions: 'takeClaim' },
    'user.custom_tool_result': { actions: 'takeClaim' },
    recall: { guard: 'isOutdated', target: '.recalling' },
    takeover: { guard: 'isFree', actions: 'noteTakeover' },
    'takeover.withdrawn': { guard: 'isAskedFor', actions: 'forgetTakeover' },
  },
  states: {
    idle: {
      description: 'Waits for a user message.',
      always: [
        { guard: 'isBehind', target: 'recalling' },
        { guard: 'isTakenOver', target: 'taken_over', actions: 'restTakeover' },
      ],
      on: {
        'user.message': { guard: 'isNew', target: 'next', actions: ['takeMessage', 'beginTurn'] },
        takeover: { guard: 'isFree', target: 'taken_over', actions: 'noteRestingTakeover' },
      },
    },
    recalling: {
      description: 'The log knows more than this workflow: looks where it stands, and goes on there.',
      on: {
        recall: {},
        'user.interrupt': { guard: 'isNew', actions: 'takeInterrupt' },
        pause: { actions: 'pause' },
        resume: { actions: 'resume' },
      },
      invoke: {
        id: 'recall',
        src: 'recall',
        input: ref,
        onDone: [
          {
            description: 'nothing is left to do',
            guard: ({ context, event }) => event.output.rest && context.message <= event.output.message,
            target: 'idle',
            actions: [assign(({ context, event }) => recalled(context, event.output)), 'beginTurn'],
          },
          {
            target: 'next',
            actions: [
              assign({ turns: 0, waits: 0, faults: 0, pauses: 0, failure: null }),
              assign(({ context, event }) => recalled(context, event.output)),
            ],
          },
        ],
        onError: {
          target: 'failed',
          actions: ['noteFailure', assign({ behind: false })],
        },
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
            input: ({ context }) => ({
              ...ref({ context }),
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
              actions: 'noteFailure',
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
        onError: { target: 'failed', actions: 'noteFailure' },
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
        onError: { target: 'failed', actions: 'noteFailure' },
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
        onError: { target: 'failed', actions: 'noteFailure' },
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
          always: { guard: 'isAnswered', description: 'all answered', target: 'resuming' },
        },
        resuming: {
          description: 'The answers are looked up in the log, where alone they count.',
          entry: 'checkClaims',
          invoke: {
            id: 'resumeTurn',
            src: 'resumeTurn',
            input: resumeInput,
            onDone: [
              {
                description: 'some are not in the log',
                guard: ({ context, event }) => answered(context, event.output.answers).queue.some(undecided),
                target: 'asking',
                actions: assign(({ context, event }) => answered(context, event.output.answers)),
              },
              {
                target: '#session.next',
                actions: assign(({ context, event }) => answered(context, event.output.answers)),
              },
            ],
            onError: {
              target: '#session.failed',
              actions: 'noteFailure',
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
          {
            target: 'next',
            actions: ['endTakeover', assign(({ event }) => ({ outdatedUpTo: event.output.cursor }))],
          },
        ],
        onError: {
          target: 'failed',
          actions: ['endTakeover', 'noteFailure'],
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
        input: ({ context }) => ({
          ...ref({ context }),
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
        onError: { target: 'failed', actions: 'noteFailure' },
      },
    },
    failed: {
      description: 'A step failed for good. A user message resumes the session.',
      always: { guard: 'isStale', target: 'recalling' },
      entry: 'raiseEpoch',
      initial: 'telling',
      states: {
        telling: {
          description:
            'The log is told of the failure first; a message or a takeover that comes meanwhile waits for that.',
          invoke: {
            id: 'failTurn',
            src: 'failTurn',
            input: ({ context }) => ({
              ...ref({ context }),
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
              { guard: 'isTakenOver', target: '#session.taken_over', actions: 'restTakeover' },
              { target: 'told' },
            ],
            // The log is what failed, or the session is gone; the state itself tells of it.
            onError: [
              { guard: 'isTakenOver', target: '#session.taken_over', actions: 'restTakeover' },
              { target: 'told' },
            ],
          },
        },
        told: {
          on: {
            'user.message': {
              guard: 'isNew',
              target: '#session.next',
              actions: ['takeMessage', 'beginTurn'],
            },
            takeover: { guard: 'isFree', target: '#session.taken_over', actions: 'noteRestingTakeover' },
          },
        },
      },
    },
  },
});
