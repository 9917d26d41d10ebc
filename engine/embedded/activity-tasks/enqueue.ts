import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { ActivityTaskDispatch } from '../mutable-state/tasks.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import type { Matching } from '../queues/matching.ts';
import { startActivity } from './start.ts';

/** Puts an attempt of an activity into its task queue. */
export function enqueueActivityTask(
  { runs, matching }: { readonly runs: RunRegistry; readonly matching: Matching },
  ref: RunRef,
  task: ActivityTaskDispatch,
): void {
  matching.activityQueue(ref.namespace, task.queue).add({
    addedAt: task.scheduledTime,
    start: (poller) => startActivity(runs, ref, task, poller),
  });
}
