import type { temporal } from '@temporalio/proto';
import { isUuid } from '../primitives/ids.ts';
import type { RunRef } from '../primitives/run-ref.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { NamespaceRegistry } from '../persistence/namespace-registry.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';

type Execution = temporal.api.common.v1.IWorkflowExecution | null | undefined;

/** What finding the run of a request takes. */
export interface RunLookup {
  readonly runs: RunRegistry;
  readonly namespaces: NamespaceRegistry;
}

/** What a request is told whose execution says nothing, or nothing that can be. */
interface Texts {
  readonly unset: string;
  readonly noWorkflowId: string;
  readonly invalidRunId: string;
}

const TEXTS: Texts = {
  unset: 'Execution is not set on request.',
  noWorkflowId: 'WorkflowId is not set on request.',
  invalidRunId: 'Invalid RunId.',
};

const NOT_LOADED = "Can't load workflow execution.  WorkflowId not set.";

/** The texts of those requests that only the part of the server looks at which has the runs. */
export const LATE_TEXTS: Texts = {
  unset: NOT_LOADED,
  noWorkflowId: NOT_LOADED,
  invalidRunId: 'RunId is not valid UUID.',
};

/** Checks the execution of a request before anything is looked for. */
export function validExecution(
  execution: Execution,
  texts: Texts = TEXTS,
): { readonly workflowId: string; readonly runId: string } {
  if (!execution) throw invalidArgument(texts.unset);
  const workflowId = execution.workflowId ?? '';
  const runId = execution.runId ?? '';
  if (workflowId === '') throw invalidArgument(texts.noWorkflowId);
  if (runId !== '' && !isUuid(runId)) throw invalidArgument(texts.invalidRunId);
  return { workflowId, runId };
}

/**
 * Finds the run that a request names, or the newest one of its workflow id; throws as the server does if there is none.
 */
export function findRun(
  { runs, namespaces }: RunLookup,
  namespace: string | null | undefined,
  execution: Execution,
  texts: Texts = TEXTS,
): MutableState {
  const { name } = namespaces.get(namespace ?? '');
  const { workflowId, runId } = validExecution(execution, texts);
  const wanted = runId === '' ? runs.currentRunId(name, workflowId) : runId;
  const state = wanted === undefined ? undefined : runs.peek({ namespace: name, workflowId, runId: wanted });
  if (state) return state;
  if (runId === '') throw notFound(`workflow not found for ID: ${workflowId}`);
  throw notFound(`workflow execution not found for workflow ID "${workflowId}" and run ID "${runId}"`);
}

/** Finds a run as `findRun` does, for requests that may also name the first run of its chain. */
export function findRunOfChain(
  lookup: RunLookup,
  namespace: string | null | undefined,
  execution: Execution,
  firstExecutionRunId: string | null | undefined,
): MutableState {
  const state = findRun(lookup, namespace, execution);
  if (firstExecutionRunId && state.record.firstRunId !== firstExecutionRunId) {
    throw notFound('workflow execution not found');
  }
  return state;
}

/** Answers the run that goes on for one that was reset: the newest that a reset made of it, or the run itself. */
export function newestReset(runs: RunRegistry, { namespace, workflowId, runId }: RunRef): RunRef {
  const next = runs.peek({ namespace, workflowId, runId })?.record.resetRunId;
  if (next === undefined) return { namespace, workflowId, runId };
  return newestReset(runs, { namespace, workflowId, runId: next });
}

/** Answers the run for changing it within a transaction; throws NOT_FOUND when it is closed. */
export function editOpenRun(runs: RunRegistry, found: MutableState): MutableState {
  if (!found.isRunning) throw notFound('workflow execution already completed');
  return editRun(runs, found);
}

export function editRun(runs: RunRegistry, found: MutableState): MutableState {
  const state = runs.edit(found.ref);
  if (!state) throw notFound(`workflow not found for ID: ${found.ref.workflowId}`);
  return state;
}
