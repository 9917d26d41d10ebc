import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import {
  WorkflowExecutionStatus,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '../protocol/proto.ts';
import { type RpcError, workflowAlreadyStarted } from '../protocol/rpc-error.ts';

interface IdRequest {
  readonly namespace: string;
  readonly workflowId: string;
  readonly requestId: string;
  readonly reusePolicy: number;
  readonly conflictPolicy: number;
}

/** What a start does, given the run that has the workflow id now. */
type IdDecision =
  | { readonly kind: 'start' }
  | { readonly kind: 'terminate-then-start'; readonly existing: MutableState }
  /** The same request came again, so it is answered as the first time. */
  | { readonly kind: 'same-request'; readonly runId: string; readonly existing: MutableState }
  | { readonly kind: 'use-existing'; readonly existing: MutableState }
  | { readonly kind: 'refuse'; readonly error: RpcError };

/** Applies the workflow id reuse policy (closed runs) and conflict policy (open runs). */
export function resolveExistingRun(runs: RunRegistry, request: IdRequest): IdDecision {
  const { namespace, workflowId } = request;
  const runId = runs.currentRunId(namespace, workflowId);
  const existing = runId === undefined ? undefined : runs.peek({ namespace, workflowId, runId });
  if (runId === undefined || !existing) return { kind: 'start' };
  if (request.requestId !== '' && knowsRequest(existing, request.requestId)) {
    return { kind: 'same-request', runId, existing };
  }
  return existing.isRunning ? resolveOpen(existing, request) : resolveClosed(existing, request);
}

/** Whether a request has started the run, or was attached to it. */
function knowsRequest({ record }: MutableState, requestId: string): boolean {
  return record.startRequestId === requestId || record.attachedRequests?.[requestId] !== undefined;
}

function resolveOpen(existing: MutableState, request: IdRequest): IdDecision {
  const terminates =
    request.reusePolicy === WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_TERMINATE_IF_RUNNING ||
    request.conflictPolicy === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_TERMINATE_EXISTING;
  if (terminates) return { kind: 'terminate-then-start', existing };
  if (request.conflictPolicy === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING) {
    return { kind: 'use-existing', existing };
  }
  return refuse(existing, 'Workflow execution is already running.', '');
}

function resolveClosed(existing: MutableState, request: IdRequest): IdDecision {
  switch (request.reusePolicy) {
    case WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE:
      return refuse(
        existing,
        'Workflow execution already finished.',
        ' Workflow Id reuse policy: reject duplicate workflow Id.',
      );
    case WorkflowIdReusePolicy.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE_FAILED_ONLY:
      return existing.record.status === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_COMPLETED
        ? refuse(
            existing,
            'Workflow execution already finished successfully.',
            ' Workflow Id reuse policy: allow duplicate workflow Id if last run failed.',
          )
        : { kind: 'start' };
    default:
      return { kind: 'start' };
  }
}

function refuse(existing: MutableState, what: string, policy: string): IdDecision {
  const { workflowId, runId } = existing.ref;
  return {
    kind: 'refuse',
    error: workflowAlreadyStarted(`${what} WorkflowId: ${workflowId}, RunId: ${runId}.${policy}`, {
      startRequestId: existing.record.startRequestId,
      runId,
      firstExecutionRunId: existing.record.firstRunId,
    }),
  };
}
