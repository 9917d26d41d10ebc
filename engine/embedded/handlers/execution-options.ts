import { validOverride } from '../deployments/check-override.ts';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import { overrideMessage } from '../deployments/run-versioning.ts';
import { setOverride } from '../deployments/set-override.ts';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { type RunLookup, findRun } from '../runs/find-run.ts';

/** The method by which an operator decides which version's workers get a run's tasks. */
export function executionOptionsHandlers(
  services: RunLookup & { readonly deployments: DeploymentRegistry },
): WorkflowHandlers {
  const { runs, deployments } = services;
  return {
    UpdateWorkflowExecutionOptions: (request) => {
      services.namespaces.get(request.namespace ?? '');
      if (!request.workflowExecution?.workflowId) throw invalidArgument('WorkflowId is not set on request.');
      if (!request.updateMask) throw invalidArgument('UpdateMask is required');
      if (!request.workflowExecutionOptions) throw invalidArgument('WorkflowExecutionOptions is required');
      const paths = request.updateMask.paths ?? [];
      const unknown = paths.find((path) => path !== 'versioning_override' && path !== 'versioningOverride');
      if (unknown !== undefined) throw invalidArgument(`unsupported update mask path: ${unknown}`);
      const found = findRun(services, request.namespace, request.workflowExecution);
      if (!found.isRunning) throw notFound('workflow execution already completed');
      const { ref, record } = found;
      const override = validOverride(
        deployments,
        { namespace: ref.namespace, taskQueue: record.taskQueue },
        request.workflowExecutionOptions?.versioningOverride,
      );
      if (paths.length > 0) {
        runs.transact(() => {
          const state = runs.edit(found.ref);
          if (state) setOverride(state, override);
        });
      }
      return {
        workflowExecutionOptions: override ? { versioningOverride: overrideMessage(override) } : {},
      };
    },
  };
}
