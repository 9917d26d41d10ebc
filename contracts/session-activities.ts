import type { TakeoverTerms } from './takeover.ts';

/**
 * What the session workflow may ask of the world: the activities' inputs and outcomes. They travel through workflow
 * history, so they hold ids, numbers and short words only; texts and pictures stay in the log and the blob store.
 */

/** The session and the fence of its writers: an append under an older epoch is refused. */
export interface SessionRef {
  /** `sesn_...` */
  readonly session: string;
  readonly epoch: number;
  /** The epoch that the session's workflow began with: it tells the steps of this workflow from those of an earlier one. */
  readonly generation: number;
}

/** A tool use of the newest reply. `id` is its event's id in the log. */
export interface ToolCall {
  readonly id: string;
  /** `allow` runs, `ask` waits for a person, `deny` answers with an error, `custom` waits for the client's own result. */
  readonly decision: 'allow' | 'ask' | 'deny' | 'custom';
}

export interface RequestModelInput extends SessionRef {
  /** Model requests already made in this turn. */
  readonly turns: number;
  /** Waits for the provider in a row before this request. */
  readonly waits: number;
  /** Failed requests in a row before this one; limits and overloads of the provider do not count. */
  readonly faults: number;
  /** Replies in a row, just before this request, that the provider broke off to be continued. */
  readonly pauses: number;
}

/** Why the model would not answer, as `session.status_idle` tells it. */
export interface RefusalDetails {
  readonly category: string | null;
  readonly explanation: string | null;
}

export type RequestModelOutcome =
  /** The reply asks for tools. */
  | { readonly type: 'tools'; readonly calls: readonly ToolCall[] }
  /** The provider broke the reply off (`pause_turn`): the model is asked again and goes on where it was. */
  | { readonly type: 'continue' }
  /** The reply ends the turn, or there was nothing to answer. */
  | { readonly type: 'end' }
  /** The model declined to answer, which ends the turn. */
  | { readonly type: 'refusal'; readonly details: RefusalDetails | null }
  /** The provider is limited, overloaded or (`fault`) failed: ask again after `ms`. */
  | { readonly type: 'wait'; readonly ms: number; readonly fault: boolean }
  /** A limit of the session is reached; the model was not asked. */
  | { readonly type: 'limit' };

export interface ToolInput extends SessionRef {
  /** Event id of the tool use. */
  readonly call: string;
}

/**
 * - `done`: the result is recorded (a tool's error is a result too).
 * - `interrupted`: stopped by a person; what it had put out is recorded.
 * - `unknown`: begun by an earlier attempt whose outcome was lost; not done again.
 */
export interface RunToolOutcome {
  readonly type: 'done' | 'interrupted' | 'unknown';
}

/** How a person takes the session's computer. */
export interface SessionTakeover extends TakeoverTerms {
  /** `tkov_...` */
  readonly takeover: string;
}

export interface TakeOverInput extends SessionRef, SessionTakeover {
  /** Tool uses that still have a turn afterwards; what else has no result by now is answered as interrupted. */
  readonly kept: readonly string[];
}

export interface InterruptToolOutcome {
  /** Whether anything was running or waiting to run under the tool use, so that its outcome is worth waiting for. */
  readonly running: boolean;
}

export interface ResumeTurnInput extends SessionRef {
  /** The tool uses that somebody is said to have answered. */
  readonly calls: readonly string[];
  /** What was allowed up to this sequence number was allowed for a screen that a person has changed since. */
  readonly outdatedUpTo: number;
}

/**
 * An answer that stands in the session's log. `own`: the client's own result of a custom tool; `outdated`: allowed before a
 * person took the computer over.
 */
export interface ToolAnswer {
  readonly call: string;
  readonly result: 'allow' | 'deny' | 'own' | 'outdated';
}

export interface ResumeTurnOutcome {
  /** Those of the asked tool uses that are answered in the log; the others still wait. */
  readonly answers: readonly ToolAnswer[];
}

export interface TakeOverOutcome {
  /** Sequence number of the event that tells of the takeover's end. */
  readonly cursor: number;
}

/** Where a session's log stands, for a workflow that did not write it, or not to its end. */
export interface RecallOutcome {
  /** Above that of everything appended so far. */
  readonly epoch: number;
  /** The last turn has ended and nothing was said since. */
  readonly rest: boolean;
  /** The user interrupted, and said nothing since. */
  readonly interrupted: boolean;
  /** Tool uses without a result, in order, with the answers that stand in the log. */
  readonly calls: readonly ToolCall[];
  /** Sequence numbers of the last user message, and of the last one or interrupt. */
  readonly message: number;
  readonly seen: number;
}

export type TurnEnd = 'end_turn' | 'interrupted' | 'limit' | 'refusal';

export interface EndTurnInput extends SessionRef {
  readonly reason: TurnEnd;
  /** With the reason `refusal`. */
  readonly refusal: RefusalDetails | null;
}

export interface EndTurnOutcome {
  /** `more`: a user message has not been answered yet, and the session stays running. */
  readonly type: 'idle' | 'more';
  /** Sequence number of the log's last event that was considered. */
  readonly cursor: number;
}

export interface FailTurnInput extends SessionRef {
  readonly error: { readonly type: string | null; readonly message: string };
  /** Sequence number of the last user message that the failed turn knew of; a later one begins another turn. */
  readonly message: number;
}

/** The activities of a session; each gets the invocation as its second argument. */
export interface SessionActivities {
  /** Takes the session over from whichever workflow wrote its log, and tells where the log stands. */
  recall(input: SessionRef, invocation: { readonly step: number }): Promise<RecallOutcome>;
  /** Asks the model for the next reply and appends it to the log. */
  requestModel(input: RequestModelInput, invocation: { readonly step: number }): Promise<RequestModelOutcome>;
  /** Performs one tool use in the session's sandbox, at most once, and records its result. */
  runTool(input: ToolInput, invocation: { readonly step: number }): Promise<RunToolOutcome>;
  /** Stops the tool use that is running. */
  interruptTool(input: ToolInput, invocation: { readonly step: number }): Promise<InterruptToolOutcome>;
  /** Records a fresh screenshot as the result of a tool use whose outcome is unknown. */
  look(input: ToolInput, invocation: { readonly step: number }): Promise<void>;
  /** Appends the recorded result of a tool use, or the refusal of a denied one. */
  appendResult(input: ToolInput, invocation: { readonly step: number }): Promise<void>;
  /** Gives the computer to a person, records what they do, and ends when they have handed it back. */
  takeOver(input: TakeOverInput, invocation: { readonly step: number }): Promise<TakeOverOutcome>;
  /** Looks answers up in the log, where alone they count, and marks the session running once all are there. */
  resumeTurn(input: ResumeTurnInput, invocation: { readonly step: number }): Promise<ResumeTurnOutcome>;
  /** Answers open tool uses as interrupted, fences late writers, marks the session idle. */
  endTurn(input: EndTurnInput, invocation: { readonly step: number }): Promise<EndTurnOutcome>;
  /** As endTurn, with an error event. */
  failTurn(input: FailTurnInput, invocation: { readonly step: number }): Promise<EndTurnOutcome>;
}
