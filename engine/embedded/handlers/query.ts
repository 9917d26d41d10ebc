import type { temporal } from '@temporalio/proto';
import { sizeOfPayloads } from '../commands/payload-size.ts';
import { QueryRejectCondition, WorkflowExecutionStatus } from '../protocol/proto.ts';
import { type QueryServices, dispatchQuery } from '../queries/dispatch.ts';
import type { PendingQuery, QueryOutcome } from '../queries/query-registry.ts';
import { type RunLookup, findRun, validExecution } from '../runs/find-run.ts';
import { isFailing } from '../workflow-tasks/fail.ts';
import { type Call, type WorkflowHandlers, waitFor } from '../rpc/call.ts';
import {
  deadlineExceeded,
  failingTask,
  invalidArgument,
  queryFailed,
  workflowNotReady,
} from '../protocol/rpc-error.ts';

type Request = temporal.api.workflowservice.v1.IQueryWorkflowRequest;
type Response = temporal.api.workflowservice.v1.IQueryWorkflowResponse;

export function queryHandlers(services: QueryServices & RunLookup): WorkflowHandlers {
  return { QueryWorkflow: (request, call) => queryWorkflow(services, request, call) };
}

/**
 * Queries a workflow. A workflow task that is due carries the query, so that its answer is consistent with everything
 * before; without one, the query goes to a worker by itself.
 */
async function queryWorkflow(
  services: QueryServices & RunLookup,
  request: Request,
  call: Call,
): Promise<Response> {
  const { queries } = services;
  services.namespaces.get(request.namespace ?? '');
  validExecution(request.execution);
  if (!request.query) throw invalidArgument('WorkflowQuery is not set on request.');
  if (!request.query.queryType) throw invalidArgument('QueryType is not set on request.');
  if (sizeOfPayloads(request.query.queryArgs) > services.limits.blobBytes) {
    throw invalidArgument('Blob data size exceeds limit.');
  }
  const state = findRun(services, request.namespace, request.execution);
  // Whatever the query's own condition is.
  if (state.shownStatus === WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_PAUSED) {
    return { queryRejected: { status: state.shownStatus } };
  }
  if (isRejected(state.record.status, request.queryRejectCondition ?? 0)) {
    return { queryRejected: { status: state.record.status } };
  }
  const { record, ref } = state;
  if (!state.isRunning && record.lastStartedEventId === 0) {
    throw workflowNotReady('Workflow execution closed before WorkflowTaskStarted event');
  }
  if (isFailing(state)) throw failingTask();
  const query = request.query;
  let pending: PendingQuery | undefined;
  const outcome = await waitFor<QueryOutcome>(call, call.timeLeftMs(), (resolve) => {
    pending = queries.add(ref, query, resolve);
    const waitsForTask =
      state.isRunning && (record.workflowTask !== undefined || record.lastStartedEventId === 0);
    if (waitsForTask) queries.buffer(pending);
    else dispatchQuery(services, pending);
    return () => pending && queries.remove(pending);
  });
  if (!outcome) throw deadlineExceeded('query timed out before a worker could process it');
  switch (outcome.kind) {
    case 'answered':
      return { queryResult: outcome.result ?? {} };
    case 'failed':
      throw queryFailed(outcome.message, outcome.failure);
    case 'error':
      throw outcome.error;
  }
}

function isRejected(status: number, condition: number): boolean {
  const { WORKFLOW_EXECUTION_STATUS_COMPLETED, WORKFLOW_EXECUTION_STATUS_RUNNING } = WorkflowExecutionStatus;
  switch (condition) {
    case QueryRejectCondition.QUERY_REJECT_CONDITION_NOT_OPEN:
      return status !== WORKFLOW_EXECUTION_STATUS_RUNNING;
    case QueryRejectCondition.QUERY_REJECT_CONDITION_NOT_COMPLETED_CLEANLY:
      return status !== WORKFLOW_EXECUTION_STATUS_RUNNING && status !== WORKFLOW_EXECUTION_STATUS_COMPLETED;
    default:
      return false;
  }
}
