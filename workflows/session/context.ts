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

export interface SessionInput {
  /** `sesn_...` */
  readonly session: string;
  /** The epoch to begin with, above that of any earlier workflow of the session. */
  readonly epoch: number;
  /** The session had another workflow before: this one goes on where the event log ends. Default false. */
  readonly resume?: boolean;
}

export interface SessionContext {
  readonly session: string;
  /** Raised whenever a turn ends, so that appends by stopped actors of an ended turn are refused. */
  readonly epoch: number;
  /** The epoch that this workflow began with, or took the session over with. */
  readonly generation: number;
  /** The event log holds events that this workflow does not know. */
  readonly behind: boolean;
  /** Sequence number of the last accepted user event. */
  readonly seen: number;
  /** Sequence number of the last accepted user message. */
  readonly message: number;
  /** Tool uses of the newest reply that have no result yet, in order. */
  readonly queue: readonly ToolCall[];
  /**
   * Tool uses that somebody is said to have answered. Some of them the state machine may not know yet, because a client can be
   * quicker than the activity's completion. Only an answer in the event log counts, which is read before anything is done.
   */
  readonly claims: readonly string[];
  /** The number of claims when the look-up of answers began. */
  readonly checked: number;
  /** Sequence number in the event log up to which approvals are outdated, because a takeover followed them. */
  readonly outdatedUpTo: number;
  /** Model requests in this turn. */
  readonly turns: number;
  /** Waits for the provider in a row, the failed requests among them, and the length of the next wait in milliseconds. */
  readonly waits: number;
  readonly faults: number;
  readonly wait: number;
  /** Replies in a row that the provider broke off to be continued. */
  readonly pauses: number;
  /** Why the turn is to end, once that is decided. */
  readonly ending: TurnEnd | null;
  /** Why the model declined to answer, where that ends the turn. */
  readonly refusal: RefusalDetails | null;
  readonly pausing: boolean;
  /** The takeover that is under way or requested. */
  readonly takeover: Takeover | null;
  readonly failure: { readonly type: string | null; readonly message: string } | null;
}

export interface Takeover extends SessionTakeover {
  /** The takeover began between two turns, and the session returns there. */
  readonly resting: boolean;
  /** The last user message when the takeover began; a later one begins a turn. */
  readonly message: number;
}

export const sessionRef = ({ context }: { context: SessionContext }): SessionRef => ({
  session: context.session,
  epoch: context.epoch,
  generation: context.generation,
});

/** The input of the activities that work on the first tool use of the queue. */
export const firstToolUse = ({ context }: { context: SessionContext }): ToolInput => ({
  ...sessionRef({ context }),
  call: context.queue[0]?.id ?? '',
});

export const undecided = ({ decision }: ToolCall): boolean => decision === 'ask' || decision === 'custom';

/** Whether every tool use that waits for an answer is said to have one. */
export const allClaimed = ({ queue, claims }: SessionContext): boolean =>
  queue.filter(undecided).every(({ id }) => claims.includes(id));

export const resumeInput = ({ context }: { context: SessionContext }): ResumeTurnInput => ({
  ...sessionRef({ context }),
  calls: context.queue.filter(undecided).map(({ id }) => id),
  outdatedUpTo: context.outdatedUpTo,
});

/**
 * The queue with the answers that stand in the event log. A client's own result stands there already, so its tool use leaves
 * the queue. A tool use without an answer there waits further: somebody only claimed to have answered it.
 */
export function withAnswers(
  { queue, claims, checked }: SessionContext,
  answers: readonly ToolAnswer[],
): Pick<SessionContext, 'queue' | 'claims'> {
  const decided = queue.flatMap((toolUse) => {
    const answer = answers.find(({ call }) => call === toolUse.id);
    if (answer === undefined || !undecided(toolUse)) return [toolUse];
    if (answer.result === 'own') return [];
    return [{ ...toolUse, decision: answer.result === 'allow' ? ('allow' as const) : ('deny' as const) }];
  });
  // A claim that came after the look-up began may refer to an answer that the look-up did not see.
  return { queue: decided, claims: claims.slice(checked) };
}

export const takeOverInput = ({ context }: { context: SessionContext }): TakeOverInput => {
  const { takeover, record, disconnect_after_s, expires_after_s } = context.takeover as Takeover;
  const kept = context.queue.map(({ id }) => id);
  return { ...sessionRef({ context }), takeover, record, disconnect_after_s, expires_after_s, kept };
};

/** The queue without approvals: they were given before the person changed the screen, so those tool uses are interrupted. */
export const withoutApprovals = (queue: readonly ToolCall[]): readonly ToolCall[] =>
  queue.map((toolUse) =>
    toolUse.decision === 'allow' ? { ...toolUse, decision: 'deny' as const } : toolUse,
  );

export const failureOf = (error: unknown): SessionContext['failure'] => {
  const { name, message } = error as Error;
  return { type: name === 'Error' ? null : name, message };
};

export function withTakeover(
  context: SessionContext,
  terms: SessionTakeover,
  resting: boolean,
): Partial<SessionContext> {
  const { takeover, record, disconnect_after_s, expires_after_s } = terms;
  const { message } = context;
  return { takeover: { takeover, record, disconnect_after_s, expires_after_s, resting, message } };
}

export function withMessage(context: SessionContext, seq: number): Partial<SessionContext> {
  return { seen: Math.max(context.seen, seq), message: seq };
}

/** The context once the event log is known: a new turn begins with the tool uses that the one before left open. */
export function withRecalled(context: SessionContext, outcome: RecallOutcome): Partial<SessionContext> {
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
