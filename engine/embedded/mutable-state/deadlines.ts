import type { RunRecord } from './record.ts';
import { WorkflowExecutionStatus } from '../protocol/proto.ts';

/** Something that has to happen to a run at a time, unless the run changes before. */
export type Deadline =
  | { readonly at: number; readonly kind: 'run-timeout' }
  | { readonly at: number; readonly kind: 'first-task' }
  | { readonly at: number; readonly kind: 'task-start-to-close' }
  | { readonly at: number; readonly kind: 'task-sticky-schedule-to-start' }
  | { readonly at: number; readonly kind: 'timer'; readonly timerId: string }
  | { readonly at: number; readonly kind: 'activity-retry'; readonly scheduledEventId: number }
  | {
      readonly at: number;
      readonly kind: 'activity-timeout';
      readonly timeout: 'schedule-to-close' | 'schedule-to-start' | 'start-to-close' | 'heartbeat';
      readonly scheduledEventId: number;
    };

/** Lists the deadlines of a run, in no order. They are derived from the record, so a restart finds the same ones. */
function* deadlinesOf(record: RunRecord): Generator<Deadline> {
  if (record.status !== WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) return;
  if (record.runExpiration !== undefined) yield { at: record.runExpiration, kind: 'run-timeout' };
  if (record.firstTaskAt !== undefined) yield { at: record.firstTaskAt, kind: 'first-task' };
  yield* workflowTaskDeadlines(record);
  for (const [timerId, timer] of Object.entries(record.timers)) {
    yield { at: timer.fireAt, kind: 'timer', timerId };
  }
  yield* activityDeadlines(record);
}

function* workflowTaskDeadlines(record: RunRecord): Generator<Deadline> {
  const task = record.workflowTask;
  if (!task) return;
  if (task.handedOut && task.handedOutTime !== undefined) {
    yield { at: task.handedOutTime + task.timeoutMs, kind: 'task-start-to-close' };
  } else if (task.sticky && record.sticky && task.startedEventId === undefined) {
    yield { at: task.scheduledTime + record.sticky.timeoutMs, kind: 'task-sticky-schedule-to-start' };
  }
}

function* activityDeadlines(record: RunRecord): Generator<Deadline> {
  for (const activity of Object.values(record.activities)) {
    const { scheduledEventId } = activity;
    const timeout = (
      name: Extract<Deadline, { kind: 'activity-timeout' }>['timeout'],
      at: number,
    ): Deadline => ({
      at,
      kind: 'activity-timeout',
      timeout: name,
      scheduledEventId,
    });
    if (activity.scheduleToCloseMs > 0) {
      yield timeout('schedule-to-close', activity.scheduledTime + activity.scheduleToCloseMs);
    }
    if (activity.paused) continue;
    if (activity.startedTime !== undefined) {
      if (activity.startToCloseMs > 0) {
        yield timeout('start-to-close', activity.startedTime + activity.startToCloseMs);
      }
      if (activity.heartbeatMs > 0) {
        const last = Math.max(activity.startedTime, activity.heartbeatTime ?? 0);
        yield timeout('heartbeat', last + activity.heartbeatMs);
      }
    } else if (activity.backoffUntil !== undefined) {
      yield { at: activity.backoffUntil, kind: 'activity-retry', scheduledEventId };
    } else if (activity.scheduleToStartMs > 0) {
      yield timeout('schedule-to-start', activity.attemptScheduledTime + activity.scheduleToStartMs);
    }
  }
}

export function earliestDeadline(record: RunRecord): number | undefined {
  let earliest: number | undefined;
  for (const { at } of deadlinesOf(record)) {
    if (earliest === undefined || at < earliest) earliest = at;
  }
  return earliest;
}

/** Finds the earliest of the deadlines that have passed. */
export function nextDueDeadline(record: RunRecord, now: number): Deadline | undefined {
  let next: Deadline | undefined;
  for (const deadline of deadlinesOf(record)) {
    if (deadline.at <= now && (next === undefined || deadline.at < next.at)) next = deadline;
  }
  return next;
}
