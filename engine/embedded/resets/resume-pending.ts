import { addTransfer, dispatchActivityTask } from '../mutable-state/schedule-workflow-task.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { newId } from '../primitives/ids.ts';

/**
 * Dispatches what a run that was made of a history waits for: its activities begin anew, and what it owes to other runs
 * is sent again. `base` has the events.
 */
export function resumePending(base: Pick<MutableState, 'event'>, state: MutableState): void {
  const { record, pending } = state;
  for (const activity of pending.activities.values()) dispatchActivityTask(state, activity);
  for (const { initiatedEventId, runId } of pending.children.values()) {
    if (runId === undefined)
      addTransfer(state, { kind: 'start-child', initiatedEventId, requestId: newId() });
  }
  for (const key of Object.keys(record.externals)) {
    const initiatedEventId = Number(key);
    const isSignal = base.event(initiatedEventId).signalExternalWorkflowExecutionInitiatedEventAttributes;
    const kind = isSignal ? 'signal-external' : 'cancel-external';
    addTransfer(state, { kind, initiatedEventId, requestId: newId() });
  }
}
