import { TimeoutType } from '../protocol/proto.ts';
import type { ActivityRecord } from './record.ts';

/** The timeouts of an activity, with their names in messages and in retry policies, and as the API has them. */
export const ACTIVITY_TIMEOUTS = {
  'start-to-close': { name: 'StartToClose', type: TimeoutType.TIMEOUT_TYPE_START_TO_CLOSE },
  'schedule-to-start': { name: 'ScheduleToStart', type: TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_START },
  'schedule-to-close': { name: 'ScheduleToClose', type: TimeoutType.TIMEOUT_TYPE_SCHEDULE_TO_CLOSE },
  heartbeat: { name: 'Heartbeat', type: TimeoutType.TIMEOUT_TYPE_HEARTBEAT },
} as const;

export type ActivityTimeout = keyof typeof ACTIVITY_TIMEOUTS;

/** What a pending activity waits for: its next attempt, or a timeout. */
export type ActivityDeadline =
  | { readonly at: number; readonly kind: 'activity-retry'; readonly scheduledEventId: number }
  | {
      readonly at: number;
      readonly kind: 'activity-timeout';
      readonly timeout: ActivityTimeout;
      readonly scheduledEventId: number;
    };

/** Finds the earliest deadline of an activity. It is derived from the record, so a restart finds the same one. */
export function activityDeadline(activity: Readonly<ActivityRecord>): ActivityDeadline | undefined {
  let earliest: ActivityDeadline | undefined;
  for (const deadline of deadlinesOf(activity)) {
    if (earliest === undefined || deadline.at < earliest.at) earliest = deadline;
  }
  return earliest;
}

function* deadlinesOf(activity: Readonly<ActivityRecord>): Generator<ActivityDeadline> {
  const { scheduledEventId } = activity;
  const timeout = (name: ActivityTimeout, at: number): ActivityDeadline => ({
    at,
    kind: 'activity-timeout',
    timeout: name,
    scheduledEventId,
  });
  const { startedTime, backoffUntil, paused } = activity;
  const isQueued = startedTime === undefined && backoffUntil === undefined && !paused;
  // Of two timeouts at one moment the first counts.
  if (isQueued && activity.scheduleToStartMs > 0) {
    yield timeout('schedule-to-start', activity.attemptScheduledTime + activity.scheduleToStartMs);
  }
  if (activity.scheduleToCloseMs > 0) {
    yield timeout('schedule-to-close', activity.scheduledTime + activity.scheduleToCloseMs);
  }
  if (paused) return;
  if (startedTime !== undefined) {
    if (activity.startToCloseMs > 0) {
      yield timeout('start-to-close', startedTime + activity.startToCloseMs);
    }
    if (activity.heartbeatMs > 0) {
      const last = Math.max(startedTime, activity.heartbeatTime ?? 0);
      yield timeout('heartbeat', last + activity.heartbeatMs);
    }
  } else if (backoffUntil !== undefined) {
    yield { at: backoffUntil, kind: 'activity-retry', scheduledEventId };
  }
}
