import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import {
  CancelExternalWorkflowExecutionFailedCause,
  SignalExternalWorkflowExecutionFailedCause,
} from '../protocol/proto.ts';
import { type Long, long } from '../protocol/values.ts';
import { requestCancel, signalRun } from '../runs/signal.ts';
import type { RunServices } from '../runs/create-run.ts';
import { newestReset } from '../runs/find-run.ts';

type Execution = temporal.api.common.v1.IWorkflowExecution | null;

/** Delivers the cancellation that one workflow requests of another, and reports to the requester how it went. */
export function cancelExternal(
  services: RunServices,
  requester: MutableState,
  { initiatedEventId, requestId }: Extract<TransferRecord, { kind: 'cancel-external' }>,
): void {
  const initiated = requester.event(initiatedEventId);
  const attributes = initiated.requestCancelExternalWorkflowExecutionInitiatedEventAttributes;
  if (!attributes || !requester.isRunning) return;
  const { target, common } = address(services, requester, initiatedEventId, attributes);
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

/** Delivers the signal that one workflow sends to another, and reports to the sender how it went. */
export function signalExternal(
  services: RunServices,
  sender: MutableState,
  { initiatedEventId, requestId }: Extract<TransferRecord, { kind: 'signal-external' }>,
): void {
  const initiated = sender.event(initiatedEventId);
  const attributes = initiated.signalExternalWorkflowExecutionInitiatedEventAttributes;
  if (!attributes || !sender.isRunning) return;
  const { target, common } = address(services, sender, initiatedEventId, attributes);
  const report = { ...common, control: attributes.control ?? '' };
  if (target) {
    signalRun(target, {
      name: attributes.signalName ?? '',
      input: attributes.input ?? null,
      header: attributes.header ?? null,
      identity: 'history-service',
      requestId,
      sender: { workflowId: sender.ref.workflowId, runId: sender.ref.runId },
    });
    sender.receive({ externalWorkflowExecutionSignaledEventAttributes: report });
  } else {
    sender.receive({
      signalExternalWorkflowExecutionFailedEventAttributes: {
        ...report,
        cause:
          SignalExternalWorkflowExecutionFailedCause.SIGNAL_EXTERNAL_WORKFLOW_EXECUTION_FAILED_CAUSE_EXTERNAL_WORKFLOW_EXECUTION_NOT_FOUND,
      },
    });
  }
  ensureWorkflowTask(sender);
}

/** Finds the run that an initiated event addresses, settles what the sender waits for, and makes the report's fields. */
function address(
  { runs, namespaces }: RunServices,
  sender: MutableState,
  initiatedEventId: number,
  attributes: {
    namespace?: string | null;
    workflowExecution?: Execution;
    childWorkflowOnly?: boolean | null;
  },
): {
  target: MutableState | undefined;
  common: { namespace: string; namespaceId: string; workflowExecution: Execution; initiatedEventId: Long };
} {
  const namespace = attributes.namespace || sender.ref.namespace;
  const workflowExecution = attributes.workflowExecution ?? null;
  const childWorkflowOnly = attributes.childWorkflowOnly ?? false;
  const target = findExternal(runs, sender, { namespace, execution: workflowExecution, childWorkflowOnly });
  delete sender.record.externals[initiatedEventId];
  const { id: namespaceId } = namespaces.get(namespace);
  const common = { namespace, namespaceId, workflowExecution, initiatedEventId: long(initiatedEventId) };
  return { target, common };
}

/** Finds the open run that a workflow addresses, for editing; undefined when there is none that it may address. */
export function findExternal(
  runs: RunRegistry,
  sender: MutableState,
  target: { namespace: string; execution: Execution; childWorkflowOnly: boolean },
): MutableState | undefined {
  const { namespace, execution, childWorkflowOnly } = target;
  const workflowId = execution?.workflowId ?? '';
  const currentRunId = runs.currentRunId(namespace, workflowId);
  if (currentRunId === undefined || currentRunId === sender.ref.runId) return undefined;
  // The parent knows a child by its first run; the run to address is the newest of that chain.
  const current = runs.peek({ namespace, workflowId, runId: currentRunId });
  if (!current?.isRunning) return undefined;
  const wanted = execution?.runId ?? '';
  if (
    wanted !== '' &&
    wanted !== currentRunId &&
    !(childWorkflowOnly && current.record.firstRunId === wanted)
  ) {
    return undefined;
  }
  const { parent } = current.record;
  const isChild = parent !== undefined && newestReset(runs, parent).runId === sender.ref.runId;
  if (childWorkflowOnly && !isChild) return undefined;
  return runs.edit(current.ref);
}
