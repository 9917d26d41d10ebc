import type { temporal } from '@temporalio/proto';
import { bytesOf } from './id-length.ts';
import { invalidArgument } from './rpc-error.ts';

const LONGEST_FAIRNESS_KEY = 64;

export function checkPriority(priority: temporal.api.common.v1.IPriority | null | undefined): void {
  if (!priority) return;
  if ((priority.priorityKey ?? 0) < 0) throw invalidArgument("priority key can't be negative");
  if (bytesOf(priority.fairnessKey ?? '') > LONGEST_FAIRNESS_KEY) {
    throw invalidArgument('fairness key length exceeds limit');
  }
  if ((priority.fairnessWeight ?? 0) < 0) throw invalidArgument('must be greater than zero');
}
