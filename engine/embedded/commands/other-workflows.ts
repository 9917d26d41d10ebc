import { newId } from '../primitives/ids.ts';
import { requireAttributes } from '../protocol/command-error.ts';
import { ParentClosePolicy, TaskQueueKind, WorkflowIdReusePolicy } from '../protocol/proto.ts';
import { duration, long, optionalDuration, toMs, toNumber, withoutZeroValues } from '../protocol/values.ts';
import { addTransfer } from '../mutable-state/schedule-workflow-task.ts';
import { normaliseRetryPolicy, toRetryPolicy } from '../runs/retry-policy.ts';
import { type CommandHandler, appendCommandEvent, type CommandContext } from './context.ts';
import {
  CANCEL,
  CHILD as CAUSE,
  SIGNAL,
  validCancellation,
  validChild,
  validSignal,
} from './other-workflow-checks.ts';
import { validatedSearchAttributes } from './run-properties.ts';

export const startChildWorkflow: CommandHandler = (context, command) => {
  const { services, state } = context;
  const attributes = requireAttributes(
    CAUSE,
    'StartChildWorkflowExecution',
    command.startChildWorkflowExecutionCommandAttributes,
  );
  const namespace = attributes.namespace || state.ref.namespace;
  // A namespace that is not there is not the command's fault: the task stays with its worker.
  const namespaceId = services.namespaces.get(namespace).id;
  const { workflowId, workflowType, taskQueue, cronSchedule } = validChild(state, attributes, namespace);
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
        name: taskQueue,
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
  const attributes = requireAttributes(
    SIGNAL,
    'SignalExternalWorkflowExecution',
    command.signalExternalWorkflowExecutionCommandAttributes,
  );
  const { workflowId, runId } = validSignal(attributes);
  const event = appendCommandEvent(context, command, {
    signalExternalWorkflowExecutionInitiatedEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      ...target(context, attributes.namespace),
      workflowExecution: withoutZeroValues({ workflowId, runId }),
      signalName: attributes.signalName ?? '',
      input: attributes.input ?? null,
      control: attributes.control ?? '',
      childWorkflowOnly: attributes.childWorkflowOnly ?? false,
      header: attributes.header ?? null,
    },
  });
  initiate(context, 'signal-external', toNumber(event.eventId));
};

export const requestCancelExternalWorkflow: CommandHandler = (context, command) => {
  const attributes = requireAttributes(
    CANCEL,
    'RequestCancelExternalWorkflowExecution',
    command.requestCancelExternalWorkflowExecutionCommandAttributes,
  );
  const { workflowId, runId } = validCancellation(attributes);
  const event = appendCommandEvent(context, command, {
    requestCancelExternalWorkflowExecutionInitiatedEventAttributes: {
      workflowTaskCompletedEventId: long(context.completedEventId),
      ...target(context, attributes.namespace),
      workflowExecution: withoutZeroValues({ workflowId, runId }),
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
  // The event tells a namespace only where the command does.
  const { namespace: own } = context.state.ref;
  return { namespace: given ?? '', namespaceId: context.services.namespaces.get(given || own).id };
}

function initiate(
  context: CommandContext,
  kind: 'signal-external' | 'cancel-external',
  initiatedEventId: number,
): void {
  context.state.record.externals[initiatedEventId] = true;
  addTransfer(context.state, { kind, initiatedEventId, requestId: newId() });
}
