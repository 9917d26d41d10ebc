import { useMemo } from 'react';
import { closedAt, closeOpen, type EventGroup, groupEvents } from './groups.ts';
import type { HistoryEvent } from './history-event.ts';

/** The groups of a history; once the run has closed, nothing in it is open any more. */
export function useGroups(events: readonly HistoryEvent[]): readonly EventGroup[] {
  return useMemo(() => closeOpen(groupEvents(events), closedAt(events)), [events]);
}
