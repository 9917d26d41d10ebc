import type { temporal } from '@temporalio/proto';
import type { EventAttributes } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { TimeoutType } from '../protocol/proto.ts';
import { type Long, long } from '../protocol/values.ts';
import { scheduleWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';

interface WorkflowTaskFailure {
  readonly cause: temporal.api.enums.v1.WorkflowTaskFailedCause;
  readonly failure: temporal.api.failure.v1.IFailure | null;
  readonly identity: string;
}

/** A run whose workflow task failed so often is neither asked nor updated: no worker would answer. */
const FAILING_ATTEMPTS = 3;

/** Whether the run's workflow task fails again and again. */
export const isFailing = ({ record }: MutableState): boolean =>
  (record.workflowTask?.attempt ?? 1) >= FAILING_ATTEMPTS;

/** Records that the worker or its answer failed the workflow task; the next attempt goes to the normal queue. */
export function failWorkflowTask(state: MutableState, failed: WorkflowTaskFailure): void {
  endAttempt(state, (ids) => ({ workflowTaskFailedEventAttributes: { ...ids, ...failed } }), failed.identity);
}

/** Records that a worker had the task for longer than its start-to-close timeout. */
export function timeOutWorkflowTask(state: MutableState): void {
  endAttempt(state, (ids) => ({
    workflowTaskTimedOutEventAttributes: { ...ids, timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE },
  }));
}

function endAttempt(
  state: MutableState,
  makeEvent: (ids: { scheduledEventId: Long; startedEventId: Long }) => EventAttributes,
  identity = '',
): void {
  const task = state.record.workflowTask;
  if (!task || task.startedEventId === undefined) return;
  if (task.kind === 'speculative') state.writeTaskEvents(identity);
  if (task.kind === 'normal' && task.attempt === 1) {
    const { scheduledEventId, startedEventId } = task;
    state.append(
      makeEvent({ scheduledEventId: long(scheduledEventId), startedEventId: long(startedEventId) }),
    );
  }
  scheduleNextAttempt(state, task.attempt + 1);
}

/** Gives the task to any worker, because the one that has the run cached did not take it in time. */
export function timeOutStickyTask(state: MutableState): void {
  const task = state.record.workflowTask;
  if (!task || task.startedEventId !== undefined) return;
  state.writeTaskEvents();
  state.append({
    workflowTaskTimedOutEventAttributes: {
      scheduledEventId: long(task.scheduledEventId),
      timeoutType: TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START,
    },
  });
  scheduleNextAttempt(state, 1);
}

function scheduleNextAttempt(state: MutableState, attempt: number): void {
  const { record } = state;
  const originalScheduledTime = record.workflowTask?.originalScheduledTime;
  delete record.workflowTask;
  delete record.sticky;
  state.addTask({ kind: 'return-updates-and-queries' });
  scheduleWorkflowTask(state, {
    attempt,
    ...(originalScheduledTime !== undefined && { originalScheduledTime }),
  });
}
