import { dispatchActivity } from './activity/dispatch.ts';
import type { Kernel } from './kernel.ts';
import { isDispatchable } from './mutable-state/pending-work.ts';
import type { RunStore } from './persistence/run-store.ts';
import { scheduleTransfers } from './transfers/schedule.ts';
import type { RunRef } from './types.ts';
import { dispatchWorkflowTask } from './workflow-task/dispatch.ts';
import { wakeWorkflow } from './workflow-task/schedule.ts';

/**
 * Takes up again what was going on when the engine ended, however it ended: deadlines are armed (those that passed fire
 * at once), tasks that wait for a worker go back into their queues, and a workflow task that a worker had is given out
 * again under a new fence, so an answer of the former worker is refused. Activities that a worker had are left to their
 * timeouts: the worker may still be at work, and its answer counts.
 */
export function recover(kernel: Kernel, store: RunStore): { runs: number } {
  for (const { key, ref, at } of store.withDeadline()) kernel.timers.set(key, ref, at);
  const refs = store.withPendingWork();
  for (const ref of refs) resume(kernel, ref);
  kernel.group.flush();
  return { runs: refs.length };
}

function resume(kernel: Kernel, ref: RunRef): void {
  kernel.runs.transact(() => {
    const state = kernel.runs.edit(ref);
    if (!state) return;
    const { record } = state;
    scheduleTransfers(kernel, state);
    if (!state.isRunning) return;
    // No worker polls yet: a sticky queue would only hold the task back.
    delete record.sticky;
    const task = record.workflowTask;
    if (task) {
      task.handedOut = false;
      delete task.fence;
      dispatchWorkflowTask(kernel, state);
    } else if (state.hasBufferedEvents) {
      wakeWorkflow(kernel, state);
    }
    for (const activity of Object.values(record.activities)) {
      if (isDispatchable(activity)) dispatchActivity(kernel, state, activity);
    }
  });
}
