import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import type { Kernel } from '../kernel.ts';
import { dispatchWorkflowTask } from './dispatch.ts';
import { scheduledAttributes } from './task-events.ts';

/**
 * Gives the run a workflow task, unless it has one or must wait for its first (start delay, back-off).
 *
 * Attempts after the first are transient and the task of an update on an idle run may be speculative: both only promise
 * their event ids. Kept back events make a task normal again, because they take the ids that it would promise.
 */
export function scheduleWorkflowTask(
  kernel: Kernel,
  state: MutableState,
  options: { attempt?: number; speculative?: boolean; originalScheduledTime?: number } = {},
): void {
  const { record } = state;
  if (!state.isRunning || record.workflowTask || record.firstTaskAt !== undefined) return;
  let attempt = options.attempt ?? 1;
  let speculative = options.speculative ?? false;
  if (state.hasBufferedEvents) {
    state.flushBuffered();
    attempt = 1;
    speculative = false;
  }
  const now = kernel.now();
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
  dispatchWorkflowTask(kernel, state);
}

/** The run has something new for its workflow: schedules a task unless a worker has one, whose completion will do it. */
export function wakeWorkflow(kernel: Kernel, state: MutableState): void {
  if (!state.hasStartedWorkflowTask) scheduleWorkflowTask(kernel, state);
}
