import { newId } from '../ids.ts';
import type { Kernel } from '../kernel.ts';
import type { Poller } from '../matching/task-queue.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import type { RunRef } from '../types.ts';
import { toNumber } from '../proto-values.ts';
import { type WorkflowTaskResponse, workflowTaskResponse } from './response.ts';
import { scheduledAttributes, startedAttributes } from './task-events.ts';

/** Names a scheduling of a task: what a queue holds, to be compared with what the run wants by then. */
export interface TaskTicket {
  readonly scheduledEventId: number;
  readonly scheduledTime: number;
  readonly queue: string;
}

/** Gives the run's workflow task to a poller; undefined when the run no longer wants this one delivered. */
export function startWorkflowTask(
  kernel: Kernel,
  ref: RunRef,
  ticket: TaskTicket,
  poller: Poller,
): WorkflowTaskResponse | undefined {
  const current = kernel.runs.peek(ref)?.record.workflowTask;
  if (!current || current.handedOut) return undefined;
  if (
    current.scheduledEventId !== ticket.scheduledEventId ||
    current.scheduledTime !== ticket.scheduledTime
  ) {
    return undefined;
  }
  const state = kernel.runs.transact(() => {
    const editable = kernel.runs.edit(ref);
    const task = editable?.record.workflowTask;
    if (!editable || !task) return undefined;
    if (ticket.queue !== editable.record.sticky?.queue) delete editable.record.sticky;
    handOut(kernel, editable, task, poller, newId());
    return editable;
  });
  return state && workflowTaskResponse(kernel, state, ticket.queue === state.record.sticky?.queue);
}

/** Records within a transaction that `poller` has the task. */
export function handOut(
  kernel: Kernel,
  state: MutableState,
  task: WorkflowTaskRecord,
  poller: Omit<Poller, 'isGone'>,
  requestId: string,
): void {
  const { record } = state;
  const now = kernel.now();
  task.handedOut = true;
  task.handedOutTime = now;
  task.fence = newId();
  if (task.startedEventId !== undefined) return; // Delivered again after a restart: its started event stands.
  if (task.kind === 'transient' && task.scheduledEventId !== record.nextEventId) {
    // Events came since it was scheduled and took the ids it promised: it becomes a first attempt after them.
    task.kind = 'normal';
    task.attempt = 1;
    const scheduled = state.append({
      workflowTaskScheduledEventAttributes: scheduledAttributes(record.taskQueue, task),
    });
    task.scheduledEventId = toNumber(scheduled.eventId);
  }
  task.identity = poller.identity;
  task.requestId = requestId;
  if (poller.buildId !== undefined) task.buildId = poller.buildId;
  task.historySizeBytes = record.historySizeBytes;
  const { suggestContinueAsNewBytes, suggestContinueAsNewEvents } = kernel.limits;
  if (
    record.historySizeBytes >= suggestContinueAsNewBytes ||
    record.nextEventId > suggestContinueAsNewEvents
  ) {
    task.suggestContinueAsNew = true;
  }
  task.startedTime = now;
  if (task.kind === 'normal') {
    const started = state.append({ workflowTaskStartedEventAttributes: startedAttributes(task) });
    task.startedEventId = toNumber(started.eventId);
  } else {
    task.startedEventId = task.scheduledEventId + 1;
  }
}
