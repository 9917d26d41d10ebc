import type { HistoryEvent } from '../history/history-event.ts';

/** The events of a history file of Temporal's tools; throws with what is wrong with it. */
export function readHistoryFile(text: string): readonly HistoryEvent[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new Error(`This is no JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const events = eventsIn(content);
  if (events === undefined)
    throw new Error(
      'events: Expected a list of events, as `temporal workflow show --output json` writes it.',
    );
  for (const [index, event] of events.entries()) {
    const fault = faultOf(event);
    if (fault !== undefined) throw new Error(`events[${index}].${fault}`);
  }
  return events.map((event) => ({
    ...(event as HistoryEvent),
    eventId: String((event as HistoryEvent).eventId),
  }));
}

/** A file has its events at the top, under `events`, or under `history.events`. */
function eventsIn(content: unknown): readonly unknown[] | undefined {
  if (Array.isArray(content)) return content as readonly unknown[];
  const { events, history } = (content ?? {}) as { readonly events?: unknown; readonly history?: unknown };
  if (Array.isArray(events)) return events as readonly unknown[];
  return history === undefined ? undefined : eventsIn(history);
}

function faultOf(event: unknown): string | undefined {
  const { eventId, eventTime, eventType } = (event ?? {}) as Partial<Record<keyof HistoryEvent, unknown>>;
  if (!(Number(eventId) > 0)) return 'eventId: Expected a number above 0.';
  if (typeof eventType !== 'string') return 'eventType: Expected a name such as EVENT_TYPE_TIMER_STARTED.';
  if (typeof eventTime !== 'string' || Number.isNaN(Date.parse(eventTime)))
    return 'eventTime: Expected a time in RFC 3339.';
  return undefined;
}
