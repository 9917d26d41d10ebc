import { useMemo, useRef } from 'react';
import { closedAt, closeOpen, type EventGroup, Grouping } from './groups.ts';
import type { HistoryEvent } from './history-event.ts';

/** The groups of a history; once the run has closed, nothing in it is open any more. What is added to it is grouped alone. */
export function useGroups(events: readonly HistoryEvent[]): readonly EventGroup[] {
  const held = useRef<{ readonly grouping: Grouping; readonly events: readonly HistoryEvent[] }>(undefined);
  return useMemo(() => {
    const before = held.current;
    const isLonger = before !== undefined && isBeginningOf(before.events, events);
    const grouping = isLonger ? before.grouping : new Grouping();
    const groups = grouping.add(isLonger ? events.slice(before.events.length) : events);
    held.current = { grouping, events };
    return closeOpen(groups, closedAt(events));
  }, [events]);
}

/** Events are only ever added at the end, so that the outermost ones tell. */
const isBeginningOf = (before: readonly HistoryEvent[], events: readonly HistoryEvent[]): boolean =>
  before.length > 0 && before[0] === events[0] && before.at(-1) === events[before.length - 1];
