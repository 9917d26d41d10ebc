import type { MutableState } from '../mutable-state/mutable-state.ts';
import { long } from '../protocol/values.ts';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';
import { ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';

interface CancelRequest {
  readonly identity: string;
  readonly requestId: string;
  readonly cause?: string;
  readonly initiator?: { readonly execution: WorkflowExecutionRef; readonly initiatedEventId?: number };
}

/** Requests the workflow to cancel; a second request changes nothing. */
export function requestCancel(state: MutableState, request: CancelRequest): void {
  const { record } = state;
  if (!state.isRunning || record.cancelRequested) return;
  record.cancelRequested = true;
  record.cancelRequestId = request.requestId;
  const initiatedEventId = request.initiator?.initiatedEventId;
  state.receive({
    workflowExecutionCancelRequestedEventAttributes: {
      cause: request.cause ?? '',
      identity: request.identity,
      externalWorkflowExecution: request.initiator?.execution ?? null,
      externalInitiatedEventId: initiatedEventId === undefined ? null : long(initiatedEventId),
    },
  });
  ensureWorkflowTask(state);
}
