import { inheritedVersioning } from '../deployments/run-versioning.ts';
import { firstCronWaitMs } from '../cron/next-run.ts';
import { newTimeOrderedId, newId } from '../primitives/ids.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { TransferRecord } from '../mutable-state/record.ts';
import { type RunServices, createRun } from '../runs/create-run.ts';
import { StartChildWorkflowExecutionFailedCause, RetryState, ParentClosePolicy } from '../protocol/proto.ts';
import { long, toMs, toNumber } from '../protocol/values.ts';
import { resolveExistingRun } from '../runs/id-policies.ts';
import { normaliseRetryPolicy } from '../runs/retry-policy.ts';
import { terminateForReuse, terminateRun } from '../runs/close-run.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import type { EventAttributes, HistoryEvent } from '../history/events.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { requestCancel } from '../runs/signal.ts';
import { newestReset } from '../runs/find-run.ts';
import { findExternal } from './external.ts';

/** Starts the child that a workflow asked for and reports to it in one transaction, so a child never starts twice. */
export function startChild(
  services: RunServices,
  parent: MutableState,
  transfer: Extract<TransferRecord, { kind: 'start-child' }>,
): void {
  const { initiatedEventId } = transfer;
  const requestId = `${transfer.requestId}:${initiatedEventId}:0`;
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
  const { children } = parent.pending;
  if (decision.kind === 'refuse' || decision.kind === 'use-existing') {
    children.delete(initiatedEventId);
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
  const runId = decision.kind === 'same-request' ? decision.runId : newTimeOrderedId(services.runs.now());
  if (decision.kind === 'terminate-then-start') terminateForReuse(services.runs, decision.existing, runId);
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
      ...(attributes.cronSchedule && { cron: attributes.cronSchedule }),
      attempt: 1,
      backoffMs: attributes.cronSchedule ? firstCronWaitMs(attributes.cronSchedule, parent.now()) : 0,
      parent: { ...parent.ref, initiatedEventId },
      inherits: inheritedVersioning(
        services.deployments,
        parent,
        attributes.taskQueue?.name ?? parent.record.taskQueue,
      ),
      root: parent.record.root,
      explicitRunTimeout: true,
    });
  }
  const child = parent.isRunning ? children.edit(initiatedEventId) : undefined;
  if (!child) return;
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

/** Reports to the parent how its child ended. */
export function notifyParent({ runs, namespaces }: RunServices, child: MutableState): void {
  const origin = child.record.parent;
  if (!origin) return;
  const parent = runs.edit(newestReset(runs, origin));
  const pending = parent?.pending.children.get(origin.initiatedEventId);
  if (!parent?.isRunning || pending?.workflowId !== child.ref.workflowId) return;
  parent.pending.children.delete(origin.initiatedEventId);
  const closing = child.event(child.record.nextEventId - 1);
  parent.receive(
    childEvent(closing, {
      namespace: child.ref.namespace,
      namespaceId: namespaces.get(child.ref.namespace).id,
      workflowExecution: {
        workflowId: child.ref.workflowId,
        runId: child.ref.runId,
      },
      // The parent knows the child by the type that it started, whatever goes on as new.
      workflowType: { name: pending.workflowType },
      initiatedEventId: long(origin.initiatedEventId),
      startedEventId: pending.startedEventId === undefined ? null : long(pending.startedEventId),
    }),
  );
  ensureWorkflowTask(parent);
}

function childEvent(
  closing: HistoryEvent,
  common: NonNullable<HistoryEvent['childWorkflowExecutionTerminatedEventAttributes']>,
): EventAttributes {
  const completed = closing.workflowExecutionCompletedEventAttributes;
  if (completed) {
    return {
      childWorkflowExecutionCompletedEventAttributes: { result: completed.result ?? null, ...common },
    };
  }
  const failed = closing.workflowExecutionFailedEventAttributes;
  if (failed) {
    return {
      childWorkflowExecutionFailedEventAttributes: {
        failure: failed.failure ?? null,
        ...common,
        retryState: failed.retryState ?? RetryState.RETRY_STATE_UNSPECIFIED,
      },
    };
  }
  const canceled = closing.workflowExecutionCanceledEventAttributes;
  if (canceled) {
    return {
      childWorkflowExecutionCanceledEventAttributes: { details: canceled.details ?? null, ...common },
    };
  }
  const timedOut = closing.workflowExecutionTimedOutEventAttributes;
  if (timedOut) {
    return {
      childWorkflowExecutionTimedOutEventAttributes: {
        ...common,
        retryState: timedOut.retryState ?? RetryState.RETRY_STATE_UNSPECIFIED,
      },
    };
  }
  return { childWorkflowExecutionTerminatedEventAttributes: common };
}

/** Applies the parent close policy of a closed parent to one child that was still open. */
export function closeChild(
  runs: RunRegistry,
  parent: MutableState,
  transfer: Extract<TransferRecord, { kind: 'close-child' }>,
): void {
  const child = findExternal(runs, parent, {
    namespace: parent.ref.namespace,
    execution: transfer.child,
    childWorkflowOnly: true,
  });
  if (!child) return;
  if (transfer.policy === ParentClosePolicy.PARENT_CLOSE_POLICY_REQUEST_CANCEL) {
    requestCancel(child, {
      identity: 'history-service',
      requestId: newId(),
      initiator: { execution: { workflowId: parent.ref.workflowId, runId: parent.ref.runId } },
    });
  } else {
    terminateRun(child, { reason: 'by parent close policy', identity: 'history-service' });
  }
}
