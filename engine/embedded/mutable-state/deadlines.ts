import { WorkflowExecutionStatus } from '../protocol/proto.ts';
import type { ActivityDeadline } from './activity-deadline.ts';
import type { PendingItems } from './pending-items.ts';
import type { RunRecord } from './record.ts';

/** Something that has to happen to a run at a time, unless the run changes before. */
export type Deadline =
  | { readonly at: number; readonly kind: 'run-timeout' }
  | { readonly at: number; readonly kind: 'first-task' }
  | { readonly at: number; readonly kind: 'task-start-to-close' }
  | { readonly at: number; readonly kind: 'task-sticky-schedule-to-start' }
  | { readonly at: number; readonly kind: 'timer'; readonly timerId: string }
  | ActivityDeadline;

interface Waiting {
  readonly record: RunRecord;
  readonly pending: Pick<PendingItems, 'nextDeadline'>;
}

/**
 * Finds the earliest deadline of a run. It is derived from the records, so a restart finds the same one. Its time does not
 * depend on how much is pending.
 */
export function nextDeadline({ record, pending }: Waiting): Deadline | undefined {
  if (record.status !== WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) return undefined;
  let next = pending.nextDeadline();
  for (const deadline of deadlinesOfRun(record)) if (!next || deadline.at <= next.at) next = deadline;
  return next;
}

/** Finds the earliest of the deadlines that have passed. */
export function nextDueDeadline(state: Waiting, now: number): Deadline | undefined {
  const next = nextDeadline(state);
  return next && next.at <= now ? next : undefined;
}

/** Lists the deadlines of a run but for those of what is pending; of equal times the last one counts. */
function* deadlinesOfRun(record: RunRecord): Generator<Deadline> {
  const task = record.workflowTask;
  if (task?.handedOut && task.handedOutTime !== undefined) {
    yield { at: task.handedOutTime + task.timeoutMs, kind: 'task-start-to-close' };
  } else if (task?.sticky && record.sticky && task.startedEventId === undefined) {
    yield { at: task.scheduledTime + record.sticky.timeoutMs, kind: 'task-sticky-schedule-to-start' };
  }
  if (record.firstTaskAt !== undefined) yield { at: record.firstTaskAt, kind: 'first-task' };
  if (record.runExpiration !== undefined) yield { at: record.runExpiration, kind: 'run-timeout' };
}
