import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import { WorkflowExecutionStatus } from '../protocol/proto.ts';
import { abandonWorkflowTask, closeRun } from './close-run.ts';

interface Termination {
  readonly reason: string;
  readonly identity: string;
  readonly details?: temporal.api.common.v1.IPayloads | null;
}

/** Ends the run at once, without a task for its workflow. */
export function terminateRun(state: MutableState, termination: Termination): void {
  abandonWorkflowTask(state);
  closeRun(state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED, {
    workflowExecutionTerminatedEventAttributes: {
      reason: termination.reason,
      identity: termination.identity,
      details: termination.details ?? null,
    },
  });
}

/** Terminates the run that has a workflow id now, because another one starts under that id. */
export function terminateForReuse(runs: RunRegistry, existing: MutableState): void {
  const state = runs.edit(existing.ref);
  if (!state) return;
  terminateRun(state, { reason: 'TerminateIfRunning WorkflowIdReusePolicy', identity: 'history-service' });
}
