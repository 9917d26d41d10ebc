import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { long } from '../proto-values.ts';
import type { WorkflowExecutionRef } from '../types.ts';
import { wakeWorkflow } from '../workflow-task/schedule.ts';

export interface CancelRequest {
  readonly identity: string;
  readonly requestId: string;
  readonly cause?: string;
  readonly initiator?: { readonly execution: WorkflowExecutionRef; readonly initiatedEventId?: number };
}

/** Asks the workflow to cancel; a second request changes nothing. */
export function requestCancel(kernel: Kernel, state: MutableState, request: CancelRequest): void {
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
  wakeWorkflow(kernel, state);
}
