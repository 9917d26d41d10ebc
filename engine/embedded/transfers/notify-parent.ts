import type { EventAttributes, HistoryEvent } from '../history/events.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { RetryState } from '../proto.ts';
import { long } from '../proto-values.ts';
import { wakeWorkflow } from '../workflow-task/schedule.ts';

/** Tells the parent how its child ended. */
export function notifyParent(kernel: Kernel, child: MutableState): void {
  const origin = child.record.parent;
  if (!origin) return;
  const parent = kernel.runs.edit(origin);
  const pending = parent?.record.children[origin.initiatedEventId];
  if (!parent?.isRunning || !pending) return;
  delete parent.record.children[origin.initiatedEventId];
  const closing = kernel.history.event(child.key, child.record.nextEventId - 1);
  parent.receive(
    childEvent(closing, {
      namespace: child.ref.namespace,
      namespaceId: kernel.namespaces.get(child.ref.namespace).id,
      workflowExecution: { workflowId: child.ref.workflowId, runId: pending.runId ?? child.ref.runId },
      workflowType: { name: child.record.workflowType },
      initiatedEventId: long(origin.initiatedEventId),
      startedEventId: pending.startedEventId === undefined ? null : long(pending.startedEventId),
    }),
  );
  wakeWorkflow(kernel, parent);
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
