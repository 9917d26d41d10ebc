import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { WorkflowExecutionRef } from '../primitives/run-ref.ts';
import { endStartDelay, ensureWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { long } from '../protocol/values.ts';

export interface Signal {
  readonly name: string;
  readonly input?: temporal.api.common.v1.IPayloads | null;
  readonly header?: temporal.api.common.v1.IHeader | null;
  readonly identity?: string;
  readonly requestId?: string;
  readonly links?: temporal.api.common.v1.ILink[];
  /** The workflow that sent the signal, if one did. */
  readonly sender?: WorkflowExecutionRef;
}

/** How many request ids are remembered for each run; the oldest are forgotten first. */
const REMEMBERED_REQUESTS = 256;

/** Signals the run, once for each request id. */
export function signalRun(state: MutableState, signal: Signal): void {
  if (!recordSignal(state, signal)) return;
  ensureWorkflowTask(state);
}

/** Writes the event only; answers false when this request was seen before. */
export function recordSignal(state: MutableState, signal: Signal): boolean {
  const { record } = state;
  const { requestId } = signal;
  if (requestId) {
    if (record.signalRequestIds.includes(requestId)) return false;
    record.signalRequestIds.push(requestId);
    if (record.signalRequestIds.length > REMEMBERED_REQUESTS) record.signalRequestIds.shift();
  }
  state.receive(
    {
      workflowExecutionSignaledEventAttributes: {
        signalName: signal.name,
        input: signal.input ?? null,
        identity: signal.identity ?? '',
        header: signal.header ?? null,
        requestId: requestId ?? '',
        externalWorkflowExecution: signal.sender ?? null,
      },
    },
    { links: signal.links ?? [] },
  );
  return true;
}

interface CancelRequest {
  readonly identity: string;
  readonly requestId: string;
  readonly cause?: string;
  readonly links?: temporal.api.common.v1.ILink[];
  readonly initiator?: { readonly execution: WorkflowExecutionRef; readonly initiatedEventId?: number };
}

/** Requests the workflow to cancel; a second request changes nothing. */
export function requestCancel(state: MutableState, request: CancelRequest): void {
  const { record } = state;
  if (!state.isRunning || record.cancelRequested) return;
  record.cancelRequested = true;
  record.cancelRequestId = request.requestId;
  const initiatedEventId = request.initiator?.initiatedEventId;
  state.receive(
    {
      workflowExecutionCancelRequestedEventAttributes: {
        cause: request.cause ?? '',
        identity: request.identity,
        externalWorkflowExecution: request.initiator?.execution ?? null,
        externalInitiatedEventId: initiatedEventId === undefined ? null : long(initiatedEventId),
      },
    },
    { links: request.links ?? [] },
  );
  endStartDelay(state);
  ensureWorkflowTask(state);
}
