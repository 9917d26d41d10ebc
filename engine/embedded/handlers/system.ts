import type { temporal } from '@temporalio/proto';
import type { HandlerServices } from './handler-services.ts';
import { duration, long, toMs } from '../protocol/values.ts';
import type { Namespace } from '../persistence/namespace-registry.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';

type Info = temporal.api.workflowservice.v1.IDescribeNamespaceResponse;

/** The version of the server whose behaviour this engine follows. */
const SERVER_VERSION = '1.32.0';

/** The methods that describe the engine and its namespaces. The capabilities leave out what is not implemented. */
export function systemHandlers({
  namespaces,
  searchAttributes,
  clusterId,
  limits,
}: Pick<HandlerServices, 'namespaces' | 'searchAttributes' | 'clusterId' | 'limits'>): WorkflowHandlers {
  const describe = (namespace: Namespace): Info => ({
    namespaceInfo: {
      name: namespace.name,
      state: 1,
      description: namespace.description,
      ownerEmail: namespace.ownerEmail,
      id: namespace.id,
      capabilities: { eagerWorkflowStart: true, syncUpdate: true, asyncUpdate: true },
      limits: {
        blobSizeLimitError: long(limits.blobBytes),
        memoSizeLimitError: long(limits.memoBytes),
      },
    },
    config: {
      workflowExecutionRetentionTtl: duration(namespace.retentionMs),
      historyArchivalState: 1,
      visibilityArchivalState: 1,
      customSearchAttributeAliases: searchAttributes.aliases(namespace.name),
    },
    replicationConfig: { activeClusterName: 'active', clusters: [{ clusterName: 'active' }] },
  });
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
    DescribeNamespace: ({ namespace, id }) => {
      if (!namespace && !id) throw invalidArgument('Namespace not set on request.');
      return describe(namespace ? namespaces.get(namespace) : namespaces.byId(id ?? ''));
    },
    ListNamespaces: () => ({ namespaces: namespaces.all().map(describe) }),
    UpdateNamespace: ({ namespace, updateInfo, config }) => {
      if (!namespace) throw invalidArgument('Namespace not set on request.');
      const retention = config?.workflowExecutionRetentionTtl;
      return describe(
        namespaces.update(namespace, {
          ...(updateInfo?.description && { description: updateInfo.description }),
          ...(updateInfo?.ownerEmail && { ownerEmail: updateInfo.ownerEmail }),
          ...(retention && { retentionMs: toMs(retention) }),
        }),
      );
    },
    RegisterNamespace: (request) => {
      namespaces.register({
        name: request.namespace ?? '',
        description: request.description ?? '',
        ownerEmail: request.ownerEmail ?? '',
        retentionMs: toMs(request.workflowExecutionRetentionPeriod),
      });
      return {};
    },
  };
}
