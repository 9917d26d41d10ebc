import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../../kernel.ts';
import { type Started, startResponse, startRun } from '../../workflow/start-run.ts';
import { type StartRequest, validateStart } from '../../workflow/start-request.ts';
import { type Signal, recordSignal, signalRun } from '../../workflow/signal.ts';
import { WorkflowIdConflictPolicy } from '../../proto.ts';
import { editOpenRun, editRun, findRun } from '../../workflow/find-run.ts';
import type { Handlers } from '../call.ts';
import { invalidArgument } from '../errors.ts';

type SignalRequest = temporal.api.workflowservice.v1.ISignalWorkflowExecutionRequest;
type SignalWithStartRequest = temporal.api.workflowservice.v1.ISignalWithStartWorkflowExecutionRequest;

/** Starting and signalling runs. */
export function startHandlers(kernel: Kernel): Handlers {
  return {
    StartWorkflowExecution: (request: StartRequest) => {
      const start = validateStart(kernel, request);
      return startResponse(kernel.runs.transact(() => startRun(kernel, start)));
    },
    SignalWorkflowExecution: (request: SignalRequest) => {
      if (!request.signalName) {
        findRun(kernel, request.namespace, request.workflowExecution);
        throw invalidArgument('SignalName is not set on request.');
      }
      const signal = toSignal(request);
      const found = findRun(kernel, request.namespace, request.workflowExecution);
      kernel.runs.transact(() => signalRun(kernel, editOpenRun(kernel, found), signal));
      return {};
    },
    SignalWithStartWorkflowExecution: (request: SignalWithStartRequest) => {
      if (!request.signalName) throw invalidArgument('signal not set');
      return signalWithStart(kernel, request);
    },
  };
}

function signalWithStart(
  kernel: Kernel,
  request: SignalWithStartRequest,
): { runId: string; started?: boolean } {
  const start = validateStart(kernel, request);
  const signal = toSignal({ ...request, input: request.signalInput ?? null });
  const conflictPolicy =
    start.conflictPolicy || WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING;
  const { state, started } = kernel.runs.transact((): Started => {
    const result = startRun(kernel, { ...start, conflictPolicy }, (created) => {
      recordSignal(created, signal);
    });
    if (!result.isNew && result.state.isRunning) signalRun(kernel, editRun(kernel, result.state), signal);
    return result;
  });
  return { runId: state.ref.runId, ...(started && { started }) };
}

function toSignal(request: SignalRequest): Signal {
  return {
    name: request.signalName ?? '',
    input: request.input ?? null,
    header: request.header ?? null,
    identity: request.identity ?? '',
    requestId: request.requestId ?? '',
    links: request.links ?? [],
  };
}
