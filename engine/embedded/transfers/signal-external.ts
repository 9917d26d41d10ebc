import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import { SignalExternalWorkflowExecutionFailedCause } from '../proto.ts';
import { long } from '../proto-values.ts';
import { signalRun } from '../workflow/signal.ts';
import { wakeWorkflow } from '../workflow-task/schedule.ts';
import { findExternal } from './find-external.ts';

/** Delivers the signal that one workflow sends to another, and tells the sender how it went. */
export function signalExternal(
  kernel: Kernel,
  sender: MutableState,
  transfer: Extract<TransferRecord, { kind: 'signal-external' }>,
): void {
  const { initiatedEventId, requestId } = transfer;
  const initiated = kernel.history.event(sender.key, initiatedEventId);
  const attributes = initiated.signalExternalWorkflowExecutionInitiatedEventAttributes;
  if (!attributes || !sender.isRunning) return;
  const namespace = attributes.namespace || sender.ref.namespace;
  const target = findExternal(kernel, sender, {
    namespace,
    execution: attributes.workflowExecution,
    childWorkflowOnly: attributes.childWorkflowOnly ?? false,
  });
  delete sender.record.externals[initiatedEventId];
  const common = {
    namespace,
    namespaceId: kernel.namespaces.get(namespace).id,
    workflowExecution: attributes.workflowExecution ?? null,
    initiatedEventId: long(initiatedEventId),
    control: attributes.control ?? '',
  };
  if (target) {
    signalRun(kernel, target, {
      name: attributes.signalName ?? '',
      input: attributes.input ?? null,
      header: attributes.header ?? null,
      identity: 'history-service',
      requestId,
      sender: { workflowId: sender.ref.workflowId, runId: sender.ref.runId },
    });
    sender.receive({ externalWorkflowExecutionSignaledEventAttributes: common });
  } else {
    sender.receive({
      signalExternalWorkflowExecutionFailedEventAttributes: {
        ...common,
        cause:
          SignalExternalWorkflowExecutionFailedCause.SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND,
      },
    });
  }
  wakeWorkflow(kernel, sender);
}
