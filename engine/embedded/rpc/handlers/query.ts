import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../../kernel.ts';
import { QueryRejectCondition, WorkflowExecutionStatus } from '../../proto.ts';
import { dispatchQuery } from '../../queries/dispatch.ts';
import type { PendingQuery, QueryOutcome } from '../../queries/query-registry.ts';
import { findRun } from '../../workflow/find-run.ts';
import { type Call, type Handlers, waitFor } from '../call.ts';
import { deadlineExceeded, invalidArgument, queryFailed, workflowNotReady } from '../errors.ts';

type Request = temporal.api.workflowservice.v1.IQueryWorkflowRequest;
type Response = temporal.api.workflowservice.v1.IQueryWorkflowResponse;

export function queryHandlers(kernel: Kernel): Handlers {
  return { QueryWorkflow: (request: Request, call: Call) => queryWorkflow(kernel, request, call) };
}

/**
 * Asks a workflow. With a workflow task due, the query goes along with it, so that its answer is consistent with
 * everything before; with none, it goes to a worker on its own.
 */
async function queryWorkflow(kernel: Kernel, request: Request, call: Call): Promise<Response> {
  const state = findRun(kernel, request.namespace, request.execution);
  if (!request.query?.queryType) throw invalidArgument('QueryType is not set on request.');
  if (isRejected(state.record.status, request.queryRejectCondition ?? 0)) {
    return { queryRejected: { status: state.record.status } };
  }
  const { record, ref } = state;
  if (!state.isRunning && record.lastStartedEventId === 0) {
    throw workflowNotReady('Workflow execution closed before WorkflowTaskStarted event');
  }
  const query = request.query;
  let pending: PendingQuery | undefined;
  const outcome = await waitFor<QueryOutcome>(call, call.timeLeftMs(), (resolve) => {
    pending = kernel.queries.add(ref, query, resolve);
    const waitsForTask =
      state.isRunning && (record.workflowTask !== undefined || record.lastStartedEventId === 0);
    if (waitsForTask) kernel.queries.buffer(pending);
    else dispatchQuery(kernel, pending);
    return () => pending && kernel.queries.remove(pending);
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
