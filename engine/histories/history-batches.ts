import type { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

/**
 * Parts a history into what one transaction of the server each has written, as far as the events tell: clients are not
 * told where a transaction ends. A run can be set back to these places, and pages end there.
 */
export function batchesOf(events: readonly HistoryEvent[]): HistoryEvent[][] {
  const batches: HistoryEvent[][] = [];
  for (const [index, event] of events.entries()) {
    const current = batches.at(-1);
    if (current === undefined || beginsBatch(event, events[index - 1] ?? {})) batches.push([event]);
    else current.push(event);
  }
  return batches;
}

function beginsBatch(event: HistoryEvent, before: HistoryEvent): boolean {
  if (
    event.workflowTaskStartedEventAttributes ??
    event.workflowTaskCompletedEventAttributes ??
    event.workflowTaskFailedEventAttributes ??
    event.workflowTaskTimedOutEventAttributes
  )
    return true;
  // An activity that ended while no worker had the workflow task has its two events written at once.
  if (before.activityTaskStartedEventAttributes) return false;
  return Boolean(before.workflowTaskScheduledEventAttributes);
}
