import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { PauseRecord } from '../mutable-state/record.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { LATE_TEXTS, type RunLookup, editOpenRun, findRun } from '../runs/find-run.ts';
import { pauseRun, unpauseRun } from '../runs/pause.ts';

type Request =
  | temporal.api.workflowservice.v1.IPauseWorkflowExecutionRequest
  | temporal.api.workflowservice.v1.IUnpauseWorkflowExecutionRequest;
type Change = (state: MutableState, request: Omit<PauseRecord, 'time'>) => void;

/** The length of each text of a request at most. */
const LONGEST = 1000;

/** The methods that pause whole runs. */
export function pauseHandlers(services: RunLookup): WorkflowHandlers {
  const change = (request: Request, apply: Change): object => {
    const identity = short(request.identity, 'identity');
    const reason = short(request.reason, 'reason');
    const requestId = short(request.requestId, 'request id');
    const { workflowId, runId } = request;
    const execution = { workflowId: workflowId ?? '', runId: runId ?? '' };
    const found = findRun(services, request.namespace, execution, LATE_TEXTS);
    services.runs.transact(() => {
      apply(editOpenRun(services.runs, found), { identity, reason, requestId });
    });
    return {};
  };
  return {
    PauseWorkflowExecution: (request) => change(request, pauseRun),
    UnpauseWorkflowExecution: (request) => change(request, unpauseRun),
  };
}

function short(text: string | null | undefined, name: string): string {
  if ((text ?? '').length > LONGEST) throw invalidArgument(`${name} is too long.`);
  return text ?? '';
}
