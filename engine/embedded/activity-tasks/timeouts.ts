import type { temporal } from '@temporalio/proto';
import { ACTIVITY_TIMEOUTS, type ActivityTimeout } from '../mutable-state/activity-deadline.ts';
import { dispatchActivityTask } from '../mutable-state/schedule-workflow-task.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { Payloads, fromEncodedOptional } from '../protocol/proto.ts';
import { timeOutActivity, timeOutActivityAttempt } from './finish.ts';

/** Ends an attempt or the activity when a timeout passed. Only start-to-close and heartbeat may be retried. */
export function onActivityTimeout(
  state: MutableState,
  activity: ActivityRecord,
  timeout: ActivityTimeout,
): void {
  const failure = timeoutFailure(activity, timeout);
  if (timeout === 'start-to-close' || timeout === 'heartbeat') {
    timeOutActivityAttempt(state, activity, failure);
  } else {
    timeOutActivity(state, activity, failure);
  }
}

/** Dispatches the next attempt, because the back-off before it is over. */
export function onActivityRetryDue(state: MutableState, activity: ActivityRecord): void {
  delete activity.backoffUntil;
  activity.attemptScheduledTime = state.now();
  dispatchActivityTask(state, activity);
}

function timeoutFailure(
  activity: ActivityRecord,
  timeout: ActivityTimeout,
): temporal.api.failure.v1.IFailure {
  const { name, type } = ACTIVITY_TIMEOUTS[timeout];
  const details = fromEncodedOptional(Payloads, activity.heartbeatDetails);
  return {
    message: `activity ${name} timeout`,
    source: 'Server',
    timeoutFailureInfo: { timeoutType: type, ...(details && { lastHeartbeatDetails: details }) },
  };
}
