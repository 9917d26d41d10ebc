import { dispatchActivityTask } from '../mutable-state/schedule-workflow-task.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { retryIntervalMs } from '../runs/retry-policy.ts';

/** Keeps an activity from workers; one that a worker has learns of it with its next heartbeat. */
export function pauseActivity(
  state: MutableState,
  activity: ActivityRecord,
  by: { identity: string; reason: string },
): void {
  activity.paused ??= { time: state.now(), ...by };
  state.visibilityChanged = true;
}

/** Gives an activity to workers again, at once or after a part of `jitterMs`. One that is not paused stays as it is. */
export function unpauseActivity(
  state: MutableState,
  activity: ActivityRecord,
  options: { resetAttempts: boolean; resetHeartbeat: boolean; jitterMs: number },
): void {
  if (!activity.paused) return;
  delete activity.paused;
  state.visibilityChanged = true;
  if (options.resetAttempts) activity.attempt = 1;
  if (options.resetHeartbeat) dropHeartbeat(activity);
  offer(state, activity, options.jitterMs);
}

/** Begins an activity anew with its first attempt. A worker that has it learns of that with its next heartbeat. */
export function resetActivity(
  state: MutableState,
  activity: ActivityRecord,
  options: { keepPaused: boolean; resetHeartbeat: boolean; jitterMs: number },
): void {
  activity.attempt = 1;
  if (!options.keepPaused && activity.paused) {
    delete activity.paused;
    state.visibilityChanged = true;
  }
  if (activity.startedTime !== undefined) {
    activity.resetRequested = true;
    if (options.resetHeartbeat) activity.dropsHeartbeat = true;
    return;
  }
  if (options.resetHeartbeat) dropHeartbeat(activity);
  offer(state, activity, options.jitterMs);
}

/** Applies new options to what waits: to the place in a task queue, or to the back-off before the next attempt. */
export function applyOptions(state: MutableState, activity: ActivityRecord): void {
  if (activity.startedTime !== undefined || activity.paused) return;
  if (activity.backoffUntil === undefined || !activity.retry) {
    offer(state, activity, 0);
    return;
  }
  const now = state.now();
  activity.retryIntervalMs = retryIntervalMs(activity.retry, activity.attempt);
  activity.backoffUntil = Math.max(now, (activity.lastAttemptCompleteTime ?? now) + activity.retryIntervalMs);
}

function dropHeartbeat(activity: ActivityRecord): void {
  delete activity.heartbeatDetails;
  delete activity.heartbeatTime;
}

/** Puts an activity that nobody has into its queue, without the rest of a back-off. */
function offer(state: MutableState, activity: ActivityRecord, jitterMs: number): void {
  if (activity.startedTime !== undefined || activity.paused) return;
  delete activity.lastFailure;
  delete activity.retryIntervalMs;
  if (jitterMs > 0) {
    activity.backoffUntil = state.now() + Math.random() * jitterMs;
    return;
  }
  delete activity.backoffUntil;
  activity.attemptScheduledTime = state.now();
  dispatchActivityTask(state, activity);
}
