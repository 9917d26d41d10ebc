import type { temporal } from '@temporalio/proto';
import { validOverride } from '../deployments/check-override.ts';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import { setOverride } from '../deployments/set-override.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';

type Operation = temporal.api.workflow.v1.IPostResetOperation;

/**
 * Checks what is to follow a reset and answers what does it to the new run; undefined where nothing is to. The server knows one
 * operation, which says what version's workers get the run.
 */
export function postOperations(
  deployments: DeploymentRegistry,
  run: { readonly namespace: string; readonly taskQueue: string },
  operations: readonly Operation[] | null | undefined,
): ((state: MutableState) => void) | undefined {
  const overrides = (operations ?? []).map(({ updateWorkflowOptions, signalWorkflow }) => {
    if (!updateWorkflowOptions) {
      const kind = signalWorkflow ? '*workflow.PostResetOperation_SignalWorkflow_' : '<nil>';
      throw invalidArgument(`unsupported post reset operation: ${kind}`);
    }
    return validOverride(
      deployments,
      run,
      updateWorkflowOptions.workflowExecutionOptions?.versioningOverride,
    );
  });
  if (overrides.length === 0) return undefined;
  return (state) => {
    for (const override of overrides) setOverride(state, override);
  };
}
