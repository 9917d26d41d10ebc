import type { Store } from '../../store/index.ts';
import { is, type LogEvent } from '../events/types.ts';
import { readLog } from './append.ts';
import { fromStored } from './log-event.ts';

/** A tool use that the model still waits for. */
export type PendingToolUse = LogEvent<'agent.tool_use' | 'agent.custom_tool_use'>;

/** The tool uses in a log that have no result, in the model's order. */
export function pendingToolUses(events: readonly LogEvent[]): readonly PendingToolUse[] {
  const answered = new Set(
    events
      .filter(is('agent.tool_result', 'user.custom_tool_result'))
      .map((event) =>
        event.type === 'agent.tool_result' ? event.body.tool_use_id : event.body.custom_tool_use_id,
      ),
  );
  return events.filter(is('agent.tool_use', 'agent.custom_tool_use')).filter(({ id }) => !answered.has(id));
}

/** Tool uses that wait for the user's permission: neither confirmed nor answered. */
export function awaitingConfirmation(events: readonly LogEvent[]): readonly PendingToolUse[] {
  const confirmed = new Set(events.filter(is('user.tool_confirmation')).map(({ body }) => body.tool_use_id));
  return pendingToolUses(events)
    .filter(is('agent.tool_use'))
    .filter(({ id, body }) => body.evaluated_permission === 'ask' && !confirmed.has(id));
}

/** The events that say what tool uses there are and which are answered. */
const TOOL_EVENTS = [
  'agent.tool_use',
  'agent.custom_tool_use',
  'agent.tool_result',
  'user.custom_tool_result',
  'user.tool_confirmation',
] as const;

export function readToolEvents(store: Store, session: string): Promise<readonly LogEvent[]> {
  return readLog(store, session, { types: TOOL_EVENTS });
}

/** An answer to a tool use, by a person or by the client that runs a custom tool. */
export interface StoredAnswer {
  readonly call: string;
  readonly result: 'allow' | 'deny' | 'own';
  /** Sequence number of the event. */
  readonly seq: number;
}

/** The answers that the log holds to these tool uses, in no particular order; the first answer to a tool use stands. */
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
