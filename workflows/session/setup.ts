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
  noted,
  outdated,
  type SessionContext,
  type SessionInput,
  taken,
  undecided,
} from './context.ts';
import type { SessionEvent } from './events.ts';

/** Claims of answers that are kept: more than a reply has tool uses, and a bound for whoever sends nothing but claims. */
const MOST_CLAIMS = 1000;

/** What the session's machine is made of: what it may ask of the world, what decides, and what changes its context. */
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
    isOutdated: ({ context, event }) =>
      event.type === 'recall' && (event.epoch > context.epoch || event.seq > context.seen),
    /** Nobody else runs this workflow's session: an epoch above its own is one that it has forgotten. */
    isStale: ({ context }) => context.failure?.type === 'StaleEpochError',
    isEnding: ({ context }) => context.ending !== null,
    isPausing: ({ context }) => context.pausing,
    isDenied: ({ context }) => context.queue[0]?.decision === 'deny',
    isUndecided: ({ context }) => context.queue.some(undecided),
    isAnswered: ({ context }) => allClaimed(context),
    isFree: ({ context }) => context.takeover === null,
    isTakenOver: ({ context }) => context.takeover !== null,
    isAskedFor: ({ context, event }) =>
      event.type === 'takeover.withdrawn' && context.takeover?.takeover === event.takeover,
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
    /** Not held against `seen`: a claim may be made twice, and one that nobody answered for must not hide what comes after it. */
    takeClaim: assign(({ context, event }) =>
      event.type === 'user.tool_confirmation' || event.type === 'user.custom_tool_result'
        ? { claims: [...context.claims, event.call].slice(-MOST_CLAIMS) }
        : {},
    ),
    checkClaims: assign({ checked: ({ context }) => context.claims.length }),
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
      context.takeover === null
        ? {}
        : { takeover: { ...context.takeover, resting: true, message: context.message } },
    ),
    forgetTakeover: assign({ takeover: null }),
    endTakeover: assign(({ context }) => ({ takeover: null, queue: outdated(context.queue) })),
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
    /** Keeps the error of an activity that failed: `failed` tells it. */
    noteFailure: assign(({ event }) => ('error' in event ? { failure: failureOf(event.error) } : {})),
    raiseEpoch: assign({ epoch: ({ context }) => context.epoch + 1 }),
  },
  delays: {
    providerWait: ({ context }) => context.wait,
    /** The sandbox answers an interrupt within a moment; a computer that does not is given up. */
    interruptGrace: 15_000,
  },
});
