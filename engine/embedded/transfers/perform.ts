import type { TransferRecord } from '../mutable-state/record.ts';
import type { RunServices } from '../runs/create-run.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import { cancelExternal, signalExternal } from './external.ts';
import { closeChild, notifyParent, startChild } from './children.ts';

/** Performs a transfer and removes it, as one transaction over both runs; does nothing when it is removed already. */
export function performTransfer(services: RunServices, ref: RunRef, transfer: TransferRecord): void {
  const isOwed = services.runs.peek(ref)?.record.transfers.some((owed) => isSame(owed, transfer));
  if (!isOwed) return;
  services.runs.transact(() => {
    const state = services.runs.edit(ref);
    if (!state) return;
    switch (transfer.kind) {
      case 'start-child':
        startChild(services, state, transfer);
        break;
      case 'signal-external':
        signalExternal(services, state, transfer);
        break;
      case 'cancel-external':
        cancelExternal(services, state, transfer);
        break;
      case 'notify-parent':
        notifyParent(services, state);
        break;
      case 'close-child':
        closeChild(services.runs, state, transfer);
        break;
    }
    state.record.transfers = state.record.transfers.filter((owed) => !isSame(owed, transfer));
  });
}

function isSame(a: TransferRecord, b: TransferRecord): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
