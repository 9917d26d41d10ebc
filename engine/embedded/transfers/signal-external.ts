import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import type { RunServices } from '../runs/run-services.ts';
import { SignalExternalWorkflowExecutionFailedCause } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { signalRun } from '../runs/signal.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { findExternal } from './find-external.ts';

/** Delivers the signal that one workflow sends to another, and reports to the sender how it went. */
export function signalExternal(
  services: RunServices,
  sender: MutableState,
  transfer: Extract<TransferRecord, { kind: 'signal-external' }>,
): void {
  const { initiatedEventId, requestId } = transfer;
  const initiated = sender.event(initiatedEventId);
  const attributes = initiated.signalExternalWorkflowExecutionInitiatedEventAttributes;
  if (!attributes || !sender.isRunning) return;
  const namespace = attributes.namespace || sender.ref.namespace;
  const target = findExternal(services.runs, sender, {
    namespace,
    execution: attributes.workflowExecution,
    childWorkflowOnly: attributes.childWorkflowOnly ?? false,
  });
  delete sender.record.externals[initiatedEventId];
  const common = {
    namespace,
    namespaceId: services.namespaces.get(namespace).id,
    workflowExecution: attributes.workflowExecution ?? null,
    initiatedEventId: long(initiatedEventId),
    control: attributes.control ?? '',
  };
  if (target) {
    signalRun(target, {
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
  ensureWorkflowTask(sender);
}
