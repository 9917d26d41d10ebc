import type { Kernel } from '../kernel.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import type { RunRef } from '../types.ts';
import { cancelExternal } from './cancel-external.ts';
import { closeChild } from './close-child.ts';
import { notifyParent } from './notify-parent.ts';
import { signalExternal } from './signal-external.ts';
import { startChild } from './start-child.ts';

/** Performs a transfer and strikes it off, as one transaction over both runs; nothing when it is struck off already. */
export function performTransfer(kernel: Kernel, ref: RunRef, transfer: TransferRecord): void {
  const isOwed = kernel.runs.peek(ref)?.record.transfers.some((owed) => isSame(owed, transfer));
  if (!isOwed) return;
  kernel.runs.transact(() => {
    const state = kernel.runs.edit(ref);
    if (!state) return;
    switch (transfer.kind) {
      case 'start-child':
        startChild(kernel, state, transfer);
        break;
      case 'signal-external':
        signalExternal(kernel, state, transfer);
        break;
      case 'cancel-external':
        cancelExternal(kernel, state, transfer);
        break;
      case 'notify-parent':
        notifyParent(kernel, state);
        break;
      case 'close-child':
        closeChild(kernel, state, transfer);
        break;
    }
    state.record.transfers = state.record.transfers.filter((owed) => !isSame(owed, transfer));
  });
}

function isSame(a: TransferRecord, b: TransferRecord): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
