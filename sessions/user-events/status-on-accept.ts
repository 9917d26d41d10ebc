import type { SessionRecord } from '@steadyhand/store';
import { dataOf } from '../record/session-data.ts';
import { requiresAction, statusIdle, statusRunning } from '../events/builders.ts';
import type { NewEvent } from '../events/types.ts';
import type { UserEvent } from './user-events.ts';

/**
 * The status event that follows from accepting a client's events: an idle session runs from the moment at which an
 * event that starts a turn is accepted, and one that waits for answers waits for the remaining ones.
 */
export function statusOnAccept(
  record: Pick<SessionRecord, 'status' | 'data'>,
  events: readonly UserEvent[],
): NewEvent | undefined {
  if (record.status !== 'idle') return undefined;
  const { stop_reason: stop } = dataOf(record);
  if (stop?.type !== 'requires_action') return hasMessage(events) ? statusRunning() : undefined;
  const interrupt = events.findLastIndex(({ type }) => type === 'user.interrupt');
  // The interrupt ends the waiting turn, and only a message after it starts another one.
  if (interrupt !== -1) return hasMessage(events.slice(interrupt + 1)) ? statusRunning() : undefined;
  const answered = new Set(events.map(answeredBy));
  const left = stop.event_ids.filter((id) => !answered.has(id));
  if (left.length === 0) return statusRunning();
  return left.length < stop.event_ids.length ? statusIdle(requiresAction(left)) : undefined;
}

const hasMessage = (events: readonly UserEvent[]): boolean =>
  events.some(({ type }) => type === 'user.message');

/** The tool use that an event answers, if it answers one. */
function answeredBy(event: UserEvent): string | undefined {
  if (event.type === 'user.tool_confirmation') return event.body.tool_use_id;
  return event.type === 'user.custom_tool_result' ? event.body.custom_tool_use_id : undefined;
}
