import type { HistoryEvent } from '../history/events.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { toNumber } from '../protocol/values.ts';
import { statusAfter } from './closing-event.ts';

/**
 * Refuses what is no history of one run from its beginning to some moment.
 *
 * @throws RpcError INVALID_ARGUMENT that names the event
 */
export function checkHistory(events: readonly HistoryEvent[]): void {
  if (events.length === 0) {
    throw invalidArgument('ImportWorkflowExecution cannot import empty history events');
  }
  for (const [index, event] of events.entries()) {
    const expected = index + 1;
    if (toNumber(event.eventId) !== expected) {
      throw invalidArgument(`HistoryBatches: expected event ${expected}, found ${toNumber(event.eventId)}.`);
    }
    if ((index === 0) !== Boolean(event.workflowExecutionStartedEventAttributes)) {
      throw invalidArgument(
        `HistoryBatches: event ${expected} ${index === 0 ? 'does not start the run' : 'starts the run again'}.`,
      );
    }
    if (statusAfter(event) !== undefined && expected !== events.length) {
      throw invalidArgument(`HistoryBatches: event ${expected} ends the run, and others follow.`);
    }
  }
}
