import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { newId } from '../primitives/ids.ts';
import { ParentClosePolicy } from '../protocol/proto.ts';
import { requestCancel } from '../runs/cancel.ts';
import { terminateRun } from '../runs/terminate.ts';
import { findExternal } from './find-external.ts';

/** Applies the parent close policy of a closed parent to one child that was still open. */
export function closeChild(
  runs: RunRegistry,
  parent: MutableState,
  transfer: Extract<TransferRecord, { kind: 'close-child' }>,
): void {
  const child = findExternal(runs, parent, {
    namespace: parent.ref.namespace,
    execution: transfer.child,
    childWorkflowOnly: true,
  });
  if (!child) return;
  if (transfer.policy === ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL) {
    requestCancel(child, {
      identity: 'history-service',
      requestId: newId(),
      initiator: { execution: { workflowId: parent.ref.workflowId, runId: parent.ref.runId } },
    });
  } else {
    terminateRun(child, { reason: 'by parent close policy', identity: 'history-service' });
  }
}
