import type { WorkflowTaskDispatch } from '../mutable-state/tasks.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { type WorkflowTaskServices, startWorkflowTask } from './start.ts';

/**
 * Puts a run's workflow task into its queue. A sticky queue that nobody serves any more would hold it until a timeout,
 * so it goes to the normal queue at once; its event keeps the name of the sticky queue, as on the server.
 */
export function enqueueWorkflowTask(
  services: WorkflowTaskServices,
  ref: RunRef,
  task: WorkflowTaskDispatch,
): void {
  const { matching } = services;
  const enqueue = (queue: string): void => {
    matching.workflowQueue(ref.namespace, queue).add({
      addedAt: task.scheduledTime,
      start: (poller) => startWorkflowTask(services, ref, { ...task, queue }, poller),
      reroute: () => enqueue(task.normalQueue),
    });
  };
  const isServed = !task.sticky || matching.isStickyServed(ref.namespace, task.queue);
  enqueue(isServed ? task.queue : task.normalQueue);
}
