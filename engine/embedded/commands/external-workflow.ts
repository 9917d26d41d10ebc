import { newId } from '../primitives/ids.ts';
import { badCommand } from '../protocol/command-error.ts';
import { long, toNumber, withoutZeroValues } from '../protocol/values.ts';
import { addTransfer } from '../mutable-state/dispatch.ts';
import { type CommandContext, type CommandHandler, appendCommandEvent } from './context.ts';

export const signalExternalWorkflow: CommandHandler = (context, command) => {
  const attributes = command.signalExternalWorkflowExecutionCommandAttributes ?? {};
  const workflowId = attributes.execution?.workflowId ?? '';
  if (workflowId === '' || !attributes.signalName) {
    throw badCommand(
      'BAD_SIGNAL_WORKFLOW_EXECUTION_ATTRIBUTES',
      `${workflowId === '' ? 'WorkflowId' : 'SignalName'} is not set on SignalExternalWorkflowExecutionCommand.`,
    );
  }
  const event = appendCommandEvent(context, command, {
    signalExternalWorkflowExecutionInitiatedEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      ...target(context, attributes.namespace),
      workflowExecution: withoutZeroValues({ workflowId, runId: attributes.execution?.runId ?? '' }),
      signalName: attributes.signalName,
      input: attributes.input ?? null,
      control: attributes.control ?? '',
      childWorkflowOnly: attributes.childWorkflowOnly ?? false,
      header: attributes.header ?? null,
    },
  });
  initiate(context, 'signal-external', toNumber(event.eventId));
};

export const requestCancelExternalWorkflow: CommandHandler = (context, command) => {
  const attributes = command.requestCancelExternalWorkflowExecutionCommandAttributes ?? {};
  const workflowId = attributes.workflowId ?? '';
  if (workflowId === '') {
    throw badCommand(
      'BAD_REQUEST_CANCEL_EXTERNAL_WORKFLOW_EXECUTION_ATTRIBUTES',
      'WorkflowId is not set on RequestCancelExternalWorkflowExecutionCommand.',
    );
  }
  const event = appendCommandEvent(context, command, {
    requestCancelExternalWorkflowExecutionInitiatedEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      ...target(context, attributes.namespace),
      workflowExecution: withoutZeroValues({ workflowId, runId: attributes.runId ?? '' }),
      control: attributes.control ?? '',
      childWorkflowOnly: attributes.childWorkflowOnly ?? false,
      reason: attributes.reason ?? '',
    },
  });
  initiate(context, 'cancel-external', toNumber(event.eventId));
};

function target(
  context: CommandContext,
  given: string | null | undefined,
): { namespace: string; namespaceId: string } {
  const namespace = given || context.state.ref.namespace;
  return { namespace, namespaceId: context.services.namespaces.get(namespace).id };
}

function initiate(
  context: CommandContext,
  kind: 'signal-external' | 'cancel-external',
  initiatedEventId: number,
): void {
  context.state.record.externals[initiatedEventId] = true;
  addTransfer(context.state, { kind, initiatedEventId, requestId: newId() });
}
