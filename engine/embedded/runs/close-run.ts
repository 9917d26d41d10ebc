import type { temporal } from '@temporalio/proto';
import type { EventAttributes, EventExtras } from '../history/events.ts';
import { dispatchTransfers } from '../mutable-state/schedule-workflow-task.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import { ParentClosePolicy, WorkflowTaskFailedCause, WorkflowExecutionStatus } from '../protocol/proto.ts';
import { jsonPayload, long, timestampMs } from '../protocol/values.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';

/**
 * Ends the run with its closing event: nothing is pending any more, the parent and the children are informed, and
 * waiting updates and queries get their answers. `continuedBy` names the run that takes over under the same workflow
 * id; then the parent and the children belong to that one.
 */
export function closeRun(
  state: MutableState,
  status: number,
  event: EventAttributes,
  continuedBy?: string,
  extras: EventExtras = {},
): void {
  end(state, status, event, extras);
  const { record, pending } = state;
  record.transfers = record.transfers.filter((transfer) => isAbandonedStart(state, transfer));
  if (continuedBy !== undefined) record.newRunId = continuedBy;
  else if (record.parent) record.transfers.push({ kind: 'notify-parent' });
  for (const child of pending.children.values()) {
    const { parentClosePolicy: policy, workflowId, runId } = child;
    if (runId === undefined || policy === ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON) continue;
    record.transfers.push({ kind: 'close-child', child: { workflowId, runId }, policy });
  }
  pending.clear();
  dispatchTransfers(state);
  release(state, continuedBy !== undefined);
}

/** Writes the closing event and forgets what was pending in the run itself. */
function end(state: MutableState, status: number, event: EventAttributes, extras: EventExtras = {}): void {
  const { record } = state;
  const { eventTime } = state.append(event, extras);
  record.status = status;
  record.closeTime = timestampMs(eventTime) ?? state.now();
  delete record.workflowTask;
  delete record.sticky;
  delete record.firstTaskAt;
  record.externals = {};
  record.buffered = [];
  state.visibilityChanged = true;
}

/** Answers those who wait for updates and queries of the run. */
function release(state: MutableState, continued: boolean): void {
  state.addTask({ kind: 'abort-updates', continued });
  state.addTask({ kind: 'dispatch-queries' });
}

/** Whether the transfer starts an abandoned child, which happens even when its parent closes first. */
function isAbandonedStart(state: MutableState, transfer: TransferRecord): boolean {
  if (transfer.kind !== 'start-child') return false;
  const policy = state.pending.children.get(transfer.initiatedEventId)?.parentClosePolicy;
  return policy === ParentClosePolicy.PARENT_CLOSE_POLICY_ABANDON;
}

/** Ends the workflow task before a close that no worker asked for: a task that a worker has fails. */
export function abandonWorkflowTask(state: MutableState): void {
  const task = state.record.workflowTask;
  if (!task) return;
  if (task.startedEventId === undefined) {
    delete state.record.workflowTask;
    return;
  }
  state.writeTaskEvents('history-service');
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

interface Termination {
  readonly reason: string;
  readonly identity: string;
  readonly details?: temporal.api.common.v1.IPayloads | null;
  readonly links?: temporal.api.common.v1.ILink[];
}

/** Ends the run at once, without a task for its workflow. */
export function terminateRun(state: MutableState, termination: Termination): void {
  abandonWorkflowTask(state);
  closeRun(
    state,
    WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED,
    {
      workflowExecutionTerminatedEventAttributes: {
        reason: termination.reason,
        identity: termination.identity,
        details: termination.details ?? null,
      },
    },
    undefined,
    { links: termination.links ?? [] },
  );
}

/** Terminates the run that a reset replaces. Its parent and its children hear nothing: they go on with the new run. */
export function terminateForReset(state: MutableState, reason: string): void {
  abandonWorkflowTask(state);
  end(state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED, {
    workflowExecutionTerminatedEventAttributes: { reason, identity: 'history-resetter' },
  });
  state.record.transfers = [];
  state.pending.clear();
  release(state, false);
}

/** Terminates the run that has a workflow id now, because another one starts under that id. */
export function terminateForReuse(runs: RunRegistry, existing: MutableState, newRunId: string): void {
  const state = runs.edit(existing.ref);
  if (!state) return;
  terminateRun(state, {
    reason: 'TerminateIfRunning WorkflowIdReusePolicy',
    identity: 'history-service',
    details: { payloads: [jsonPayload(JSON.stringify(`terminated by new runID: ${newRunId}`))] },
  });
}
