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
import { toMs } from '../protocol/values.ts';
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
  const { runs, updates, limits, namespaces } = services;
  namespaces.get(request.namespace ?? '');
  const [first, second, ...rest] = request.operations ?? [];
  const start = first?.startWorkflow;
  const update = second?.updateWorkflow;
  if (!start || !update || rest.length > 0) {
    throw invalidArgument('Operations have to be exactly [Start, Update].');
  }
  const checkedStart = attempt(() => {
    checkNamespace(start, request);
    return validateMultiStart(services, start, request);
  });
  const checkedUpdate = attempt(() => {
    checkNamespace(update, request);
    const updateId = validateUpdate(update);
    checkUpdate(update);
    // Only two operations that are right in themselves can contradict each other.
    if (checkedStart.error === undefined) checkSameWorkflow(start, update);
    return updateId;
  });
  if (checkedStart.error || checkedUpdate.error) {
    throw multiOperationError(checkedStart.error, checkedUpdate.error);
  }
  const validStart = checkedStart.value;
  const updateId = checkedUpdate.value;
  // The operation that failed decides where the error stands in the answer; the other one was aborted.
  let hasStarted = false;
  try {
    const { started, handle } = runs.transact(() => {
      const result = startRun(services, validStart);
      hasStarted = true;
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
    const failed = rpcError(error);
    throw hasStarted ? multiOperationError(undefined, failed) : multiOperationError(failed, undefined);
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
  if (start.cronSchedule) throw invalidArgument('CronSchedule is not allowed.');
  if (start.requestEagerExecution) throw invalidArgument('RequestEagerExecution is not supported.');
  if (toMs(start.workflowStartDelay) > 0) throw invalidArgument('WorkflowStartDelay is not supported.');
  const { WORKFLOW_ID_CONFLICT_POLICY_FAIL: FAIL } = WorkflowIdConflictPolicy;
  return { ...valid, conflictPolicy: valid.conflictPolicy || FAIL };
}

function checkNamespace({ namespace }: { readonly namespace?: string | null }, request: Request): void {
  if (namespace && namespace !== request.namespace) {
    throw invalidArgument("Operation namespace did not match request's namespace.");
  }
}

function checkUpdate(update: UpdateRequest): void {
  if (update.firstExecutionRunId) throw invalidArgument('FirstExecutionRunId is not allowed.');
  if (update.workflowExecution?.runId) throw invalidArgument('RunId is not allowed.');
}

function checkSameWorkflow(start: StartRequest, update: UpdateRequest): void {
  if (start.workflowId !== update.workflowExecution?.workflowId) {
    throw invalidArgument('WorkflowId is not consistent with previous operation(s).');
  }
}

type Attempt<T> = { readonly value: T; readonly error?: undefined } | { readonly error: RpcError };

function attempt<T>(check: () => T): Attempt<T> {
  try {
    return { value: check() };
  } catch (error) {
    return { error: rpcError(error) };
  }
}

const rpcError = (error: unknown): RpcError => (error instanceof RpcError ? error : internalError(error));

/** Makes the error of the whole, which tells of each operation; one that did not fail itself was aborted. */
function multiOperationError(start: RpcError | undefined, update: RpcError | undefined): RpcError {
  const [first] = [start, update].filter((error) => error !== undefined);
  return new RpcError(first?.code ?? status.INTERNAL, 'Update-with-Start could not be executed.', [
    {
      typeName: 'temporal.api.errordetails.v1.MultiOperationExecutionFailure',
      value: { statuses: [start, update].map(operationStatus) },
    },
  ]);
}

function operationStatus(error: RpcError | undefined): object {
  if (error) return { code: error.code, message: error.message, details: error.details.map(toAny) };
  return {
    code: status.ABORTED,
    message: 'Operation was aborted.',
    details: [toAny({ typeName: 'temporal.api.failure.v1.MultiOperationExecutionAborted', value: {} })],
  };
}
