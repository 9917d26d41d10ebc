import type { EventAttributes } from '../history/events.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import { ParentClosePolicy, WorkflowTaskFailedCause } from '../proto.ts';
import { long } from '../proto-values.ts';
import { abortUpdates } from '../updates/abort.ts';
import { releaseQueries } from '../queries/release.ts';
import { scheduleTransfers } from '../transfers/schedule.ts';

/**
 * Ends the run with its closing event: nothing is pending any more, the parent and the children learn of it, updates and
 * queries that wait get their answers. `continuedBy` names the run that takes over under the same workflow id; then
 * parent and children belong to that one.
 */
export function closeRun(
  kernel: Kernel,
  state: MutableState,
  status: number,
  event: EventAttributes,
  continuedBy?: string,
): void {
  const { record } = state;
  state.append(event);
  record.status = status;
  record.closeTime = kernel.now();
  delete record.workflowTask;
  delete record.sticky;
  delete record.firstTaskAt;
  record.activities = {};
  record.timers = {};
  record.externals = {};
  record.buffered = [];
  record.transfers = record.transfers.filter((transfer) => isAbandonedStart(state, transfer));
  if (continuedBy !== undefined) record.newRunId = continuedBy;
  else if (record.parent) record.transfers.push({ kind: 'notify-parent' });
  for (const child of Object.values(record.children)) {
    const { parentClosePolicy: policy, workflowId, runId } = child;
    if (runId === undefined || policy === ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON) continue;
    record.transfers.push({ kind: 'close-child', child: { workflowId, runId }, policy });
  }
  record.children = {};
  state.visibilityChanged = true;
  scheduleTransfers(kernel, state);
  abortUpdates(kernel, state, continuedBy !== undefined);
  releaseQueries(kernel, state);
}

/** An abandoned child starts even when its parent closes first. */
function isAbandonedStart(state: MutableState, transfer: TransferRecord): boolean {
  if (transfer.kind !== 'start-child') return false;
  const policy = state.record.children[transfer.initiatedEventId]?.parentClosePolicy;
  return policy === ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON;
}

/** Before a close that is not the worker's own doing: a task that a worker has fails, promised events are written. */
export function abandonWorkflowTask(state: MutableState): void {
  const task = state.record.workflowTask;
  if (!task) return;
  if (task.startedEventId === undefined) {
    delete state.record.workflowTask;
    return;
  }
  state.writePromisedTask();
  state.append({
    workflowTaskFailedEventAttributes: {
      scheduledEventId: long(task.scheduledEventId),
      startedEventId: long(task.startedEventId),
      cause: WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_FORCE_CLOSE_COMMAND,
      identity: 'history-service',
    },
  });
  delete state.record.workflowTask;
  state.flushBuffered();
}
