import { operatorHandlers } from './search-attributes.ts';
import { visibilityHandlers } from './visibility.ts';
import type { Handler, Handlers } from '../rpc/call.ts';
import { ADMIN_SERVICE } from '../../histories/admin-service.ts';
import { adminHandlers } from './admin.ts';
import { activityTaskHandlers } from './activity-task.ts';
import { activityControlHandlers } from './activity-control.ts';
import { batchHandlers } from './batch.ts';
import { controlHandlers, startHandlers } from './runs.ts';
import { describeHandlers } from './describe.ts';
import type { HandlerServices } from './handler-services.ts';
import { grpc } from '../protocol/proto.ts';
import { historyHandlers } from './history.ts';
import { multiOperationHandlers } from './multi-operation.ts';
import { namespaceHandlers } from './namespaces.ts';
import { pauseHandlers } from './pause.ts';
import { queryHandlers } from './query.ts';
import { scheduleHandlers } from './schedules.ts';
import { resetHandlers } from './reset.ts';
import { standaloneActivityHandlers } from './standalone-activities.ts';
import { systemHandlers } from './system.ts';
import { taskQueueHandlers } from './task-queues.ts';
import { testServiceHandlers } from './test-service.ts';
import { updateHandlers } from './update.ts';
import { executionOptionsHandlers } from './execution-options.ts';
import { workerDeploymentHandlers } from './worker-deployments.ts';
import { workerHandlers } from './worker.ts';
import { workflowTaskHandlers } from './workflow-task.ts';

/** Every RPC that this engine serves. All others answer UNIMPLEMENTED. */
export function grpcServices(services: HandlerServices): Record<string, Handlers> {
  return {
    'temporal.api.workflowservice.v1.WorkflowService': {
      ...systemHandlers(services),
      ...namespaceHandlers(services),
      ...taskQueueHandlers(services),
      ...startHandlers(services),
      ...controlHandlers(services),
      ...resetHandlers(services),
      ...pauseHandlers(services),
      ...batchHandlers(services),
      ...describeHandlers(services),
      ...historyHandlers(services),
      ...workflowTaskHandlers(services),
      ...activityTaskHandlers(services),
      ...activityControlHandlers(services),
      ...queryHandlers(services),
      ...updateHandlers(services),
      ...multiOperationHandlers(services),
      ...workerHandlers(services),
      ...workerDeploymentHandlers(services),
      ...executionOptionsHandlers(services),
      ...scheduleHandlers(services),
      ...standaloneActivityHandlers(services),
      ...listingHandlers(services),
    },
    'temporal.api.operatorservice.v1.OperatorService': {
      ...operatorHandlers(services.searchAttributes, (namespace) => {
        services.namespaces.get(namespace);
      }),
    },
    [ADMIN_SERVICE]: adminHandlers(services),
    ...(services.skipper && {
      'temporal.api.testservice.v1.TestService': testServiceHandlers(services.skipper),
    }),
    // An engine that can answer serves.
    'grpc.health.v1.Health': {
      Check: () => ({ status: grpc.health.v1.HealthCheckResponse.ServingStatus.SERVING }),
    },
  };
}

/** Makes listings flush first, because they read the database file. */
function listingHandlers(services: HandlerServices): Handlers {
  const handlers: Handlers = { ...visibilityHandlers(services.visibility) };
  const listing = Object.entries(handlers).map(([name, handler]): [string, Handler] => [
    name,
    (request, call) => {
      const { namespace } = request as { namespace?: string | null };
      services.namespaces.get(namespace ?? '');
      services.group.flush();
      return handler(request, call);
    },
  ]);
  return Object.fromEntries(listing);
}
