import type { MutableState } from './mutable-state.ts';
import type { WorkflowTaskRecord, ActivityRecord, TransferRecord } from './record.ts';
import { scheduledAttributes } from './workflow-task-events.ts';

/**
 * Gives the run a workflow task, unless it has one, must wait for its first (start delay, back-off), or is paused.
 *
 * Attempts after the first are transient, and the task of an update on an idle run may be speculative: their events are
 * not written yet. Buffered events make a task normal again, because they take the ids that its events would have.
 */
export function scheduleWorkflowTask(
  state: MutableState,
  options: { attempt?: number; speculative?: boolean; originalScheduledTime?: number } = {},
): void {
  const { record } = state;
  if (!state.isRunning || record.workflowTask || record.firstTaskAt !== undefined) return;
  if (record.paused) {
    if (state.hasBufferedEvents) state.flushBuffered();
    return;
  }
  let attempt = options.attempt ?? 1;
  let speculative = options.speculative ?? false;
  if (state.hasBufferedEvents) {
    state.flushBuffered();
    attempt = 1;
    speculative = false;
  }
  const now = state.now();
  const sticky = attempt === 1 ? record.sticky : undefined;
  const task: WorkflowTaskRecord = {
    kind: speculative ? 'speculative' : attempt > 1 ? 'transient' : 'normal',
    scheduledEventId: record.nextEventId,
    attempt,
    scheduledTime: now,
    originalScheduledTime: options.originalScheduledTime ?? now,
    queue: sticky?.queue ?? record.taskQueue,
    sticky: sticky !== undefined,
    timeoutMs: record.taskTimeoutMs,
    handedOut: false,
  };
  if (task.kind === 'normal') {
    state.append({ workflowTaskScheduledEventAttributes: scheduledAttributes(record.taskQueue, task) });
  }
  record.workflowTask = task;
  dispatchWorkflowTask(state);
}

/** Gives a run that waits for its first task that task now: an update, a cancellation or a signal with start ends a start delay. */
export function endStartDelay(state: MutableState): void {
  if (state.record.firstTaskAt === undefined) return;
  delete state.record.firstTaskAt;
  scheduleWorkflowTask(state);
}

/** Schedules a task for something new in the run, unless a worker has one: then its completion schedules the next. */
export function ensureWorkflowTask(state: MutableState): void {
  if (!state.hasStartedWorkflowTask) scheduleWorkflowTask(state);
}

function dispatchWorkflowTask(state: MutableState): void {
  const { workflowTask, taskQueue: normalQueue } = state.record;
  if (!workflowTask) return;
  const { scheduledEventId, scheduledTime, queue, sticky } = workflowTask;
  state.addTask({ kind: 'workflow-task', scheduledEventId, scheduledTime, queue, sticky, normalQueue });
}

/** Dispatches a workflow task again, under a new fence, so that an answer of the worker that had it is refused. */
export function redispatchWorkflowTask(state: MutableState, task: WorkflowTaskRecord): void {
  task.handedOut = false;
  delete task.fence;
  state.addTask({ kind: 'return-updates-and-queries' });
  dispatchWorkflowTask(state);
}

/** Offers an activity to workers. Those of a paused run wait until it is unpaused. */
export function dispatchActivityTask(state: MutableState, activity: Readonly<ActivityRecord>): void {
  if (state.record.paused) return;
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
