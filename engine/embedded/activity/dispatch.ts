import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { ActivityRecord } from '../mutable-state/record.ts';
import { startActivity } from './start.ts';

/** Puts an activity into its task queue once the current transaction is committed. */
export function dispatchActivity(kernel: Kernel, state: MutableState, activity: ActivityRecord): void {
  const { ref } = state;
  const { scheduledEventId, attempt, taskQueue, attemptScheduledTime } = activity;
  kernel.group.afterCommit(() => {
    kernel.matching.activityQueue(ref.namespace, taskQueue).add({
      addedAt: attemptScheduledTime,
      start: (poller) => startActivity(kernel, ref, { scheduledEventId, attempt }, poller),
    });
  });
}
