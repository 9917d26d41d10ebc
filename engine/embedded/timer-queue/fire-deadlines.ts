import { onActivityRetryDue, onActivityTimeout } from '../activity/timeouts.ts';
import type { Kernel } from '../kernel.ts';
import { type Deadline, nextDueDeadline } from '../mutable-state/deadlines.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { long } from '../proto-values.ts';
import type { RunRef } from '../types.ts';
import { timeOutRun } from '../workflow/fail-run.ts';
import { timeOutStickyTask, timeOutWorkflowTask } from '../workflow-task/fail.ts';
import { scheduleWorkflowTask, wakeWorkflow } from '../workflow-task/schedule.ts';

/** Does everything of a run whose time has come, as one transaction, and re-arms the run for what comes next. */
export function fireDeadlines(kernel: Kernel, ref: RunRef): void {
  kernel.runs.transact(() => {
    const state = kernel.runs.edit(ref);
    if (!state) return;
    const now = kernel.now();
    // One at a time, because each may remove others: a closed run has no timers left.
    for (let due = nextDueDeadline(state.record, now); due; due = nextDueDeadline(state.record, now)) {
      fire(kernel, state, due);
    }
  });
}

function fire(kernel: Kernel, state: MutableState, due: Deadline): void {
  const { record } = state;
  switch (due.kind) {
    case 'run-timeout':
      timeOutRun(kernel, state);
      return;
    case 'first-task':
      delete record.firstTaskAt;
      scheduleWorkflowTask(kernel, state);
      return;
    case 'task-start-to-close':
      timeOutWorkflowTask(kernel, state);
      return;
    case 'task-sticky-schedule-to-start':
      timeOutStickyTask(kernel, state);
      return;
    case 'timer':
      fireTimer(kernel, state, due.timerId);
      return;
    case 'activity-retry': {
      const activity = record.activities[due.scheduledEventId];
      if (activity) onActivityRetryDue(kernel, state, activity);
      return;
    }
    case 'activity-timeout': {
      const activity = record.activities[due.scheduledEventId];
      if (activity) onActivityTimeout(kernel, state, activity, due.timeout);
      return;
    }
  }
}

function fireTimer(kernel: Kernel, state: MutableState, timerId: string): void {
  const timer = state.record.timers[timerId];
  if (!timer) return;
  delete state.record.timers[timerId];
  state.receive({ timerFiredEventAttributes: { timerId, startedEventId: long(timer.startedEventId) } });
  wakeWorkflow(kernel, state);
}
