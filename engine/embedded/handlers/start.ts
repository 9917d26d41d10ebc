import type { temporal } from '@temporalio/proto';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { type Started, startResponse, startRun } from '../runs/start-run.ts';
import { type StartRequest, type StartValidation, validateStart } from '../runs/start-request.ts';
import { type Signal, recordSignal, signalRun } from '../runs/signal.ts';
import { WorkflowIdConflictPolicy } from '../protocol/proto.ts';
import { editOpenRun, editRun, findRun } from '../runs/find-run.ts';
import type { Handlers } from '../rpc/call.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';

type SignalRequest = temporal.api.workflowservice.v1.ISignalWorkflowExecutionRequest;
type SignalWithStartRequest = temporal.api.workflowservice.v1.ISignalWithStartWorkflowExecutionRequest;

/** What starting and signalling runs takes. */
export interface StartServices extends StartValidation {
  readonly runs: RunRegistry;
}

/** The methods that start and signal runs. */
export function startHandlers(services: StartServices): Handlers {
  const { runs } = services;
  return {
    StartWorkflowExecution: (request: StartRequest) => {
      const start = validateStart(services, request);
      return startResponse(runs.transact(() => startRun(services, start)));
    },
    SignalWorkflowExecution: (request: SignalRequest) => {
      if (!request.signalName) {
        findRun(services, request.namespace, request.workflowExecution);
        throw invalidArgument('SignalName is not set on request.');
      }
      const signal = toSignal(request);
      const found = findRun(services, request.namespace, request.workflowExecution);
      runs.transact(() => signalRun(editOpenRun(runs, found), signal));
      return {};
    },
    SignalWithStartWorkflowExecution: (request: SignalWithStartRequest) => {
      if (!request.signalName) throw invalidArgument('signal not set');
      return signalWithStart(services, request);
    },
  };
}

function signalWithStart(
  services: StartServices,
  request: SignalWithStartRequest,
): { runId: string; started?: boolean } {
  const start = validateStart(services, request);
  const signal = toSignal({ ...request, input: request.signalInput ?? null });
  const conflictPolicy =
    start.conflictPolicy || WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING;
  const { runs } = services;
  const { state, started } = runs.transact((): Started => {
    const result = startRun(services, { ...start, conflictPolicy }, (created) => {
      recordSignal(created, signal);
    });
    if (!result.isNew && result.state.isRunning) signalRun(editRun(runs, result.state), signal);
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
