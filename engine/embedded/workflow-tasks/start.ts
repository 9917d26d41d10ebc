import { newId } from '../primitives/ids.ts';
import type { Matching, WorkflowTaskResponse } from '../queues/matching.ts';
import type { Poller } from '../queues/task-queue.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowTaskRecord } from '../mutable-state/record.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { WorkflowTaskDispatch } from '../mutable-state/tasks.ts';
import type { Limits } from '../primitives/limits.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { toNumber } from '../protocol/values.ts';
import { type ResponseServices, workflowTaskResponse } from './response.ts';
import { scheduledAttributes, startedAttributes } from '../mutable-state/workflow-task-events.ts';

/** What giving workflow tasks to workers takes. */
export interface WorkflowTaskServices extends ResponseServices {
  readonly runs: RunRegistry;
  readonly matching: Matching;
  readonly limits: TaskLimits;
}

type TaskLimits = Pick<
  Limits,
  'historyPageEvents' | 'suggestContinueAsNewBytes' | 'suggestContinueAsNewEvents'
>;

/** Gives a scheduled workflow task to a poller; answers undefined when the run no longer wants it delivered. */
export function startWorkflowTask(
  services: WorkflowTaskServices,
  ref: RunRef,
  scheduled: Pick<WorkflowTaskDispatch, 'scheduledEventId' | 'scheduledTime' | 'queue'>,
  poller: Poller,
): WorkflowTaskResponse | undefined {
  const { runs, limits } = services;
  const current = runs.peek(ref)?.record.workflowTask;
  if (!current || current.handedOut) return undefined;
  if (
    current.scheduledEventId !== scheduled.scheduledEventId ||
    current.scheduledTime !== scheduled.scheduledTime
  ) {
    return undefined;
  }
  const state = runs.transact(() => {
    const editable = runs.edit(ref);
    const task = editable?.record.workflowTask;
    if (!editable || !task) return undefined;
    if (scheduled.queue !== editable.record.sticky?.queue) delete editable.record.sticky;
    recordWorkflowTaskStarted(limits, editable, task, poller, newId());
    return editable;
  });
  return state && workflowTaskResponse(services, state, scheduled.queue === state.record.sticky?.queue);
}

/** Records within a transaction that `poller` has the task. */
export function recordWorkflowTaskStarted(
  limits: TaskLimits,
  state: MutableState,
  task: WorkflowTaskRecord,
  poller: Omit<Poller, 'isGone'>,
  requestId: string,
): void {
  const { record } = state;
  const now = state.now();
  task.handedOut = true;
  task.handedOutTime = now;
  task.fence = newId();
  // A task that is delivered again after a restart keeps the started event that it has.
  if (task.startedEventId !== undefined) return;
  if (task.kind === 'transient' && task.scheduledEventId !== record.nextEventId) {
    // Events that came since it was scheduled took the ids of its events: it becomes a first attempt after them.
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
  const { suggestContinueAsNewBytes, suggestContinueAsNewEvents } = limits;
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
