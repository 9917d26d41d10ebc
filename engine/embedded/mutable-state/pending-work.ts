import { WorkflowExecutionStatus } from '../protocol/proto.ts';
import type { PendingItems } from './pending-items.ts';
import type { ActivityRecord, RunRecord } from './record.ts';

/** Whether an activity waits in a task queue for a worker: it is neither started, nor in back-off, nor paused. */
export function isDispatchable(activity: Readonly<ActivityRecord>): boolean {
  const { startedTime, backoffUntil, paused } = activity;
  return startedTime === undefined && backoffUntil === undefined && paused === undefined;
}

/** Whether a restart has to deliver something of this run again, other than what deadlines bring. */
export function hasPendingWork({
  record,
  pending,
}: {
  readonly record: RunRecord;
  readonly pending: Pick<PendingItems, 'hasDispatchable'>;
}): boolean {
  if (record.transfers.length > 0) return true;
  if (record.status !== WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING) return false;
  return record.workflowTask !== undefined || record.buffered.length > 0 || pending.hasDispatchable;
}
