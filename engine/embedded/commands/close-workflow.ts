import { WorkflowExecutionStatus, WorkflowTaskFailedCause } from '../proto.ts';
import { long } from '../proto-values.ts';
import { closeRun } from '../workflow/close-run.ts';
import { continueAsNew } from '../workflow/continue-run.ts';
import { failRun } from '../workflow/fail-run.ts';
import { validateRetryPolicy } from '../workflow/retry-policy.ts';
import { CommandError, type CommandHandler } from './context.ts';
import { validatedSearchAttributes } from './search-attributes.ts';

export const completeWorkflow: CommandHandler = ({ kernel, state, completedEventId }, command) => {
  closeRun(kernel, state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED, {
    workflowExecutionCompletedEventAttributes: {
      result: command.completeWorkflowExecutionCommandAttributes?.result ?? null,
      workflowTaskCompletedEventId: long(completedEventId),
    },
  });
};

export const failWorkflow: CommandHandler = ({ kernel, state, completedEventId }, command) => {
  const failure = command.failWorkflowExecutionCommandAttributes?.failure;
  if (!failure) {
    throw new CommandError(
      WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_FAIL_WORKFLOW_EXECUTION_ATTRIBUTES,
      'BadFailWorkflowExecutionAttributes: Failure is not set on FailWorkflowExecutionCommand.',
    );
  }
  failRun(kernel, state, failure, completedEventId);
};

export const cancelWorkflow: CommandHandler = ({ kernel, state, completedEventId }, command) => {
  closeRun(kernel, state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, {
    workflowExecutionCanceledEventAttributes: {
      workflowTaskCompletedEventId: long(completedEventId),
      details: command.cancelWorkflowExecutionCommandAttributes?.details ?? null,
    },
  });
};

export const continueAsNewWorkflow: CommandHandler = (context, command) => {
  const { kernel, state, completedEventId } = context;
  const attributes = command.continueAsNewWorkflowExecutionCommandAttributes ?? {};
  const cause = WorkflowTaskFailedCause.WORKFLOW_TASK_FAILED_CAUSE_BAD_CONTINUE_AS_NEW_ATTRIBUTES;
  try {
    validateRetryPolicy(attributes.retryPolicy);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(cause, `BadContinueAsNewAttributes: ${reason}`);
  }
  const searchAttributes = validatedSearchAttributes(context, attributes.searchAttributes);
  continueAsNew(kernel, state, { ...attributes, searchAttributes }, completedEventId);
};
