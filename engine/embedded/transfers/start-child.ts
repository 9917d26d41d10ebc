import type { Kernel } from '../kernel.ts';
import { newTimeOrderedId } from '../ids.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import { StartChildWorkflowExecutionFailedCause } from '../proto.ts';
import { long, toMs, toNumber } from '../proto-values.ts';
import { createRun } from '../workflow/create-run.ts';
import { resolveExistingRun } from '../workflow/id-policies.ts';
import { normaliseRetryPolicy } from '../workflow/retry-policy.ts';
import { terminateRun } from '../workflow/terminate.ts';
import { wakeWorkflow } from '../workflow-task/schedule.ts';

/** Starts the child a workflow asked for and tells it, in one transaction, so a child can never start twice. */
export function startChild(
  kernel: Kernel,
  parent: MutableState,
  transfer: Extract<TransferRecord, { kind: 'start-child' }>,
): void {
  const { initiatedEventId, requestId } = transfer;
  const initiated = kernel.history.event(parent.key, initiatedEventId);
  const attributes = initiated.startChildWorkflowExecutionInitiatedEventAttributes;
  if (!attributes) throw new Error(`event ${initiatedEventId} of ${parent.ref.runId} starts no child`);
  const namespace = attributes.namespace || parent.ref.namespace;
  const workflowId = attributes.workflowId ?? '';
  const common = {
    namespace,
    namespaceId: kernel.namespaces.get(namespace).id,
    initiatedEventId: long(initiatedEventId),
    workflowType: attributes.workflowType ?? null,
  };
  const decision = resolveExistingRun(kernel, {
    namespace,
    workflowId,
    requestId,
    reusePolicy: attributes.workflowIdReusePolicy ?? 0,
    conflictPolicy: 0,
  });
  const child = parent.record.children[initiatedEventId];
  if (decision.kind === 'refuse' || decision.kind === 'use-existing') {
    delete parent.record.children[initiatedEventId];
    if (!parent.isRunning) return;
    parent.receive({
      startChildWorkflowExecutionFailedEventAttributes: {
        namespace,
        namespaceId: common.namespaceId,
        workflowId,
        workflowType: common.workflowType,
        cause:
          StartChildWorkflowExecutionFailedCause.START_CHILD_WORKFLOW_EXECUTION_FAILED_CAUSE_WORKFLOW_ALREADY_EXISTS,
        initiatedEventId: common.initiatedEventId,
      },
    });
    wakeWorkflow(kernel, parent);
    return;
  }
  if (decision.kind === 'terminate-then-start') {
    const existing = kernel.runs.edit(decision.existing.ref);
    if (existing)
      terminateRun(kernel, existing, {
        reason: 'TerminateIfRunning WorkflowIdReusePolicy',
        identity: 'history-service',
      });
  }
  const runId = decision.kind === 'same-request' ? decision.runId : newTimeOrderedId(kernel.now());
  if (decision.kind !== 'same-request') {
    createRun(kernel, {
      ref: { namespace, workflowId, runId },
      workflowType: attributes.workflowType?.name ?? '',
      taskQueue: attributes.taskQueue?.name ?? parent.record.taskQueue,
      startRequestId: requestId,
      input: attributes.input ?? null,
      header: attributes.header ?? null,
      memo: attributes.memo ?? null,
      searchAttributes: attributes.searchAttributes ?? null,
      userMetadata: initiated.userMetadata ?? null,
      priority: attributes.priority ?? null,
      executionTimeoutMs: toMs(attributes.workflowExecutionTimeout),
      runTimeoutMs: toMs(attributes.workflowRunTimeout),
      taskTimeoutMs: toMs(attributes.workflowTaskTimeout) || kernel.limits.defaultTaskTimeoutMs,
      ...(attributes.retryPolicy && { retry: normaliseRetryPolicy(attributes.retryPolicy) }),
      attempt: 1,
      backoffMs: 0,
      parent: { ...parent.ref, initiatedEventId },
      root: parent.record.root,
      explicitRunTimeout: true,
    });
  }
  if (!parent.isRunning || !child) return;
  child.runId = runId;
  const started = parent.receive({
    childWorkflowExecutionStartedEventAttributes: {
      ...common,
      workflowExecution: { workflowId, runId },
      header: attributes.header ?? null,
    },
  });
  if (started.eventId) child.startedEventId = toNumber(started.eventId);
  wakeWorkflow(kernel, parent);
}
