import type { HistoryEvent } from '../history/events.ts';
import { encodeHistoryToken } from '../protocol/history-page-token.ts';
import { toNumber } from '../protocol/values.ts';
import type { MutableState } from './mutable-state.ts';
import { unwrittenTaskEvents } from './workflow-task-events.ts';

/** Reads events `from`..`to` for a task; GetWorkflowExecutionHistory reads on what does not fit into one message. */
export function readTaskHistory(
  state: MutableState,
  from: number,
  to: number,
  maxEvents: number,
): { events: HistoryEvent[]; nextPageToken?: Uint8Array } {
  const page = state.readEvents(from, maxEvents);
  const events = page.events.filter((event) => toNumber(event.eventId) <= to);
  if (page.nextEventId !== undefined && page.nextEventId <= to) {
    const token = encodeHistoryToken({
      runId: state.ref.runId,
      nextEventId: page.nextEventId,
      endEventId: to,
      wait: false,
    });
    return { events, nextPageToken: token };
  }
  for (const event of unwrittenTaskEvents(state.record.taskQueue, state.record.workflowTask)) {
    if (toNumber(event.eventId) <= to) events.push(event);
  }
  return { events };
}
