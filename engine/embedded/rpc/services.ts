import type { Kernel } from '../kernel.ts';
import { operatorHandlers } from '../visibility/operator-service.ts';
import { visibilityHandlers } from '../visibility/rpc.ts';
import type { Handler, Handlers } from './call.ts';
import { activityTaskHandlers } from './handlers/activity-task.ts';
import { controlHandlers } from './handlers/control.ts';
import { describeHandlers } from './handlers/describe.ts';
import { healthHandlers } from './handlers/health.ts';
import { historyHandlers } from './handlers/history.ts';
import { multiOperationHandlers } from './handlers/multi-operation.ts';
import { queryHandlers } from './handlers/query.ts';
import { startHandlers } from './handlers/start.ts';
import { systemHandlers } from './handlers/system.ts';
import { updateHandlers } from './handlers/update.ts';
import { workerHandlers } from './handlers/worker.ts';
import { workflowTaskHandlers } from './handlers/workflow-task.ts';

/** Every RPC this engine serves. All others answer UNIMPLEMENTED. */
export function services(kernel: Kernel): Record<string, Handlers> {
  return {
    'temporal.api.workflowservice.v1.WorkflowService': {
      ...systemHandlers(kernel),
      ...startHandlers(kernel),
      ...controlHandlers(kernel),
      ...describeHandlers(kernel),
      ...historyHandlers(kernel),
      ...workflowTaskHandlers(kernel),
      ...activityTaskHandlers(kernel),
      ...queryHandlers(kernel),
      ...updateHandlers(kernel),
      ...multiOperationHandlers(kernel),
      ...workerHandlers(kernel),
      ...listingHandlers(kernel),
    },
    'temporal.api.operatorservice.v1.OperatorService': byMethodName(
      operatorHandlers(kernel.searchAttributes, (namespace) => {
        kernel.namespaces.get(namespace);
      }),
    ),
    'grpc.health.v1.Health': healthHandlers(),
  };
}

/** Visibility is read from the file, so everything written so far goes there first. */
function listingHandlers(kernel: Kernel): Handlers {
  const handlers = byMethodName(visibilityHandlers(kernel.visibility));
  const listing = Object.entries(handlers).map(([name, handler]): [string, Handler] => [
    name,
    (request, call) => {
      const { namespace } = request as { namespace?: string | null };
      kernel.namespaces.get(namespace ?? '');
      kernel.group.flush();
      return handler(request, call);
    },
  ]);
  return Object.fromEntries(listing);
}

/** `listSearchAttributes` -> `ListSearchAttributes` */
function byMethodName(handlers: object): Handlers {
  const entries = Object.entries(handlers) as [string, Handler][];
  return Object.fromEntries(
    entries.map(([name, handler]) => [name.charAt(0).toUpperCase() + name.slice(1), handler]),
  );
}
