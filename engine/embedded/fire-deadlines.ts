import { onActivityRetryDue, onActivityTimeout } from './activity-tasks/timeouts.ts';
import { type Deadline, nextDueDeadline } from './mutable-state/deadlines.ts';
import type { MutableState } from './mutable-state/mutable-state.ts';
import { long } from './protocol/values.ts';
import type { RunRef } from './primitives/run-ref.ts';
import { timeOutRun } from './runs/fail-run.ts';
import type { RunServices } from './runs/create-run.ts';
import { timeOutStickyTask, timeOutWorkflowTask } from './workflow-tasks/fail.ts';
import { scheduleWorkflowTask, ensureWorkflowTask } from './mutable-state/schedule-workflow-task.ts';

/** Fires all deadlines of a run that have passed, as one transaction, which also sets the run's next deadline. */
export function fireDeadlines(services: RunServices, ref: RunRef): void {
  const { runs } = services;
  runs.transact(() => {
    const state = runs.edit(ref);
    if (!state) return;
    const now = state.now();
    // They fire one at a time, because each may remove others: a closed run has no timers left.
    for (let due = nextDueDeadline(state, now); due; due = nextDueDeadline(state, now)) {
      fire(services, state, due);
    }
  });
}

function fire(services: RunServices, state: MutableState, due: Deadline): void {
  const { record, pending } = state;
  switch (due.kind) {
    case 'run-timeout':
      timeOutRun(services, state);
      return;
    case 'first-task':
      delete record.firstTaskAt;
      scheduleWorkflowTask(state);
      return;
    case 'task-start-to-close':
      timeOutWorkflowTask(state);
      return;
    case 'task-sticky-schedule-to-start':
      timeOutStickyTask(state);
      return;
    case 'timer':
      fireTimer(state, due.timerId);
      return;
    case 'activity-retry': {
      const activity = pending.activities.edit(due.scheduledEventId);
      if (activity) onActivityRetryDue(state, activity);
      return;
    }
    case 'activity-timeout': {
      const activity = pending.activities.edit(due.scheduledEventId);
      if (activity) onActivityTimeout(state, activity, due.timeout);
      return;
    }
  }
}

function fireTimer(state: MutableState, timerId: string): void {
  const { timers } = state.pending;
  const timer = timers.get(timerId);
  if (!timer) return;
  timers.delete(timerId);
  state.receive({ timerFiredEventAttributes: { timerId, startedEventId: long(timer.startedEventId) } });
  ensureWorkflowTask(state);
}
