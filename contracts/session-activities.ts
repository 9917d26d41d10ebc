import type { TakeoverTerms } from './takeover.ts';

/**
 * The activities of the session workflow, their inputs and their outcomes. They travel through workflow history, so
 * they hold ids, numbers and short words only; texts and pictures stay in the event log and the blob store.
 */

/** The session and the fencing token of its writer: an append under an older epoch is refused. */
export interface SessionRef {
  /** `sesn_...` */
  readonly session: string;
  readonly epoch: number;
  /** The epoch that the session's workflow began with; it distinguishes its steps from those of an earlier workflow. */
  readonly generation: number;
}

/** A tool use of the newest reply. `id` is its event's id in the log. */
export interface ToolCall {
  readonly id: string;
  /**
   * `allow` runs it, `ask` waits for a person, `deny` answers with an error, `custom` waits for the client's result.
   */
  readonly decision: 'allow' | 'ask' | 'deny' | 'custom';
}

export interface RequestModelInput extends SessionRef {
  /** How many model requests this turn has made so far. */
  readonly turns: number;
  /** How many waits for the provider came in a row before this request. */
  readonly waits: number;
  /** How many requests in a row failed before this one; the provider's limits and overloads do not count. */
  readonly faults: number;
  /** How many replies in a row, just before this request, the provider broke off to be continued. */
  readonly pauses: number;
}

/** Why the model declined to answer, as `session.status_idle` carries it. */
export interface RefusalDetails {
  readonly category: string | null;
  readonly explanation: string | null;
}

export type RequestModelOutcome =
  /** The reply asks for tools. */
  | { readonly type: 'tools'; readonly calls: readonly ToolCall[] }
  /** The provider broke the reply off (`pause_turn`): the model is asked again and continues it. */
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
 * - `done`: the result is recorded. A tool's error is a result too.
 * - `interrupted`: a person stopped the tool use; its output up to then is recorded.
 * - `unknown`: an earlier attempt began it and its outcome was lost; it is not performed again.
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
  /** Tool uses that still run afterwards; all others without a result are answered as interrupted. */
  readonly kept: readonly string[];
}

export interface InterruptToolOutcome {
  /** Whether the tool use was running or waiting to run, so that an outcome is to be waited for. */
  readonly running: boolean;
}

export interface ResumeTurnInput extends SessionRef {
  /** The tool uses that are reported to be answered. */
  readonly calls: readonly string[];
  /** Confirmations up to this sequence number were given for a screen that a person has changed since. */
  readonly outdatedUpTo: number;
}

/**
 * An answer that the session's event log holds. `own`: the client's own result of a custom tool; `outdated`: a
 * confirmation from before a takeover.
 */
export interface ToolAnswer {
  readonly call: string;
  readonly result: 'allow' | 'deny' | 'own' | 'outdated';
}

export interface ResumeTurnOutcome {
  /** The answers that the event log holds; the other tool uses still wait. */
  readonly answers: readonly ToolAnswer[];
}

export interface TakeOverOutcome {
  /** Sequence number of the event that records the takeover's end. */
  readonly cursor: number;
}

/** The state of a session's event log, for a workflow that did not write all of it. */
export interface RecallOutcome {
  /** A number above the epoch of everything appended so far. */
  readonly epoch: number;
  /** Whether the last turn has ended without a message since. */
  readonly rest: boolean;
  /** Whether the user interrupted and sent no message since. */
  readonly interrupted: boolean;
  /** Tool uses without a result, in order, with the answers that the event log holds. */
  readonly calls: readonly ToolCall[];
  /** Sequence numbers of the last user message, and of the last user message or interrupt. */
  readonly message: number;
  readonly seen: number;
}

export type TurnEnd = 'end_turn' | 'interrupted' | 'limit' | 'refusal';

export interface EndTurnInput extends SessionRef {
  readonly reason: TurnEnd;
  /** Given with the reason `refusal`. */
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
  /** Takes the session over from the workflow that wrote its event log, and answers the log's state. */
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
  /**
   * Looks the answers up in the event log, where alone they count, and marks the session running once all are there.
   */
  resumeTurn(input: ResumeTurnInput, invocation: { readonly step: number }): Promise<ResumeTurnOutcome>;
  /** Answers open tool uses as interrupted, fences late writers off and marks the session idle. */
  endTurn(input: EndTurnInput, invocation: { readonly step: number }): Promise<EndTurnOutcome>;
  /** Does what `endTurn` does, with an error event. */
  failTurn(input: FailTurnInput, invocation: { readonly step: number }): Promise<EndTurnOutcome>;
}
