import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';

/** Finds the open run that a workflow addresses, for editing; undefined when there is none that it may address. */
export function findExternal(
  runs: RunRegistry,
  sender: MutableState,
  target: {
    namespace: string;
    execution: temporal.api.common.v1.IWorkflowExecution | null | undefined;
    childWorkflowOnly: boolean;
  },
): MutableState | undefined {
  const { namespace, execution, childWorkflowOnly } = target;
  const workflowId = execution?.workflowId ?? '';
  const currentRunId = runs.currentRunId(namespace, workflowId);
  if (currentRunId === undefined) return undefined;
  // The parent knows a child by its first run; the run to address is the newest of that chain.
  const current = runs.peek({ namespace, workflowId, runId: currentRunId });
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
  return runs.edit(current.ref);
}
