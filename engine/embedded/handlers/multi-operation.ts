import { status } from '@grpc/grpc-js';
import type { temporal } from '@temporalio/proto';
import { WorkflowIdConflictPolicy } from '../protocol/proto.ts';
import { admitUpdate } from '../updates/admit.ts';
import { editRun } from '../runs/find-run.ts';
import { startResponse, startRun } from '../runs/start-run.ts';
import { type StartRequest, validateStart } from '../runs/start-request.ts';
import type { Call, WorkflowHandlers } from '../rpc/call.ts';
import { RpcError, invalidArgument } from '../protocol/rpc-error.ts';
import { internalError, toAny } from '../rpc/status-details.ts';
import type { StartServices } from './runs.ts';
import { type UpdateRequest, type UpdateServices, awaitUpdate, validateUpdate, withId } from './update.ts';

type Request = temporal.api.workflowservice.v1.IExecuteMultiOperationRequest;
type Response = temporal.api.workflowservice.v1.IExecuteMultiOperationResponse;

export function multiOperationHandlers(services: UpdateServices & StartServices): WorkflowHandlers {
  return {
    ExecuteMultiOperation: (request, call) => executeMultiOperation(services, request, call),
  };
}

/** Starts or finds a workflow and updates it: both or none. */
async function executeMultiOperation(
  services: UpdateServices & StartServices,
  request: Request,
  call: Call,
): Promise<Response> {
  const { runs, updates, limits } = services;
  const [first, second, ...rest] = request.operations ?? [];
  const start = first?.startWorkflow;
  const update = second?.updateWorkflow;
  if (!start || !update || rest.length > 0) {
    throw invalidArgument('Operations have to be exactly [Start, Update].');
  }
  // The operation that failed decides where the error stands in the answer; the other one was aborted.
  let failing = 0;
  try {
    const validStart = validateMultiStart(services, start, request);
    failing = 1;
    const updateId = validateUpdate(update);
    checkSameWorkflow(start, update);
    failing = 0;
    const { started, handle } = runs.transact(() => {
      const result = startRun(services, validStart);
      failing = 1;
      const state = editRun(runs, result.state);
      return {
        started: result,
        handle: admitUpdate(updates, state, updateId, withId(update, updateId), limits.inFlightUpdates),
      };
    });
    const { ref } = started.state;
    const updated = await awaitUpdate(
      services,
      call,
      ref,
      updateId,
      handle,
      update.waitPolicy?.lifecycleStage,
    );
    return { responses: [{ startWorkflow: startResponse(started) }, { updateWorkflow: updated }] };
  } catch (error) {
    throw multiOperationError(error instanceof RpcError ? error : internalError(error), failing);
  }
}

function validateMultiStart(
  services: StartServices,
  start: StartRequest,
  request: Request,
): ReturnType<typeof validateStart> {
  const valid = validateStart(services, {
    ...start,
    namespace: start.namespace || (request.namespace ?? ''),
  });
  if (valid.conflictPolicy === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_UNSPECIFIED) {
    throw invalidArgument('WorkflowIdConflictPolicy is not set on request.');
  }
  return valid;
}

function checkSameWorkflow(start: StartRequest, update: UpdateRequest): void {
  if (start.workflowId !== update.workflowExecution?.workflowId) {
    throw invalidArgument('WorkflowId is not consistent with previous operation(s).');
  }
}

function multiOperationError(error: RpcError, failing: number): RpcError {
  const failed = { code: error.code, message: error.message, details: error.details.map(toAny) };
  const aborted = {
    code: status.ABORTED,
    message: 'Operation was aborted.',
    details: [toAny({ typeName: 'temporal.api.failure.v1.MultiOperationExecutionAborted', value: {} })],
  };
  return new RpcError(error.code, 'Update-with-Start could not be executed.', [
    {
      typeName: 'temporal.api.errordetails.v1.MultiOperationExecutionFailure',
      value: { statuses: failing === 0 ? [failed, aborted] : [aborted, failed] },
    },
  ]);
}
