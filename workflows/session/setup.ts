import { assign, setup } from 'xstate';
import type {
  EndTurnInput,
  EndTurnOutcome,
  FailTurnInput,
  InterruptToolOutcome,
  RecallOutcome,
  RequestModelInput,
  RequestModelOutcome,
  ResumeTurnInput,
  ResumeTurnOutcome,
  RunToolOutcome,
  SessionRef,
  TakeOverInput,
  TakeOverOutcome,
  ToolInput,
} from '@steadyhand/contracts';
import { durable } from '@steadyhand/statechart/workflow';
import {
  allClaimed,
  failureOf,
  type SessionContext,
  type SessionInput,
  undecided,
  withMessage,
  withoutApprovals,
  withTakeover,
} from './context.ts';
import type { SessionEvent } from './events.ts';

/** The most claims that are kept: more than a reply has tool uses, and a bound for a client that sends nothing but claims. */
const MAX_CLAIMS = 1000;

/** The types, actors, guards, actions and delays of the session's state machine. */
export const sessionSetup = setup({
  types: {
    input: {} as SessionInput,
    context: {} as SessionContext,
    events: {} as SessionEvent,
  },
  actors: {
    recall: durable<RecallOutcome, SessionRef>(),
    requestModel: durable<RequestModelOutcome, RequestModelInput>(),
    runTool: durable<RunToolOutcome, ToolInput>(),
    interruptTool: durable<InterruptToolOutcome, ToolInput>(),
    takeOver: durable<TakeOverOutcome, TakeOverInput>(),
    look: durable<void, ToolInput>(),
    appendResult: durable<void, ToolInput>(),
    resumeTurn: durable<ResumeTurnOutcome, ResumeTurnInput>(),
    endTurn: durable<EndTurnOutcome, EndTurnInput>(),
    failTurn: durable<EndTurnOutcome, FailTurnInput>(),
  },
  guards: {
    isNew: ({ context, event }) => 'seq' in event && event.seq > context.seen,
    isBehind: ({ context }) => context.behind,
    /** The event log is ahead of this workflow, which an older copy of the engine's data has set back. */
    isSetBack: ({ context, event }) =>
      event.type === 'recall' && (event.epoch > context.epoch || event.seq > context.seen),
    /** No other workflow runs the session, so an epoch above this workflow's own is one that it was set back from. */
    isStale: ({ context }) => context.failure?.type === 'StaleEpochError',
    isEnding: ({ context }) => context.ending !== null,
    isPausing: ({ context }) => context.pausing,
    isDenied: ({ context }) => context.queue[0]?.decision === 'deny',
    isUndecided: ({ context }) => context.queue.some(undecided),
    isAnswered: ({ context }) => allClaimed(context),
    hasNoTakeover: ({ context }) => context.takeover === null,
    hasTakeover: ({ context }) => context.takeover !== null,
    isRequestedTakeover: ({ context, event }) =>
      event.type === 'takeover.withdrawn' && context.takeover?.takeover === event.takeover,
    isBetweenTurns: ({ context }) => context.takeover?.resting === true,
    hasNewMessage: ({ context }) => context.message > (context.takeover?.message ?? 0),
    hasTools: ({ context }) => context.queue.length > 0,
  },
  actions: {
    acceptMessage: assign(({ context, event }) =>
      event.type === 'user.message' ? withMessage(context, event.seq) : {},
    ),
    acceptInterrupt: assign(({ event }) =>
      event.type === 'user.interrupt'
        ? { seen: event.seq, ending: 'interrupted' as const, pausing: false }
        : {},
    ),
    /** This ignores `seen`: a claim may be made twice, and a claim without an answer must not hide the ones after it. */
    addClaim: assign(({ context, event }) =>
      event.type === 'user.tool_confirmation' || event.type === 'user.custom_tool_result'
        ? { claims: [...context.claims, event.call].slice(-MAX_CLAIMS) }
        : {},
    ),
    countClaims: assign({ checked: ({ context }) => context.claims.length }),
    pause: assign({ pausing: true }),
    resume: assign({ pausing: false }),
    requestTakeover: assign(({ context, event }) =>
      event.type === 'takeover' ? withTakeover(context, event, false) : {},
    ),
    requestTakeoverBetweenTurns: assign(({ context, event }) =>
      event.type === 'takeover' ? withTakeover(context, event, true) : {},
    ),
    /** The takeover was requested while the turn ended, so it takes place between two turns. */
    moveTakeoverBetweenTurns: assign(({ context }) =>
      context.takeover === null
        ? {}
        : { takeover: { ...context.takeover, resting: true, message: context.message } },
    ),
    clearTakeover: assign({ takeover: null }),
    endTakeover: assign(({ context }) => ({ takeover: null, queue: withoutApprovals(context.queue) })),
    beginTurn: assign({
      turns: 0,
      waits: 0,
      faults: 0,
      pauses: 0,
      ending: null,
      refusal: null,
      failure: null,
      queue: [],
      claims: [],
    }),
    /** Keeps the error of a failed activity for the state `failed`, which reports it. */
    keepFailure: assign(({ event }) => ('error' in event ? { failure: failureOf(event.error) } : {})),
    raiseEpoch: assign({ epoch: ({ context }) => context.epoch + 1 }),
  },
  delays: {
    providerWait: ({ context }) => context.wait,
    /** A sandbox answers an interrupt within a moment; one that does not is given up. */
    interruptGrace: 15_000,
  },
});
