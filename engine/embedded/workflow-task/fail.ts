import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { TimeoutType } from '../proto.ts';
import { long } from '../proto-values.ts';
import { scheduleWorkflowTask } from './schedule.ts';

export interface WorkflowTaskFailure {
  readonly cause: temporal.api.enums.v1.WorkflowTaskFailedCause;
  readonly failure: temporal.api.failure.v1.IFailure | null;
  readonly identity: string;
}

/** The worker (or its answer) failed the workflow task: the next attempt goes to the normal queue. */
export function failWorkflowTask(kernel: Kernel, state: MutableState, failed: WorkflowTaskFailure): void {
  const task = state.record.workflowTask;
  if (!task || task.startedEventId === undefined) return;
  if (task.kind === 'speculative') state.writePromisedTask();
  if (task.kind === 'normal' && task.attempt === 1) {
    state.append({
      workflowTaskFailedEventAttributes: {
        scheduledEventId: long(task.scheduledEventId),
        startedEventId: long(task.startedEventId),
        cause: failed.cause,
        failure: failed.failure,
        identity: failed.identity,
      },
    });
  }
  scheduleNextAttempt(kernel, state, task.attempt + 1);
}

/** A worker had the task for longer than its start-to-close timeout. */
export function timeOutWorkflowTask(kernel: Kernel, state: MutableState): void {
  const task = state.record.workflowTask;
  if (!task || task.startedEventId === undefined) return;
  if (task.kind === 'speculative') state.writePromisedTask();
  if (task.kind === 'normal' && task.attempt === 1) {
    state.append({
      workflowTaskTimedOutEventAttributes: {
        scheduledEventId: long(task.scheduledEventId),
        startedEventId: long(task.startedEventId),
        timeoutType: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE,
      },
    });
  }
  scheduleNextAttempt(kernel, state, task.attempt + 1);
}

/** The worker that has the run cached did not take the task in time: any worker gets it instead. */
export function timeOutStickyTask(kernel: Kernel, state: MutableState): void {
  const task = state.record.workflowTask;
  if (!task || task.startedEventId !== undefined) return;
  state.writePromisedTask();
  state.append({
    workflowTaskTimedOutEventAttributes: {
      scheduledEventId: long(task.scheduledEventId),
      timeoutType: TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START,
    },
  });
  scheduleNextAttempt(kernel, state, 1);
}

function scheduleNextAttempt(kernel: Kernel, state: MutableState, attempt: number): void {
  const { record, ref } = state;
  const originalScheduledTime = record.workflowTask?.originalScheduledTime;
  delete record.workflowTask;
  delete record.sticky;
  kernel.updates.unsend(ref);
  kernel.queries.returnAll(ref);
  scheduleWorkflowTask(kernel, state, {
    attempt,
    ...(originalScheduledTime !== undefined && { originalScheduledTime }),
  });
}
