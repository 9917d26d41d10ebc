import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { badCommand, checkCommand, requireAttributes, requireShort } from '../protocol/command-error.ts';
import { validMs } from '../protocol/durations.ts';
import { WorkflowExecutionStatus } from '../protocol/proto.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import { long } from '../protocol/values.ts';
import { closeRun } from '../runs/close-run.ts';
import { continueAsNew } from '../runs/continue-run.ts';
import { completeRun, failRun } from '../runs/fail-run.ts';
import { validateRetryPolicy } from '../runs/retry-policy.ts';
import { type CommandHandler } from './context.ts';
import { validatedSearchAttributes } from './run-properties.ts';

const CONTINUE = 'BAD_CONTINUE_AS_NEW_ATTRIBUTES';

export const completeWorkflow: CommandHandler = ({ services, state, completedEventId }, command) => {
  const { result } = requireAttributes(
    'BAD_COMPLETE_WORKFLOW_EXECUTION_ATTRIBUTES',
    'CompleteWorkflowExecution',
    command.completeWorkflowExecutionCommandAttributes,
  );
  completeRun(services, state, result ?? null, completedEventId);
};

export const failWorkflow: CommandHandler = ({ services, state, completedEventId }, command) => {
  const { failure } = requireAttributes(
    'BAD_FAIL_WORKFLOW_EXECUTION_ATTRIBUTES',
    'FailWorkflowExecution',
    command.failWorkflowExecutionCommandAttributes,
  );
  if (!failure) {
    throw badCommand(
      'BAD_FAIL_WORKFLOW_EXECUTION_ATTRIBUTES',
      'Failure is not set on FailWorkflowExecutionCommand.',
    );
  }
  failRun(services, state, failure, completedEventId);
};

export const cancelWorkflow: CommandHandler = ({ state, completedEventId }, command) => {
  const { details } = requireAttributes(
    'BAD_CANCEL_WORKFLOW_EXECUTION_ATTRIBUTES',
    'CancelWorkflowExecution',
    command.cancelWorkflowExecutionCommandAttributes,
  );
  closeRun(state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_CANCELED, {
    workflowExecutionCanceledEventAttributes: {
      workflowTaskCompletedEventId: long(completedEventId),
      details: details ?? null,
    },
  });
};

export const continueAsNewWorkflow: CommandHandler = (context, command) => {
  const { services, state, completedEventId } = context;
  const attributes = requireAttributes(
    CONTINUE,
    'ContinueAsNewWorkflowExecution',
    command.continueAsNewWorkflowExecutionCommandAttributes,
  );
  checkContinuation(state, attributes);
  const searchAttributes = validatedSearchAttributes(context, attributes.searchAttributes);
  continueAsNew(services, state, { ...attributes, searchAttributes }, completedEventId);
};

type Continuation = temporal.api.command.v1.IContinueAsNewWorkflowExecutionCommandAttributes;

/** Checks what the next run is to be, in the server's order and words. */
function checkContinuation({ record }: MutableState, attributes: Continuation): void {
  const command = 'ContinueAsNewWorkflowExecution';
  const type = attributes.workflowType?.name || record.workflowType;
  requireShort(CONTINUE, 'WorkflowType', command, type);
  const name = attributes.taskQueue?.name || record.taskQueue;
  // The server writes the queue's message as its language does.
  const where = `. WorkflowType=${type} TaskQueue=name:"${name}"  kind:TASK_QUEUE_KIND_NORMAL`;
  checkCommand(
    CONTINUE,
    () => validTaskQueue({ name }),
    (problem) => `error validating ${command}Command TaskQueue: ${problem}${where}`,
  );
  for (const field of ['WorkflowRunTimeout', 'WorkflowTaskTimeout', 'BackoffStartInterval'] as const) {
    const given =
      attributes[`${field.charAt(0).toLowerCase()}${field.slice(1)}` as Uncapitalize<typeof field>];
    checkCommand(CONTINUE, () =>
      validMs(given, (problem) => `Invalid ${field} on ${command}Command: ${problem}${where}`),
    );
  }
  checkCommand(
    CONTINUE,
    () => validateRetryPolicy(attributes.retryPolicy),
    (problem) => `invalid WorkflowRetryPolicy on ${command}Command: ${problem}${where}`,
  );
}
