import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../../kernel.ts';
import { requestCancel } from '../../workflow/cancel.ts';
import { editOpenRun, editRun, findRun, findRunOfChain } from '../../workflow/find-run.ts';
import { terminateRun } from '../../workflow/terminate.ts';
import type { Handlers } from '../call.ts';

type CancelRequest = temporal.api.workflowservice.v1.IRequestCancelWorkflowExecutionRequest;
type TerminateRequest = temporal.api.workflowservice.v1.ITerminateWorkflowExecutionRequest;
type DeleteRequest = temporal.api.workflowservice.v1.IDeleteWorkflowExecutionRequest;

/** Ending runs from outside. */
export function controlHandlers(kernel: Kernel): Handlers {
  return {
    RequestCancelWorkflowExecution: (request: CancelRequest) => {
      const { namespace, workflowExecution, firstExecutionRunId } = request;
      const found = findRunOfChain(kernel, namespace, workflowExecution, firstExecutionRunId);
      if (!found.isRunning || found.record.cancelRequested) return {};
      kernel.runs.transact(() =>
        requestCancel(kernel, editRun(kernel, found), {
          identity: request.identity ?? '',
          requestId: request.requestId ?? '',
          cause: request.reason ?? '',
        }),
      );
      return {};
    },
    TerminateWorkflowExecution: (request: TerminateRequest) => {
      const { namespace, workflowExecution, firstExecutionRunId } = request;
      const found = findRunOfChain(kernel, namespace, workflowExecution, firstExecutionRunId);
      kernel.runs.transact(() =>
        terminateRun(kernel, editOpenRun(kernel, found), {
          reason: request.reason || 'terminated by user via frontend',
          identity: request.identity || 'frontend-service',
          details: request.details ?? null,
        }),
      );
      return {};
    },
    DeleteWorkflowExecution: (request: DeleteRequest) => {
      const found = findRun(kernel, request.namespace, request.workflowExecution);
      kernel.runs.transact(() => {
        const state = editRun(kernel, found);
        if (state.isRunning) {
          terminateRun(kernel, state, { reason: 'Delete workflow execution', identity: 'history-service' });
        }
      });
      kernel.group.flush(); // What the end of the run owes to its parent and children goes first.
      kernel.runs.transact(() => {
        kernel.runs.delete(found.ref, found.key);
        kernel.group.write(() => kernel.visibility.delete(found.ref.namespace, found.ref.runId));
        kernel.timers.set(found.key, found.ref, undefined);
      });
      return {};
    },
  };
}
