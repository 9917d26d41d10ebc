import { firstCronWaitMs } from '../cron/next-run.ts';
import { newId } from '../primitives/ids.ts';
import { badCommand, checkCommand } from '../protocol/command-error.ts';
import { ParentClosePolicy, TaskQueueKind, WorkflowIdReusePolicy } from '../protocol/proto.ts';
import { duration, long, optionalDuration, toMs, toNumber, withoutZeroValues } from '../protocol/values.ts';
import { addTransfer } from '../mutable-state/schedule-workflow-task.ts';
import { normaliseRetryPolicy, toRetryPolicy, validateRetryPolicy } from '../runs/retry-policy.ts';
import { type CommandHandler, appendCommandEvent, type CommandContext } from './context.ts';
import { validatedSearchAttributes } from './run-properties.ts';

const CAUSE = 'BAD_START_CHILD_EXECUTION_ATTRIBUTES';

export const startChildWorkflow: CommandHandler = (context, command) => {
  const { services, state } = context;
  const attributes = command.startChildWorkflowExecutionCommandAttributes ?? {};
  const workflowId = attributes.workflowId ?? '';
  const workflowType = attributes.workflowType?.name ?? '';
  if (workflowId === '') throw badCommand(CAUSE, 'WorkflowId is not set on StartChildWorkflowCommand.');
  if (workflowType === '') throw badCommand(CAUSE, 'WorkflowType is not set on StartChildWorkflowCommand.');
  const namespace = attributes.namespace || state.ref.namespace;
  const namespaceId = checkCommand(CAUSE, () => {
    validateRetryPolicy(attributes.retryPolicy);
    return services.namespaces.get(namespace).id;
  });
  const cronSchedule = attributes.cronSchedule ?? '';
  if (cronSchedule !== '') {
    checkCommand(
      CAUSE,
      () => firstCronWaitMs(cronSchedule, state.now()),
      (message) =>
        `invalid CronSchedule on StartChildWorkflowExecutionCommand: ${message}. WorkflowId=${workflowId} WorkflowType=${workflowType} Namespace=${namespace}`,
    );
  }
  const searchAttributes = validatedSearchAttributes(context, attributes.searchAttributes);
  const parentClosePolicy = attributes.parentClosePolicy || ParentClosePolicy.PARENT_CLOSE_POLICY_TERMINATE;
  const executionTimeoutMs = toMs(attributes.workflowExecutionTimeout);
  const runTimeoutMs = toMs(attributes.workflowRunTimeout) || executionTimeoutMs;
  const taskTimeoutMs = toMs(attributes.workflowTaskTimeout) || services.limits.defaultTaskTimeoutMs;
  const event = appendCommandEvent(context, command, {
    startChildWorkflowExecutionInitiatedEventAttributes: {
      namespace,
      namespaceId,
      workflowId,
      workflowType: { name: workflowType },
      taskQueue: {
        name: attributes.taskQueue?.name || state.record.taskQueue,
        kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL,
      },
      input: attributes.input ?? null,
      workflowExecutionTimeout: optionalDuration(executionTimeoutMs),
      workflowRunTimeout: duration(runTimeoutMs),
      workflowTaskTimeout: duration(runTimeoutMs > 0 ? Math.min(taskTimeoutMs, runTimeoutMs) : taskTimeoutMs),
      parentClosePolicy,
      control: attributes.control ?? '',
      workflowTaskCompletedEventId: long(context.completedEventId),
      workflowIdReusePolicy:
        attributes.workflowIdReusePolicy || WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
      retryPolicy: attributes.retryPolicy
        ? toRetryPolicy(normaliseRetryPolicy(attributes.retryPolicy))
        : null,
      cronSchedule,
      header: attributes.header ?? null,
      memo: Object.keys(attributes.memo?.fields ?? {}).length > 0 ? (attributes.memo ?? null) : null,
      searchAttributes,
      inheritBuildId: attributes.inheritBuildId ?? false,
      priority: attributes.priority ?? null,
    },
  });
  const initiatedEventId = toNumber(event.eventId);
  state.pending.children.add(initiatedEventId, {
    initiatedEventId,
    workflowId,
    workflowType,
    parentClosePolicy,
  });
  addTransfer(state, { kind: 'start-child', initiatedEventId, requestId: newId() });
};

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
