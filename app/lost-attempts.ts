import type { Connection } from '@temporalio/client';
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

/**
 * Tells Temporal, when a step comes here for another time, that the worker which had its workflow in memory may be lost. The
 * workflow's next task is then offered to every worker at once, where it would wait for that one first. Where it is not lost, the
 * workflow is replayed, which takes milliseconds.
 */
export function releaseWorkflows(connection: Connection, namespace: string): ActivityInterceptorsFactory {
  return ({ info }) => ({
    inbound: {
      execute(input, next) {
        const { workflowId, runId } = info.workflowExecution ?? {};
        if (info.attempt > 1 && workflowId !== undefined) {
          // Without it everything takes a little longer.
          connection.workflowService
            .resetStickyTaskQueue({ namespace, execution: { workflowId, runId: runId ?? '' } })
            .catch(() => undefined);
        }
        return next(input);
      },
    },
  });
}
