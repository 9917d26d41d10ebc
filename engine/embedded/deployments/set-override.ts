import { redispatchWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import type { VersioningRecord } from '../mutable-state/record.ts';
import { overrideMessage } from './run-versioning.ts';

/** Decides which version's workers get a run's tasks; without an override the run decides again. */
export function setOverride(state: MutableState, override: VersioningRecord['override']): void {
  const { override: before, ...rest } = state.record.versioning ?? { used: [] };
  if (override === undefined && before === undefined) return;
  state.receive(
    {
      workflowExecutionOptionsUpdatedEventAttributes:
        override === undefined
          ? { unsetVersioningOverride: true }
          : { versioningOverride: overrideMessage(override) },
    },
    { workerMayIgnore: true },
  );
  state.record.versioning = { ...rest, ...(override && { override }) };
  state.visibilityChanged = true;
  const task = state.record.workflowTask;
  // A task that waits goes to the workers that are to have it now.
  if (task && !task.handedOut) redispatchWorkflowTask(state, task);
}
