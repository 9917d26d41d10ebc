import { badCommand, checkCommand } from '../protocol/command-error.ts';
import { WorkflowExecutionStatus } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { closeRun } from '../runs/close-run.ts';
import { continueAsNew } from '../runs/continue-run.ts';
import { completeRun, failRun } from '../runs/fail-run.ts';
import { validateRetryPolicy } from '../runs/retry-policy.ts';
import { type CommandHandler } from './context.ts';
import { validatedSearchAttributes } from './run-properties.ts';

export const completeWorkflow: CommandHandler = ({ services, state, completedEventId }, command) => {
  const result = command.completeWorkflowExecutionCommandAttributes?.result ?? null;
  completeRun(services, state, result, completedEventId);
};

export const failWorkflow: CommandHandler = ({ services, state, completedEventId }, command) => {
  const failure = command.failWorkflowExecutionCommandAttributes?.failure;
  if (!failure) {
    throw badCommand(
      'BAD_FAIL_WORKFLOW_EXECUTION_ATTRIBUTES',
      'Failure is not set on FailWorkflowExecutionCommand.',
    );
  }
  failRun(services, state, failure, completedEventId);
};

export const cancelWorkflow: CommandHandler = ({ state, completedEventId }, command) => {
  closeRun(state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, {
    workflowExecutionCanceledEventAttributes: {
      workflowTaskCompletedEventId: long(completedEventId),
      details: command.cancelWorkflowExecutionCommandAttributes?.details ?? null,
    },
  });
};

export const continueAsNewWorkflow: CommandHandler = (context, command) => {
  const { services, state, completedEventId } = context;
  const attributes = command.continueAsNewWorkflowExecutionCommandAttributes ?? {};
  checkCommand('BAD_CONTINUE_AS_NEW_ATTRIBUTES', () => validateRetryPolicy(attributes.retryPolicy));
  const searchAttributes = validatedSearchAttributes(context, attributes.searchAttributes);
  continueAsNew(services, state, { ...attributes, searchAttributes }, completedEventId);
};
