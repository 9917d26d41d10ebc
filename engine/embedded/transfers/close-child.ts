import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import { newId } from '../ids.ts';
import { ParentClosePolicy } from '../proto.ts';
import { requestCancel } from '../workflow/cancel.ts';
import { terminateRun } from '../workflow/terminate.ts';
import { findExternal } from './find-external.ts';

/** Applies the parent close policy of a closed parent to one child that was still open. */
export function closeChild(
  kernel: Kernel,
  parent: MutableState,
  transfer: Extract<TransferRecord, { kind: 'close-child' }>,
): void {
  const child = findExternal(kernel, parent, {
    namespace: parent.ref.namespace,
    execution: transfer.child,
    childWorkflowOnly: true,
  });
  if (!child) return;
  if (transfer.policy === ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL) {
    requestCancel(kernel, child, {
      identity: 'history-service',
      requestId: newId(),
      initiator: { execution: { workflowId: parent.ref.workflowId, runId: parent.ref.runId } },
    });
  } else {
    terminateRun(kernel, child, { reason: 'by parent close policy', identity: 'history-service' });
  }
}
