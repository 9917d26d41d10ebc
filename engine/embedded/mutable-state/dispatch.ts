import type { MutableState } from './mutable-state.ts';
import type { ActivityRecord, TransferRecord } from './record.ts';

export function dispatchWorkflowTask(state: MutableState): void {
  const { workflowTask, taskQueue: normalQueue } = state.record;
  if (!workflowTask) return;
  const { scheduledEventId, scheduledTime, queue, sticky } = workflowTask;
  state.addTask({ kind: 'workflow-task', scheduledEventId, scheduledTime, queue, sticky, normalQueue });
}

export function dispatchActivityTask(state: MutableState, activity: ActivityRecord): void {
  const { scheduledEventId, attempt, taskQueue: queue, attemptScheduledTime: scheduledTime } = activity;
  state.addTask({ kind: 'activity-task', scheduledEventId, attempt, queue, scheduledTime });
}

/** Has everything performed that the run owes to other runs. */
export function dispatchTransfers(state: MutableState): void {
  for (const transfer of state.record.transfers) state.addTask({ kind: 'transfer', transfer });
}

export function addTransfer(state: MutableState, transfer: TransferRecord): void {
  state.record.transfers.push(transfer);
  state.addTask({ kind: 'transfer', transfer });
}
