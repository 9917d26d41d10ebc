import {
  dispatchActivityTask,
  dispatchTransfers,
  redispatchWorkflowTask,
  ensureWorkflowTask,
} from './mutable-state/schedule-workflow-task.ts';
import { isDispatchable } from './mutable-state/pending-work.ts';
import type { RunRegistry } from './mutable-state/run-registry.ts';
import type { RunStore } from './mutable-state/run-store.ts';
import type { CommitGroup } from './persistence/commit-group.ts';
import type { RunRef } from './primitives/run-ref.ts';
import type { TimerQueue } from './queues/timer-queue.ts';
import type { ActivityRegistry } from './standalone-activities/activity-registry.ts';
import type { ScheduleRegistry } from './schedules/schedule-registry.ts';

/** What recovery takes. */
interface RecoveryParts {
  readonly store: RunStore;
  readonly runs: RunRegistry;
  readonly timers: TimerQueue;
  readonly schedules: ScheduleRegistry;
  readonly activities: Pick<ActivityRegistry, 'recover'>;
  readonly group: Pick<CommitGroup, 'flush'>;
}

/**
 * Resumes what was going on when the engine ended, however it ended: deadlines are set (those that passed fire at
 * once), tasks that wait for a worker go back into their queues, and a workflow task that a worker had is dispatched
 * again under a new fence, so an answer of the former worker is refused. Activities that a worker had are left to their
 * timeouts: the worker may still be at work, and its answer counts. Schedules catch up with what they missed.
 */
export function recover({ store, runs, timers, schedules, activities, group }: RecoveryParts): {
  /** How many runs go on by themselves: those with a task to deliver or a deadline, as each activity under way has. */
  runs: number;
} {
  const resumed = new Set<string>();
  for (const { key, ref, at } of store.withDeadline()) {
    timers.set(key, ref, at);
    resumed.add(ref.runId);
  }
  for (const ref of store.withPendingWork()) {
    resume(runs, ref);
    resumed.add(ref.runId);
  }
  group.flush();
  schedules.recover();
  activities.recover();
  group.flush();
  return { runs: resumed.size };
}

function resume(runs: RunRegistry, ref: RunRef): void {
  runs.transact(() => {
    const state = runs.edit(ref);
    if (!state) return;
    const { record, pending } = state;
    dispatchTransfers(state);
    if (!state.isRunning) return;
    // No worker polls yet, so a sticky queue would only hold the task back.
    delete record.sticky;
    const task = record.workflowTask;
    if (task) {
      redispatchWorkflowTask(state, task);
    } else if (state.hasBufferedEvents) {
      ensureWorkflowTask(state);
    }
    for (const activity of pending.activities.values()) {
      if (isDispatchable(activity)) dispatchActivityTask(state, activity);
    }
  });
}
