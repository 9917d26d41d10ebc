import { overrideMessage, readOverride } from '../deployments/run-versioning.ts';
import { redispatchWorkflowTask } from '../mutable-state/schedule-workflow-task.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { type RunLookup, findRun } from '../runs/find-run.ts';

/** The method by which an operator decides which version's workers get a run's tasks. */
export function executionOptionsHandlers(services: RunLookup): WorkflowHandlers {
  const { runs } = services;
  return {
    UpdateWorkflowExecutionOptions: (request) => {
      const paths = request.updateMask?.paths ?? [];
      const unknown = paths.find((path) => path !== 'versioning_override' && path !== 'versioningOverride');
      if (unknown !== undefined) throw invalidArgument(`unsupported update mask path: ${unknown}`);
      const override = readOverride(request.workflowExecutionOptions?.versioningOverride);
      const found = findRun(services, request.namespace, request.workflowExecution);
      if (!found.isRunning) throw notFound('workflow execution already completed');
      if (paths.length > 0) {
        runs.transact(() => {
          const state = runs.edit(found.ref);
          if (!state) return;
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
        });
      }
      return {
        workflowExecutionOptions: override ? { versioningOverride: overrideMessage(override) } : {},
      };
    },
  };
}
