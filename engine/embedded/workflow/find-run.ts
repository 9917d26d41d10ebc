import type { temporal } from '@temporalio/proto';
import { isUuid } from '../ids.ts';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { invalidArgument, notFound } from '../rpc/errors.ts';

type Execution = temporal.api.common.v1.IWorkflowExecution | null | undefined;

/** The run that a request names, or the newest one of its workflow id; throws as the server does when there is none. */
export function findRun(
  kernel: Kernel,
  namespace: string | null | undefined,
  execution: Execution,
  texts: { invalidRunId?: string } = {},
): MutableState {
  const { name } = kernel.namespaces.get(namespace ?? '');
  const workflowId = execution?.workflowId ?? '';
  const runId = execution?.runId ?? '';
  if (workflowId === '') throw invalidArgument('WorkflowId is not set on request.');
  if (runId !== '' && !isUuid(runId)) throw invalidArgument(texts.invalidRunId ?? 'Invalid RunId.');
  const wanted = runId === '' ? kernel.runs.currentRunId(name, workflowId) : runId;
  const state =
    wanted === undefined ? undefined : kernel.runs.peek({ namespace: name, workflowId, runId: wanted });
  if (state) return state;
  if (kernel.runs.currentRunId(name, workflowId) === undefined) {
    throw notFound(`workflow not found for ID: ${workflowId}`);
  }
  throw notFound(`workflow execution not found for workflow ID "${workflowId}" and run ID "${runId}"`);
}

/** As `findRun`, for requests that may name the chain by its first run instead of the run. */
export function findRunOfChain(
  kernel: Kernel,
  namespace: string | null | undefined,
  execution: Execution,
  firstExecutionRunId: string | null | undefined,
): MutableState {
  const state = findRun(kernel, namespace, execution);
  if (firstExecutionRunId && state.record.firstRunId !== firstExecutionRunId) {
    throw notFound('workflow execution not found');
  }
  return state;
}

/** The run for changing, within a transaction, or NOT_FOUND when it is closed. */
export function editOpenRun(kernel: Kernel, found: MutableState): MutableState {
  if (!found.isRunning) throw notFound('workflow execution already completed');
  return editRun(kernel, found);
}

export function editRun(kernel: Kernel, found: MutableState): MutableState {
  const state = kernel.runs.edit(found.ref);
  if (!state) throw notFound(`workflow not found for ID: ${found.ref.workflowId}`);
  return state;
}
