import type {
  RecallOutcome,
  RefusalDetails,
  ResumeTurnInput,
  SessionRef,
  SessionTakeover,
  TakeOverInput,
  ToolAnswer,
  ToolCall,
  ToolInput,
  TurnEnd,
} from '@steadyhand/contracts';
import type { ActorFailure } from '@steadyhand/statechart/workflow';

export interface SessionInput {
  /** `sesn_...` */
  readonly session: string;
  /** Above that of any earlier workflow of the session. */
  readonly epoch: number;
  /** A workflow was there before this one: it goes on where the log ends. Default false. */
  readonly resume?: boolean;
}

export interface SessionContext {
  readonly session: string;
  /** Raised whenever a turn ends: what a stopped actor of an ended turn still wants to append is refused. */
  readonly epoch: number;
  /** The epoch that this workflow began with, or took the session over with. */
  readonly generation: number;
  /** The log holds what this workflow has not heard of. */
  readonly behind: boolean;
  /** Sequence number of the last user event taken. */
  readonly seen: number;
  /** Sequence number of the last user message taken. */
  readonly message: number;
  /** Tool uses of the newest reply that have no result yet, in order. */
  readonly queue: readonly ToolCall[];
  /**
   * Tool uses that somebody is said to have answered, also such that the machine has not heard of yet: a client may be quicker
   * than the activity's completion. What counts is the answer in the log, which is looked up before anything is done.
   */
  readonly claims: readonly string[];
  /** How many of the claims the look-up under way knew of. */
  readonly checked: number;
  /** Sequence number in the log up to which approvals are outdated, since a person had the computer afterwards. */
  readonly outdatedUpTo: number;
  /** Model requests in this turn. */
  readonly turns: number;
  /** Waits for the provider in a row, failed requests among them, and the length of the next wait in milliseconds. */
  readonly waits: number;
  readonly faults: number;
  readonly wait: number;
  /** Replies in a row that the provider broke off to be continued. */
  readonly pauses: number;
  /** Why the turn is to end, once that is decided. */
  readonly ending: TurnEnd | null;
  /** Why the model would not answer, where that ends the turn. */
  readonly refusal: RefusalDetails | null;
  readonly pausing: boolean;
  /** The takeover that a person has or waits for. */
  readonly takeover: Takeover | null;
  readonly failure: { readonly type: string | null; readonly message: string } | null;
}

export interface Takeover extends SessionTakeover {
  /** Begun between two turns, where the session goes back to. */
  readonly resting: boolean;
  /** `message` as it began: one that came since begins a turn. */
  readonly message: number;
}

export const ref = ({ context }: { context: SessionContext }): SessionRef => ({
  session: context.session,
  epoch: context.epoch,
  generation: context.generation,
});

export const headOf = ({ context }: { context: SessionContext }): ToolInput => ({
  ...ref({ context }),
  call: context.queue[0]?.id ?? '',
});

export const undecided = (call: ToolCall): boolean => call.decision === 'ask' || call.decision === 'custom';

/** Whether every tool use that waits for an answer is said to have one. */
export const allClaimed = ({ queue, claims }: SessionContext): boolean =>
  queue.filter(undecided).every(({ id }) => claims.includes(id));

export const resumeInput = ({ context }: { context: SessionContext }): ResumeTurnInput => ({
  ...ref({ context }),
  calls: context.queue.filter(undecided).map(({ id }) => id),
  outdatedUpTo: context.outdatedUpTo,
});

/**
 * The queue with the answers that stand in the log. The client's own result stands there already, so nothing is left to do for
 * it. What has no answer there waits on: somebody only said so.
 */
export function answered(
  { queue, claims, checked }: SessionContext,
  answers: readonly ToolAnswer[],
): Pick<SessionContext, 'queue' | 'claims'> {
  const decided = queue.flatMap((call) => {
    const answer = answers.find((one) => one.call === call.id);
    if (answer === undefined || !undecided(call)) return [call];
    if (answer.result === 'own') return [];
    return [{ ...call, decision: answer.result === 'allow' ? ('allow' as const) : ('deny' as const) }];
  });
  // A claim that came since the look-up began may be of an answer that it did not see yet.
  return { queue: decided, claims: claims.slice(checked) };
}

export const takeOverInput = ({ context }: { context: SessionContext }): TakeOverInput => {
  const { takeover, record, disconnect_after_s, expires_after_s } = context.takeover as Takeover;
  const kept = context.queue.map(({ id }) => id);
  return { ...ref({ context }), takeover, record, disconnect_after_s, expires_after_s, kept };
};

/** What was to run was decided before the person changed the screen: it is answered as interrupted. */
export const outdated = (queue: readonly ToolCall[]): readonly ToolCall[] =>
  queue.map((call) => (call.decision === 'allow' ? { ...call, decision: 'deny' as const } : call));

export const failureOf = (error: unknown): SessionContext['failure'] => {
  const { type, message } = error as ActorFailure;
  return { type, message };
};

export function noted(
  context: SessionContext,
  terms: SessionTakeover,
  resting: boolean,
): Partial<SessionContext> {
  const { takeover, record, disconnect_after_s, expires_after_s } = terms;
  const { message } = context;
  return { takeover: { takeover, record, disconnect_after_s, expires_after_s, resting, message } };
}

export function taken(context: SessionContext, seq: number): Partial<SessionContext> {
  return { seen: Math.max(context.seen, seq), message: seq };
}

/** The context once the log is known: a turn of its own begins, with what the turn before left open. */
export function recalled(context: SessionContext, outcome: RecallOutcome): Partial<SessionContext> {
  const { epoch, calls, interrupted } = outcome;
  return {
    behind: false,
    epoch,
    generation: epoch,
    seen: Math.max(context.seen, outcome.seen),
    message: Math.max(context.message, outcome.message),
    queue: calls,
    ending: interrupted ? 'interrupted' : context.ending,
  };
}
