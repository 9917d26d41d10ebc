import type { temporal } from '@temporalio/proto';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { endStartDelay } from '../mutable-state/schedule-workflow-task.ts';
import { type Started, startResponse, startRun } from '../runs/start-run.ts';
import { type StartValidation, validWorkflowId, validateStart } from '../runs/start-request.ts';
import { type Signal, recordSignal, signalRun, requestCancel } from '../runs/signal.ts';
import { LONGEST_ID, bytesOf, checkRequestId, isTooLong } from '../protocol/id-length.ts';
import { checkLinks } from '../protocol/links.ts';
import { EventType, WorkflowIdConflictPolicy } from '../protocol/proto.ts';
import { editOpenRun, editRun, findRun, findRunOfChain, validExecution } from '../runs/find-run.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { invalidArgument, unavailable } from '../protocol/rpc-error.ts';
import { sizeOfPayloads } from '../commands/payload-size.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { newId } from '../primitives/ids.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import {
  type WorkflowTaskServices,
  recordWorkflowTaskStarted,
  workflowTaskResponse,
} from '../workflow-tasks/start.ts';
import type { HandlerServices } from './handler-services.ts';
import { terminateRun } from '../runs/close-run.ts';

type SignalRequest = temporal.api.workflowservice.v1.ISignalWorkflowExecutionRequest;
type SignalWithStartRequest = temporal.api.workflowservice.v1.ISignalWithStartWorkflowExecutionRequest;

/** What starting and signalling runs takes. */
export interface StartServices extends StartValidation {
  readonly runs: RunRegistry;
}

/** The methods that start and signal runs. */
export function startHandlers(services: StartServices & WorkflowTaskServices): WorkflowHandlers {
  const { runs } = services;
  return {
    StartWorkflowExecution: (request) => {
      const valid = validateStart(services, request);
      const eager = request.requestEagerExecution === true && valid.backoffMs === 0;
      const started = runs.transact(() => {
        const result = startRun(services, { ...valid, ...(eager && { eager }) });
        if (eager && result.isNew) startFirstTask(services, result.state, valid.identity ?? '');
        return result;
      });
      const response = startResponse(started);
      if (!eager || !started.isNew) return response;
      return { ...response, eagerWorkflowTask: workflowTaskResponse(services, started.state, false) };
    },
    SignalWorkflowExecution: (request) => {
      services.namespaces.get(request.namespace ?? '');
      validExecution(request.workflowExecution);
      if (!request.signalName) throw invalidArgument('SignalName is not set on request.');
      if (isTooLong(request.signalName)) throw invalidArgument('SignalName length exceeds limit.');
      checkRequestId(request.requestId);
      checkLinks(request.links);
      checkBlob(services, request.input);
      const found = findRun(services, request.namespace, request.workflowExecution);
      const signal = toSignal(request);
      runs.transact(() => signalRun(editOpenRun(runs, found), signal));
      return { link: signalLink(found.ref, signal) };
    },
    SignalWithStartWorkflowExecution: (request) => signalWithStart(services, request),
  };
}

/** Records that the client's own worker has the first workflow task. If the answer is lost, the task times out. */
function startFirstTask(services: WorkflowTaskServices, state: MutableState, identity: string): void {
  const task = state.record.workflowTask;
  if (!task) throw new Error(`run ${state.ref.runId} has no first workflow task`);
  recordWorkflowTaskStarted(services, state, task, { identity, buildId: undefined }, newId());
}

function signalWithStart(
  services: StartServices,
  given: SignalWithStartRequest,
): temporal.api.workflowservice.v1.ISignalWithStartWorkflowExecutionResponse {
  services.namespaces.get(given.namespace ?? '');
  checkSignalWithStart(given);
  const request = { ...given, requestId: given.requestId || newId() };
  const start = validateStart(services, request);
  checkBlob(services, request.signalInput);
  const signal = toSignal({ ...request, input: request.signalInput ?? null });
  const conflictPolicy =
    start.conflictPolicy || WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_USE_EXISTING;
  const { runs } = services;
  const { state, started } = runs.transact((): Started => {
    const result = startRun(services, { ...start, conflictPolicy }, (created) => {
      recordSignal(created, signal);
    });
    if (!result.isNew && result.state.isRunning) {
      const existing = editRun(runs, result.state);
      signalRun(existing, signal);
      endStartDelay(existing);
    }
    return result;
  });
  return {
    runId: state.ref.runId,
    firstExecutionRunId: state.record.firstRunId,
    ...(started && { started }),
    signalLink: signalLink(state.ref, signal),
  };
}

/** Checks what is refused in other words than those of a start or a signal alone. */
function checkSignalWithStart(request: SignalWithStartRequest): void {
  validWorkflowId(request.workflowId);
  const short = (text: string | null | undefined, name: string): void => {
    if (!isTooLong(text)) return;
    throw invalidArgument(`${name} exceeds maximum allowed length (${bytesOf(text ?? '')}/${LONGEST_ID})`);
  };
  if (!request.signalName) throw invalidArgument('signal not set');
  short(request.signalName, 'signal name');
  if (!request.workflowType?.name) throw invalidArgument('workflow type not set');
  short(request.workflowType.name, 'workflow type name');
  short(request.requestId, 'Request ID');
  if (request.workflowIdConflictPolicy === WorkflowIdConflictPolicy.WORKFLOW_ID_CONFLICT_POLICY_FAIL) {
    throw invalidArgument(
      'Invalid WorkflowIDConflictPolicy: WORKFLOW_ID_CONFLICT_POLICY_FAIL is not supported for this operation.',
    );
  }
}

/** Names the event of a signal by its request. */
function signalLink(
  { namespace, workflowId, runId }: RunRef,
  { requestId }: Signal,
): temporal.api.common.v1.ILink {
  const eventType = EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED;
  return {
    workflowEvent: { namespace, workflowId, runId, requestIdRef: { requestId: requestId ?? '', eventType } },
  };
}

function checkBlob(
  { limits }: StartServices,
  payloads: temporal.api.common.v1.IPayloads | null | undefined,
): void {
  if (sizeOfPayloads(payloads) > limits.blobBytes) throw invalidArgument('Blob data size exceeds limit.');
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

/** The methods that end runs from outside. */
export function controlHandlers(
  services: Pick<HandlerServices, 'runs' | 'namespaces' | 'group'>,
): WorkflowHandlers {
  const { runs, group } = services;
  return {
    RequestCancelWorkflowExecution: (request) => {
      const { namespace, workflowExecution, firstExecutionRunId } = request;
      const found = findRunOfChain(services, namespace, workflowExecution, firstExecutionRunId);
      checkLinks(request.links);
      if (!found.isRunning || found.record.cancelRequested) return {};
      runs.transact(() =>
        requestCancel(editRun(runs, found), {
          identity: request.identity ?? '',
          requestId: request.requestId ?? '',
          cause: request.reason ?? '',
          links: request.links ?? [],
        }),
      );
      return {};
    },
    TerminateWorkflowExecution: (request) => {
      const { namespace, workflowExecution, firstExecutionRunId } = request;
      const found = findRunOfChain(services, namespace, workflowExecution, firstExecutionRunId);
      checkLinks(request.links);
      runs.transact(() =>
        terminateRun(editOpenRun(runs, found), {
          reason: request.reason || 'terminated by user via frontend',
          identity: request.identity || 'frontend-service',
          details: request.details ?? null,
          links: request.links ?? [],
        }),
      );
      return {};
    },
    DeleteWorkflowExecution: (request) => {
      const found = findRun(services, request.namespace, request.workflowExecution);
      runs.transact(() => {
        const state = editRun(runs, found);
        if (state.isRunning) {
          terminateRun(state, { reason: 'Delete workflow execution', identity: 'history-service' });
        }
      });
      // The parent and the children are informed first.
      group.flush();
      const ended = runs.peek(found.ref);
      if (ended?.isRunning || ended?.record.transfers.length) {
        throw unavailable('the run has others to inform of its end, so it is not deleted yet');
      }
      runs.transact(() => runs.delete(found.ref, found.key));
      // At once: until then the file has the run, and whoever looks for it would find and write it again.
      group.flush();
      return {};
    },
  };
}
