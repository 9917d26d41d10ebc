import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import type { RunServices } from '../runs/run-services.ts';
import { CancelExternalWorkflowExecutionFailedCause } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { requestCancel } from '../runs/cancel.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { findExternal } from './find-external.ts';

/** Delivers the cancellation that one workflow requests of another, and reports to the requester how it went. */
export function cancelExternal(
  services: RunServices,
  requester: MutableState,
  transfer: Extract<TransferRecord, { kind: 'cancel-external' }>,
): void {
  const { initiatedEventId, requestId } = transfer;
  const initiated = requester.event(initiatedEventId);
  const attributes = initiated.requestCancelExternalWorkflowExecutionInitiatedEventAttributes;
  if (!attributes || !requester.isRunning) return;
  const namespace = attributes.namespace || requester.ref.namespace;
  const target = findExternal(services.runs, requester, {
    namespace,
    execution: attributes.workflowExecution,
    childWorkflowOnly: attributes.childWorkflowOnly ?? false,
  });
  delete requester.record.externals[initiatedEventId];
  const common = {
    namespace,
    namespaceId: services.namespaces.get(namespace).id,
    workflowExecution: attributes.workflowExecution ?? null,
    initiatedEventId: long(initiatedEventId),
  };
  if (target) {
    requestCancel(target, {
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
  ensureWorkflowTask(requester);
}
