import type { Store } from '../../store/index.ts';
import { interruptedResult } from '../events/builders.ts';
import { is, type LogEvent, type NewEvent } from '../events/types.ts';
import { append, readLog, type StepResult } from './append.ts';

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

/**
 * Gives every pending tool use an error result, "human stopped or interrupted tool execution", so that the
 * conversation can go on. Keyed and fenced as any other step.
 * @param also events to append after the results, e.g. the idle status
 */
export async function heal(
  store: Store,
  step: {
    readonly session: string;
    readonly key: string;
    readonly epoch?: number;
    readonly also?: readonly NewEvent[];
  },
): Promise<StepResult> {
  const pending = pendingToolUses(await readToolEvents(store, step.session));
  const { also = [], ...rest } = step;
  return append(store, { ...rest, events: [...pending.map(({ id }) => interruptedResult(id)), ...also] });
}
