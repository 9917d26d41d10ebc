import { invalidArgument } from '../protocol/rpc-error.ts';
import { toNumber } from '../protocol/values.ts';
import { postOperations } from '../resets/post-operations.ts';
import { reappliedOf } from '../resets/reapply-events.ts';
import { resetRun } from '../resets/reset-run.ts';
import type { RunServices } from '../runs/create-run.ts';
import { findRun, validExecution } from '../runs/find-run.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';

/** The method that sets a run back to an earlier workflow task. */
export function resetHandlers(
  services: Pick<RunServices, 'runs' | 'namespaces' | 'deployments'>,
): WorkflowHandlers {
  const { runs, namespaces, deployments } = services;
  return {
    ResetWorkflowExecution: (request) => {
      namespaces.get(request.namespace ?? '');
      validExecution(request.workflowExecution);
      if (!request.requestId) throw invalidArgument('RequestId is not set on request.');
      const base = findRun(services, request.namespace, request.workflowExecution);
      const { namespace } = base.ref;
      const { taskQueue } = base.record;
      const prepare = postOperations(deployments, { namespace, taskQueue }, request.postResetOperations);
      const { ref } = runs.transact(() =>
        resetRun(services, base, {
          finishEventId: toNumber(request.workflowTaskFinishEventId),
          reason: request.reason ?? '',
          requestId: request.requestId ?? '',
          reapplied: reappliedOf(request.resetReapplyType, request.resetReapplyExcludeTypes),
          prepare,
        }),
      );
      return { runId: ref.runId };
    },
  };
}
