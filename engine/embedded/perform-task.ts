import { enqueueActivityTask } from './activity-tasks/enqueue.ts';
import type { Task } from './mutable-state/tasks.ts';
import type { RunRef } from './primitives/run-ref.ts';
import { type QueryServices, dispatchQuery } from './queries/dispatch.ts';
import type { RunServices } from './runs/run-services.ts';
import { performTransfer } from './transfers/perform.ts';
import { abortUpdates } from './updates/abort.ts';
import { enqueueWorkflowTask } from './workflow-tasks/enqueue.ts';
import type { WorkflowTaskServices } from './workflow-tasks/start.ts';

/** What performing tasks takes. */
interface TaskServices extends WorkflowTaskServices, RunServices, QueryServices {
  readonly limits: WorkflowTaskServices['limits'] & RunServices['limits'];
}

/** Performs a task that a change of a run called for, after the commit of that change. */
export function performTask(services: TaskServices, ref: RunRef, task: Task): void {
  const { updates, queries } = services;
  switch (task.kind) {
    case 'workflow-task':
      enqueueWorkflowTask(services, ref, task);
      return;
    case 'activity-task':
      enqueueActivityTask(services, ref, task);
      return;
    case 'transfer':
      performTransfer(services, ref, task.transfer);
      return;
    case 'return-updates-and-queries':
      updates.markUnsent(ref);
      queries.markUnsent(ref);
      return;
    case 'dispatch-queries':
      for (const query of queries.unbuffer(ref)) dispatchQuery(services, query);
      return;
    case 'abort-updates':
      abortUpdates(updates, ref, task.continued);
      return;
  }
}
