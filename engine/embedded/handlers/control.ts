import type { temporal } from '@temporalio/proto';
import type { HandlerServices } from './handler-services.ts';
import { requestCancel } from '../runs/cancel.ts';
import { editOpenRun, editRun, findRun, findRunOfChain } from '../runs/find-run.ts';
import { terminateRun } from '../runs/terminate.ts';
import type { Handlers } from '../rpc/call.ts';

type CancelRequest = temporal.api.workflowservice.v1.IRequestCancelWorkflowExecutionRequest;
type TerminateRequest = temporal.api.workflowservice.v1.ITerminateWorkflowExecutionRequest;
type DeleteRequest = temporal.api.workflowservice.v1.IDeleteWorkflowExecutionRequest;

/** The methods that end runs from outside. */
export function controlHandlers(services: Pick<HandlerServices, 'runs' | 'namespaces' | 'group'>): Handlers {
  const { runs, group } = services;
  return {
    RequestCancelWorkflowExecution: (request: CancelRequest) => {
      const { namespace, workflowExecution, firstExecutionRunId } = request;
      const found = findRunOfChain(services, namespace, workflowExecution, firstExecutionRunId);
      if (!found.isRunning || found.record.cancelRequested) return {};
      runs.transact(() =>
        requestCancel(editRun(runs, found), {
          identity: request.identity ?? '',
          requestId: request.requestId ?? '',
          cause: request.reason ?? '',
        }),
      );
      return {};
    },
    TerminateWorkflowExecution: (request: TerminateRequest) => {
      const { namespace, workflowExecution, firstExecutionRunId } = request;
      const found = findRunOfChain(services, namespace, workflowExecution, firstExecutionRunId);
      runs.transact(() =>
        terminateRun(editOpenRun(runs, found), {
          reason: request.reason || 'terminated by user via frontend',
          identity: request.identity || 'frontend-service',
          details: request.details ?? null,
        }),
      );
      return {};
    },
    DeleteWorkflowExecution: (request: DeleteRequest) => {
      const found = findRun(services, request.namespace, request.workflowExecution);
      runs.transact(() => {
        const state = editRun(runs, found);
        if (state.isRunning) {
          terminateRun(state, { reason: 'Delete workflow execution', identity: 'history-service' });
        }
      });
      // The parent and the children are informed first.
      group.flush();
      runs.transact(() => runs.delete(found.ref, found.key));
      return {};
    },
  };
}
