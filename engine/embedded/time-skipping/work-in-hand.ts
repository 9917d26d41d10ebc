import type { PendingItems } from '../mutable-state/pending-items.ts';
import type { RunRecord } from '../mutable-state/record.ts';

/**
 * Counts what of a run is being worked on: its workflow task, activities that wait for a worker or have one, and work that it owes
 * to other runs. What waits for a time (timers, attempts in back-off, a delayed start) does not count.
 */
export function workInHand({
  isRunning,
  record,
  pending,
}: {
  readonly isRunning: boolean;
  readonly record: RunRecord;
  readonly pending: Pick<PendingItems, 'activities'>;
}): number {
  let count = record.transfers.length;
  if (!isRunning) return count;
  if (record.workflowTask !== undefined) count += 1;
  for (const { backoffUntil, paused } of pending.activities.values())
    if (backoffUntil === undefined && paused === undefined) count += 1;
  return count;
}
