import type { EventAttributes, HistoryEvent } from '../history/events.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunServices } from '../runs/run-services.ts';
import { RetryState } from '../protocol/proto.ts';
import { long } from '../protocol/values.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';

/** Reports to the parent how its child ended. */
export function notifyParent({ runs, namespaces }: RunServices, child: MutableState): void {
  const origin = child.record.parent;
  if (!origin) return;
  const parent = runs.edit(origin);
  const pending = parent?.record.children[origin.initiatedEventId];
  if (!parent?.isRunning || !pending) return;
  delete parent.record.children[origin.initiatedEventId];
  const closing = child.event(child.record.nextEventId - 1);
  parent.receive(
    childEvent(closing, {
      namespace: child.ref.namespace,
      namespaceId: namespaces.get(child.ref.namespace).id,
      workflowExecution: { workflowId: child.ref.workflowId, runId: pending.runId ?? child.ref.runId },
      workflowType: { name: child.record.workflowType },
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
