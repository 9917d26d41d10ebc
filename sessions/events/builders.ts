import type { BetaManagedAgentsSessionRefusalStopDetails as RefusalStopDetails } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import { INTERRUPTED_RESULT } from '@steadyhand/contracts';
import type { PolicyDecision } from '../policy/evaluate.ts';
import type {
  Base64Source,
  BlobSource,
  ModelUsage,
  NewEvent,
  ResultBlock,
  SessionError,
  StopReason,
} from './types.ts';

export const statusRunning = (): NewEvent => ({ type: 'session.status_running', body: {} });
export const statusRescheduled = (): NewEvent => ({ type: 'session.status_rescheduled', body: {} });
export const statusTerminated = (): NewEvent => ({ type: 'session.status_terminated', body: {} });

/** The event of a session that waits for the user because the model declined to answer. */
export function refusedTurn(
  details: { readonly category: string | null; readonly explanation: string | null } | null,
): NewEvent {
  return {
    type: 'session.status_idle',
    body: {
      stop_reason: { type: 'refusal' },
      stop_details: details === null ? null : ({ type: 'refusal', ...details } as RefusalStopDetails),
    },
  };
}

/** The event of a session that waits for the user. */
export function statusIdle(stop_reason: StopReason): NewEvent {
  return { type: 'session.status_idle', body: { stop_reason, stop_details: null } };
}

export const END_TURN: StopReason = { type: 'end_turn' };
/** A limit on turns or tokens has been reached. */
export const BUDGET_REACHED: StopReason = { type: 'budget_reached' };
export const RETRIES_EXHAUSTED: StopReason = { type: 'retries_exhausted' };
/** @param event_ids the ids of the tool uses that wait for a confirmation or a result from the client */
export const requiresAction = (event_ids: readonly string[]): StopReason => ({
  type: 'requires_action',
  event_ids: [...event_ids],
});

/** The error types of the SDK that are used here. */
export type SessionErrorType =
  | 'unknown_error'
  | 'model_overloaded_error'
  | 'model_rate_limited_error'
  | 'model_request_failed_error';

/**
 * @param retry `retrying`: the session continues by itself; `exhausted`: it waits for the user, who may continue it;
 *   `terminal`: it has ended
 */
export function sessionError(
  type: SessionErrorType,
  message: string,
  retry: 'retrying' | 'exhausted' | 'terminal',
): NewEvent {
  return {
    type: 'session.error',
    body: { error: { type, message, retry_status: { type: retry } } as SessionError },
  };
}

export const modelRequestStart = (): NewEvent => ({ type: 'span.model_request_start', body: {} });

/** @param startId the id of the start event, which `eventId(session, key, index)` computes beforehand */
export function modelRequestEnd(startId: string, model_usage: ModelUsage, is_error = false): NewEvent {
  return { type: 'span.model_request_end', body: { model_request_start_id: startId, is_error, model_usage } };
}

/** @param toolUseId the id of the `agent.tool_use` event, not the model's id of the tool use */
export function toolResult(
  toolUseId: string,
  result: {
    readonly content: string | readonly ResultBlock<Base64Source | BlobSource>[];
    readonly is_error: boolean;
    readonly policy_decision?: PolicyDecision;
  },
): NewEvent<'agent.tool_result'> {
  const { content, is_error, policy_decision } = result;
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return {
    type: 'agent.tool_result',
    body: {
      tool_use_id: toolUseId,
      content: blocks,
      is_error,
      ...(policy_decision === undefined ? {} : { policy_decision }),
    },
  };
}

/** The text before the user's next message after an interrupt. */
export const INTERRUPT_TEXT = '(user stopped or interrupted and wrote the following)';

export function interruptedResult(toolUseId: string): NewEvent<'agent.tool_result'> {
  return toolResult(toolUseId, { content: INTERRUPTED_RESULT, is_error: true });
}

/** The result that the model gets for a tool use that the user denied. */
export function deniedText(denyMessage?: string | null): string {
  const reason = denyMessage?.trim() ?? '';
  return reason === '' ? 'The user denied this tool use.' : `The user denied this tool use: ${reason}`;
}

export function deniedResult(toolUseId: string, denyMessage?: string | null): NewEvent<'agent.tool_result'> {
  return toolResult(toolUseId, { content: deniedText(denyMessage), is_error: true });
}
