import type { MutableState } from '../mutable-state/mutable-state.ts';
import { isDispatchable } from '../mutable-state/pending-work.ts';
import type { PauseRecord } from '../mutable-state/record.ts';
import { dispatchActivityTask, ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { WorkflowTaskFailedCause } from '../protocol/proto.ts';
import { failedPrecondition } from '../protocol/rpc-error.ts';
import { long } from '../protocol/values.ts';

type Request = Omit<PauseRecord, 'time'>;

/**
 * Pauses a run: no worker gets a workflow task or an activity of it. What happens to it is written meanwhile, and what a
 * worker has is its own; timeouts count. The same request again changes nothing.
 */
export function pauseRun(state: MutableState, request: Request): void {
  const { record } = state;
  if (record.paused) {
    if (request.requestId !== '' && record.paused.requestId === request.requestId) return;
    throw failedPrecondition('workflow is already paused.');
  }
  dropWaitingTask(state);
  record.paused = { ...request, time: state.now() };
  state.receive({ workflowExecutionPausedEventAttributes: request }, { workerMayIgnore: true });
  state.visibilityChanged = true;
}

/** Takes back a workflow task that waits for a worker. Only one that is in the history has to be ended there. */
function dropWaitingTask(state: MutableState): void {
  const task = state.record.workflowTask;
  if (!task || task.startedEventId !== undefined) return;
  if (task.kind === 'normal') {
    state.append({
      workflowTaskFailedEventAttributes: {
        scheduledEventId: long(task.scheduledEventId),
        cause:
          WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_PAUSE_REQUESTED_BEFORE_TASK_STARTED,
        identity: 'history-service',
      },
    });
  }
  delete state.record.workflowTask;
  state.addTask({ kind: 'dispatch-queries' });
}

/** Has a paused run go on: with a workflow task in any case, and with the activities that wait for workers. */
export function unpauseRun(state: MutableState, request: Request): void {
  const { record, pending } = state;
  if (!record.paused) throw failedPrecondition('workflow is not paused.');
  delete record.paused;
  state.receive({ workflowExecutionUnpausedEventAttributes: request }, { workerMayIgnore: true });
  state.visibilityChanged = true;
  for (const activity of pending.activities.values()) {
    if (isDispatchable(activity)) dispatchActivityTask(state, activity);
  }
  ensureWorkflowTask(state);
}
