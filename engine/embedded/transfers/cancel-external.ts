import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import { CancelExternalWorkflowExecutionFailedCause } from '../proto.ts';
import { long } from '../proto-values.ts';
import { requestCancel } from '../workflow/cancel.ts';
import { wakeWorkflow } from '../workflow-task/schedule.ts';
import { findExternal } from './find-external.ts';

/** Delivers the cancellation that one workflow requests of another, and tells the requester how it went. */
export function cancelExternal(
  kernel: Kernel,
  requester: MutableState,
  transfer: Extract<TransferRecord, { kind: 'cancel-external' }>,
): void {
  const { initiatedEventId, requestId } = transfer;
  const initiated = kernel.history.event(requester.key, initiatedEventId);
  const attributes = initiated.requestCancelExternalWorkflowExecutionInitiatedEventAttributes;
  if (!attributes || !requester.isRunning) return;
  const namespace = attributes.namespace || requester.ref.namespace;
  const target = findExternal(kernel, requester, {
    namespace,
    execution: attributes.workflowExecution,
    childWorkflowOnly: attributes.childWorkflowOnly ?? false,
  });
  delete requester.record.externals[initiatedEventId];
  const common = {
    namespace,
    namespaceId: kernel.namespaces.get(namespace).id,
    workflowExecution: attributes.workflowExecution ?? null,
    initiatedEventId: long(initiatedEventId),
  };
  if (target) {
    requestCancel(kernel, target, {
      identity: 'history-service',
      requestId,
      cause: attributes.reason ?? '',
      initiator: {
        execution: { workflowId: requester.ref.workflowId, runId: requester.ref.runId },
        initiatedEventId,
      },
    });
    requester.receive({ externalWorkflowExecutionCancelRequestedEventAttributes: common });
  } else {
    requester.receive({
      requestCancelExternalWorkflowExecutionFailedEventAttributes: {
        ...common,
        control: attributes.control ?? '',
        cause:
          CancelExternalWorkflowExecutionFailedCause.CANCEL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND,
      },
    });
  }
  wakeWorkflow(kernel, requester);
}
