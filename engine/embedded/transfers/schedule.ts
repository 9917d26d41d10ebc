import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';

/** Performs what the run owes to others once the current transaction is committed; also after a restart. */
export function scheduleTransfers(kernel: Kernel, state: MutableState): void {
  const { ref } = state;
  for (const transfer of state.record.transfers) {
    kernel.group.afterCommit(() => kernel.performTransfer(ref, transfer));
  }
}

/** Adds one transfer and schedules just that. */
export function addTransfer(kernel: Kernel, state: MutableState, transfer: TransferRecord): void {
  const { ref } = state;
  state.record.transfers.push(transfer);
  kernel.group.afterCommit(() => kernel.performTransfer(ref, transfer));
}
