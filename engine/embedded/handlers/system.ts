import type { HandlerServices } from './handler-services.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';

/** The version of the server whose behaviour this engine follows. */
const SERVER_VERSION = '1.32.0';

/** The methods that describe the engine. The capabilities leave out what is not implemented. */
export function systemHandlers({ clusterId }: Pick<HandlerServices, 'clusterId'>): WorkflowHandlers {
  return {
    GetSystemInfo: () => ({
      serverVersion: SERVER_VERSION,
      capabilities: {
        signalAndQueryHeader: true,
        internalErrorDifferentiation: true,
        activityFailureIncludeHeartbeat: true,
        supportsSchedules: true,
        encodedFailureAttributes: true,
        buildIdBasedVersioning: true,
        upsertMemo: true,
        eagerWorkflowStart: true,
        sdkMetadata: true,
        countGroupByExecutionStatus: true,
        nexus: false,
        serverScaledDeployments: false,
      },
    }),
    GetClusterInfo: () => ({
      supportedClients: { 'temporal-typescript': '<2.0.0' },
      serverVersion: SERVER_VERSION,
      clusterId,
      clusterName: 'active',
      historyShardCount: 1,
      persistenceStore: 'sqlite',
      visibilityStore: 'sqlite',
    }),
  };
}
