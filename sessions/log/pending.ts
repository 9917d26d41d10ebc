import { type Store, stored } from '@steadyhand/store';
import { modelRequestEnd } from '../events/builders.ts';
import { is, type LogEvent, type NewEvent } from '../events/types.ts';
import { dataOf } from '../record/session-data.ts';
import { spanUsage } from '../record/usage.ts';
import { readLog } from './append.ts';
import { fromStored } from '../events/log-event.ts';
import type { LogSummary } from '../record/log-summary.ts';

/** A tool use that the model still waits for. */
type PendingToolUse = LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>;

/** The summary of a session's event log, from its record, and the seq at which the log ends. Throws NotStoredError. */
export async function logSummary(
  store: Store,
  session: string,
): Promise<LogSummary & { readonly cursor: number }> {
  const record = stored(await store.sessions.get(session), 'session', session);
  return { ...dataOf(record).log, cursor: record.cursor };
}

/** The tool uses of a session that have no result, in the model's order. */
export async function pendingToolUses(store: Store, session: string): Promise<readonly PendingToolUse[]> {
  const { open_tool_uses: ids } = await logSummary(store, session);
  if (ids.length === 0) return [];
  return (await readLog(store, session, { ids })).filter(is('agent.tool_use', 'agent.custom_tool_use'));
}

/** The tool uses that wait for the user's permission: neither confirmed nor answered. */
export async function awaitingConfirmation(
  store: Store,
  session: string,
): Promise<readonly LogEvent<'agent.tool_use'>[]> {
  const asked = (await pendingToolUses(store, session))
    .filter(is('agent.tool_use'))
    .filter(({ body }) => body.evaluated_permission === 'ask');
  if (asked.length === 0) return [];
  const refs = asked.map(({ id }) => id);
  const answers = await readLog(store, session, { refs, types: ['user.tool_confirmation'] });
  const confirmed = new Set(answers.filter(is('user.tool_confirmation')).map(({ body }) => body.tool_use_id));
  return asked.filter(({ id }) => !confirmed.has(id));
}

/** An answer to a tool use, by a person or by the client that runs a custom tool. */
interface StoredAnswer {
  readonly call: string;
  readonly result: 'allow' | 'deny' | 'own';
  /** Sequence number of the event. */
  readonly seq: number;
}

/** The answers to these tool uses in the event log, in no particular order; the first answer to a tool use stands. */
export async function readToolAnswers(
  store: Store,
  session: string,
  calls: readonly string[],
): Promise<readonly StoredAnswer[]> {
  const types = ['user.tool_confirmation', 'user.custom_tool_result'];
  const found = (await store.events.read({ session, refs: calls, types })).map(fromStored);
  const answers = new Map<string, StoredAnswer>();
  for (const event of found.filter(is('user.tool_confirmation', 'user.custom_tool_result'))) {
    const answer = answerOf(event);
    if (!answers.has(answer.call)) answers.set(answer.call, answer);
  }
  return [...answers.values()];
}

function answerOf(event: LogEvent<'user.tool_confirmation' | 'user.custom_tool_result'>): StoredAnswer {
  const { seq } = event;
  return event.type === 'user.tool_confirmation'
    ? { call: event.body.tool_use_id, result: event.body.result, seq }
    : { call: event.body.custom_tool_use_id, result: 'own', seq };
}

/**
 * The event that ends a model request which a turn left open, e.g. because it was interrupted, so that clients that saw
 * its start see its end. Empty where the newest request has ended.
 */
export async function endOfOpenRequest(store: Store, session: string): Promise<readonly NewEvent[]> {
  const types = ['span.model_request_start', 'span.model_request_end'];
  const [newest] = await store.events.read({ session, types, order: 'desc', limit: 1 });
  if (newest?.type !== 'span.model_request_start') return [];
  return [modelRequestEnd(newest.id, spanUsage({ input_tokens: 0, output_tokens: 0 }), true)];
}
