import type {
  SessionRef,
  TakeOverInput,
  TakeoverTerms,
  ToolCall,
  ToolInput,
  TurnEnd,
} from '../../activities/contract.ts';
import type { ActorFailure } from '../statechart/actor-failure.ts';

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

export interface Takeover extends TakeoverTerms {
  /** Begun between two turns, where the session goes back to. */
  readonly resting: boolean;
  /** `message` as it began: one that came since begins a turn. */
  readonly message: number;
}

export interface Answer {
  readonly call: string;
  readonly result: 'allow' | 'deny' | 'own';
}

export const ref = ({ context }: { context: SessionContext }): SessionRef => ({
  session: context.session,
  epoch: context.epoch,
});

export const headOf = ({ context }: { context: SessionContext }): ToolInput => ({
  ...ref({ context }),
  call: context.queue[0]?.id ?? '',
});

export const undecided = (call: ToolCall): boolean => call.decision === 'ask' || call.decision === 'custom';

/** The queue once a tool use is answered. The client's own result stands in the log already, so nothing is left to do. */
export const answered = (queue: readonly ToolCall[], { call: id, result }: Answer): readonly ToolCall[] =>
  queue.flatMap((call) => {
    if (call.id !== id || !undecided(call)) return [call];
    return result === 'own' ? [] : [{ ...call, decision: result }];
  });

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
  terms: TakeoverTerms,
  resting: boolean,
): Partial<SessionContext> {
  const { takeover, record, disconnect_after_s, expires_after_s } = terms;
  const { message } = context;
  return { takeover: { takeover, record, disconnect_after_s, expires_after_s, resting, message } };
}

export function taken(context: SessionContext, seq: number): Partial<SessionContext> {
  return { seen: Math.max(context.seen, seq), message: seq };
}
