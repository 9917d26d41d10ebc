import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../kernel.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';

/** The open run that a workflow addresses, for editing; undefined when there is none (for it). */
export function findExternal(
  kernel: Kernel,
  sender: MutableState,
  target: {
    namespace: string;
    execution: temporal.api.common.v1.IWorkflowExecution | null | undefined;
    childWorkflowOnly: boolean;
  },
): MutableState | undefined {
  const { namespace, execution, childWorkflowOnly } = target;
  const workflowId = execution?.workflowId ?? '';
  const currentRunId = kernel.runs.currentRunId(namespace, workflowId);
  if (currentRunId === undefined) return undefined;
  // A child is known to its parent by its first run; the run to address is the newest of that chain.
  const current = kernel.runs.peek({ namespace, workflowId, runId: currentRunId });
  if (!current?.isRunning) return undefined;
  const wanted = execution?.runId ?? '';
  if (
    wanted !== '' &&
    wanted !== currentRunId &&
    !(childWorkflowOnly && current.record.firstRunId === wanted)
  ) {
    return undefined;
  }
  const isChild = current.record.parent?.runId === sender.ref.runId;
  if (childWorkflowOnly && !isChild) return undefined;
  return kernel.runs.edit(current.ref);
}
