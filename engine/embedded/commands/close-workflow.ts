import { CommandError } from '../protocol/command-error.ts';
import { WorkflowExecutionStatus, WorkflowTaskFailedCause } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { closeRun } from '../runs/close-run.ts';
import { continueAsNew } from '../runs/continue-run.ts';
import { failRun } from '../runs/fail-run.ts';
import { validateRetryPolicy } from '../runs/retry-policy.ts';
import { type CommandHandler } from './context.ts';
import { validatedSearchAttributes } from './search-attributes.ts';

export const completeWorkflow: CommandHandler = ({ state, completedEventId }, command) => {
  closeRun(state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, {
    workflowExecutionCompletedEventAttributes: {
      result: command.completeWorkflowExecutionCommandAttributes?.result ?? null,
      workflowTaskCompletedEventId: long(completedEventId),
    },
  });
};

export const failWorkflow: CommandHandler = ({ services, state, completedEventId }, command) => {
  const failure = command.failWorkflowExecutionCommandAttributes?.failure;
  if (!failure) {
    throw new CommandError(
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_FAIL_WORKFLOW_EXECUTION_ATTRIBUTES,
      'BadFailWorkflowExecutionAttributes: Failure is not set on FailWorkflowExecutionCommand.',
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
  const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_CONTINUE_AS_NEW_ATTRIBUTES;
  try {
    validateRetryPolicy(attributes.retryPolicy);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(cause, `BadContinueAsNewAttributes: ${reason}`);
  }
  const searchAttributes = validatedSearchAttributes(context, attributes.searchAttributes);
  continueAsNew(services, state, { ...attributes, searchAttributes }, completedEventId);
};
