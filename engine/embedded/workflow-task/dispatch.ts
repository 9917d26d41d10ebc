import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { startWorkflowTask } from './start.ts';

/**
 * Puts the run's workflow task into its queue once the current transaction is committed. A sticky queue that nobody
 * serves any more would hold it until a timeout, so it goes to the normal queue at once; the event keeps the sticky name,
 * as on the server.
 */
export function dispatchWorkflowTask(kernel: Kernel, state: MutableState): void {
  const task = state.record.workflowTask;
  if (!task) return;
  const { ref } = state;
  const { scheduledEventId, scheduledTime } = task;
  const normalQueue = state.record.taskQueue;
  const enqueue = (queue: string): void => {
    kernel.matching.workflowQueue(ref.namespace, queue).add({
      addedAt: scheduledTime,
      start: (poller) => startWorkflowTask(kernel, ref, { scheduledEventId, scheduledTime, queue }, poller),
      reroute: () => enqueue(normalQueue),
    });
  };
  kernel.group.afterCommit(() => {
    const isServed = !task.sticky || kernel.matching.isStickyServed(ref.namespace, task.queue);
    enqueue(isServed ? task.queue : normalQueue);
  });
}
