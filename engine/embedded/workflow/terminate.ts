import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { WorkflowExecutionStatus } from '../proto.ts';
import { abandonWorkflowTask, closeRun } from './close-run.ts';

export interface Termination {
  readonly reason: string;
  readonly identity: string;
  readonly details?: temporal.api.common.v1.IPayloads | null;
}

/** Ends the run at once, without asking its workflow. */
export function terminateRun(kernel: Kernel, state: MutableState, termination: Termination): void {
  abandonWorkflowTask(state);
  closeRun(kernel, state, WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_TERMINATED, {
    workflowExecutionTerminatedEventAttributes: {
      reason: termination.reason,
      identity: termination.identity,
      details: termination.details ?? null,
    },
  });
}
