import type { temporal } from '@temporalio/proto';
import { invalidArgument, unimplemented } from '../protocol/rpc-error.ts';
import { toNumber } from '../protocol/values.ts';
import { reappliedOf } from '../resets/reapply-events.ts';
import { resetRun } from '../resets/reset-run.ts';
import type { RunServices } from '../runs/create-run.ts';
import { findRun, validExecution } from '../runs/find-run.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';

type PostOperation = temporal.api.workflow.v1.IPostResetOperation;

/** The method that sets a run back to an earlier workflow task. */
export function resetHandlers(services: Pick<RunServices, 'runs' | 'namespaces'>): WorkflowHandlers {
  const { runs, namespaces } = services;
  return {
    ResetWorkflowExecution: (request) => {
      namespaces.get(request.namespace ?? '');
      validExecution(request.workflowExecution);
      if (!request.requestId) throw invalidArgument('RequestId is not set on request.');
      const base = findRun(services, request.namespace, request.workflowExecution);
      refuse(request.postResetOperations?.[0]);
      const { ref } = runs.transact(() =>
        resetRun(services, base, {
          finishEventId: toNumber(request.workflowTaskFinishEventId),
          reason: request.reason ?? '',
          requestId: request.requestId ?? '',
          reapplied: reappliedOf(request.resetReapplyType, request.resetReapplyExcludeTypes),
        }),
      );
      return { runId: ref.runId };
    },
  };
}

/** The server knows one operation that follows a reset, which is about worker versions. */
function refuse(operation: PostOperation | undefined): void {
  if (!operation) return;
  if (operation.updateWorkflowOptions) throw unimplemented('UpdateWorkflowExecutionOptions');
  const kind = operation.signalWorkflow ? '*workflow.PostResetOperation_SignalWorkflow_' : '<nil>';
  throw invalidArgument(`unsupported post reset operation: ${kind}`);
}
