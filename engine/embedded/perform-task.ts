import { enqueueActivityTask } from './activity-tasks/start.ts';
import type { Task } from './mutable-state/tasks.ts';
import type { RunRef } from './primitives/run-ref.ts';
import { failingTask } from './protocol/rpc-error.ts';
import { type QueryServices, dispatchQuery } from './queries/dispatch.ts';
import type { RunServices } from './runs/create-run.ts';
import { performTransfer } from './transfers/perform.ts';
import { abortUpdates } from './updates/update-registry.ts';
import { isFailing } from './workflow-tasks/fail.ts';
import { enqueueWorkflowTask, type WorkflowTaskServices } from './workflow-tasks/start.ts';

/** What performing tasks takes. */
interface TaskServices extends WorkflowTaskServices, RunServices, QueryServices {
  readonly limits: WorkflowTaskServices['limits'] & RunServices['limits'] & QueryServices['limits'];
}

/** Makes the queries wait for the next attempt of the task, or ends them where that would be in vain. */
function returnQueries({ runs, queries }: TaskServices, ref: RunRef): void {
  const state = runs.peek(ref);
  if (state === undefined || !isFailing(state)) queries.markUnsent(ref);
  else for (const query of queries.unbuffer(ref)) query.settle({ kind: 'error', error: failingTask() });
}

/** Performs a task that a change of a run called for. */
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
      returnQueries(services, ref);
      return;
    case 'dispatch-queries':
      for (const query of queries.unbuffer(ref)) dispatchQuery(services, query);
      return;
    case 'abort-updates':
      abortUpdates(updates, ref, task.continued);
      return;
  }
}
