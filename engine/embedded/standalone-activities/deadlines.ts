import type { ActivityTimeout } from '../mutable-state/activity-deadline.ts';
import { type ActivityState, expirationTime, isClosed, isInProgress } from './activity.ts';

/** What an activity waits for: that its attempt goes into the task queue, or a timeout. */
export interface StandaloneDeadline {
  readonly at: number;
  readonly kind: 'dispatch' | ActivityTimeout;
}

/** Finds the earliest deadline. It is derived from the state, so that a restart finds the same one. */
export function standaloneDeadline(state: ActivityState): StandaloneDeadline | undefined {
  let earliest: StandaloneDeadline | undefined;
  for (const deadline of deadlinesOf(state)) {
    // Of two at one moment the first counts.
    if (earliest === undefined || deadline.at < earliest.at) earliest = deadline;
  }
  return earliest;
}

function* deadlinesOf(state: ActivityState): Generator<StandaloneDeadline> {
  if (isClosed(state)) return;
  const { options, dispatchTime, startedTime = 0, heartbeatTime = 0 } = state;
  if (state.status === 'Scheduled' && dispatchTime !== undefined) {
    if (!state.queued) yield { at: dispatchTime, kind: 'dispatch' };
    if (options.scheduleToStartMs > 0)
      yield { at: dispatchTime + options.scheduleToStartMs, kind: 'schedule-to-start' };
  }
  const expires = expirationTime(state);
  if (expires !== undefined) yield { at: expires, kind: 'schedule-to-close' };
  if (!isInProgress(state)) return;
  if (options.startToCloseMs > 0) yield { at: startedTime + options.startToCloseMs, kind: 'start-to-close' };
  if (options.heartbeatMs > 0)
    yield { at: Math.max(startedTime, heartbeatTime) + options.heartbeatMs, kind: 'heartbeat' };
}
