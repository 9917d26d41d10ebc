import { newTimeOrderedId } from '../primitives/ids.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import type { RunServices } from '../runs/run-services.ts';
import { StartChildWorkflowExecutionFailedCause } from '../protocol/proto.ts';
import { long, toMs, toNumber } from '../protocol/values.ts';
import { createRun } from '../runs/create-run.ts';
import { resolveExistingRun } from '../runs/id-policies.ts';
import { normaliseRetryPolicy } from '../runs/retry-policy.ts';
import { terminateForReuse } from '../runs/terminate.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';

/** Starts the child that a workflow asked for and reports to it in one transaction, so a child never starts twice. */
export function startChild(
  services: RunServices,
  parent: MutableState,
  transfer: Extract<TransferRecord, { kind: 'start-child' }>,
): void {
  const { initiatedEventId, requestId } = transfer;
  const initiated = parent.event(initiatedEventId);
  const attributes = initiated.startChildWorkflowExecutionInitiatedEventAttributes;
  if (!attributes) throw new Error(`event ${initiatedEventId} of ${parent.ref.runId} starts no child`);
  const namespace = attributes.namespace || parent.ref.namespace;
  const workflowId = attributes.workflowId ?? '';
  const common = {
    namespace,
    namespaceId: services.namespaces.get(namespace).id,
    initiatedEventId: long(initiatedEventId),
    workflowType: attributes.workflowType ?? null,
  };
  const decision = resolveExistingRun(services.runs, {
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
    ensureWorkflowTask(parent);
    return;
  }
  if (decision.kind === 'terminate-then-start') terminateForReuse(services.runs, decision.existing);
  const runId = decision.kind === 'same-request' ? decision.runId : newTimeOrderedId(services.runs.now());
  if (decision.kind !== 'same-request') {
    createRun(services, {
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
      taskTimeoutMs: toMs(attributes.workflowTaskTimeout) || services.limits.defaultTaskTimeoutMs,
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
  ensureWorkflowTask(parent);
}
