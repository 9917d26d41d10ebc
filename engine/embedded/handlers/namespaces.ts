import type { temporal } from '@temporalio/proto';
import type { BadBinary, Namespace } from '../persistence/namespace-registry.ts';
import { NamespaceState } from '../protocol/proto.ts';
import { invalidArgument } from '../protocol/rpc-error.ts';
import { duration, long, timestamp, toMs } from '../protocol/values.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import type { HandlerServices } from './handler-services.ts';

type Info = temporal.api.workflowservice.v1.IDescribeNamespaceResponse;
type UpdateRequest = temporal.api.workflowservice.v1.IUpdateNamespaceRequest;
type Services = Pick<HandlerServices, 'namespaces' | 'searchAttributes' | 'limits' | 'runs'>;

const DEFAULT_PAGE = 100;

/** The methods by which namespaces are registered, described, changed and deprecated. */
export function namespaceHandlers(services: Services): WorkflowHandlers {
  const { namespaces } = services;
  return {
    DescribeNamespace: ({ namespace, id }) => {
      if (!namespace && !id) throw notSet();
      return describe(services, namespace ? namespaces.get(namespace) : namespaces.byId(id ?? ''));
    },
    ListNamespaces: ({ pageSize, nextPageToken }) => {
      const all = namespaces.all();
      const after = Buffer.from(nextPageToken ?? []).toString('utf8');
      // A token of nobody's finds nothing, as on the real server.
      const start = after === '' ? 0 : all.findIndex(({ id }) => id === after) + 1 || all.length;
      const page = all.slice(start, start + (pageSize || DEFAULT_PAGE));
      const isLast = start + page.length >= all.length;
      return {
        namespaces: page.map((namespace) => describe(services, namespace)),
        ...(isLast ? {} : { nextPageToken: Buffer.from(page.at(-1)?.id ?? '') }),
      };
    },
    UpdateNamespace: (request) => {
      if (!request.namespace) throw notSet();
      const before = namespaces.get(request.namespace);
      return describe(
        services,
        namespaces.update(before.name, changeOf(before, request, services.runs.now())),
      );
    },
    DeprecateNamespace: ({ namespace }) => {
      if (!namespace) throw notSet();
      namespaces.update(namespace, { state: NamespaceState.NAMESPACE_STATE_DEPRECATED });
      return {};
    },
    RegisterNamespace: (request) => {
      if (request.isGlobalNamespace)
        throw invalidArgument('Cannot register global namespace when not enabled');
      namespaces.register({
        name: request.namespace ?? '',
        description: request.description ?? '',
        ownerEmail: request.ownerEmail ?? '',
        retentionMs: toMs(request.workflowExecutionRetentionPeriod),
        data: request.data ?? {},
      });
      return {};
    },
  };
}

function changeOf(before: Namespace, request: UpdateRequest, now: number): Partial<Namespace> {
  const { updateInfo, config, deleteBadBinary, promoteNamespace, namespace } = request;
  if (promoteNamespace)
    throw invalidArgument(
      `global namespace is not enabled on this cluster, cannot update global namespace or promote local namespace: ${namespace}`,
    );
  const retention = config?.workflowExecutionRetentionTtl;
  const added = Object.entries(config?.badBinaries?.binaries ?? {}).map(
    ([checksum, { reason, operator }]): [string, BadBinary] => [
      checksum,
      { reason: reason ?? '', operator: operator ?? '', createdAt: now },
    ],
  );
  const badBinaries = { ...before.badBinaries, ...Object.fromEntries(added) };
  if (deleteBadBinary) {
    if (!(deleteBadBinary in badBinaries))
      throw invalidArgument(`Bad binary checksum ${deleteBadBinary} doesn't exists.`);
    Reflect.deleteProperty(badBinaries, deleteBadBinary);
  }
  return {
    badBinaries,
    ...(updateInfo?.description && { description: updateInfo.description }),
    ...(updateInfo?.ownerEmail && { ownerEmail: updateInfo.ownerEmail }),
    ...(updateInfo?.data && { data: { ...before.data, ...updateInfo.data } }),
    ...(updateInfo?.state && { state: updateInfo.state }),
    ...(retention && { retentionMs: toMs(retention) }),
  };
}

function describe({ searchAttributes, limits }: Services, namespace: Namespace): Info {
  const { name, id, state, description, ownerEmail, data, retentionMs, badBinaries } = namespace;
  return {
    namespaceInfo: {
      name,
      state,
      description,
      ownerEmail,
      data,
      id,
      capabilities: {
        eagerWorkflowStart: true,
        syncUpdate: true,
        asyncUpdate: true,
        workerHeartbeats: true,
        workflowPause: true,
        standaloneActivities: true,
        standaloneActivityOperatorCommands: true,
        standaloneActivityStartDelay: true,
      },
      limits: {
        blobSizeLimitError: long(limits.blobBytes),
        memoSizeLimitError: long(limits.memoBytes),
      },
      supportsSchedules: true,
    },
    config: {
      workflowExecutionRetentionTtl: duration(retentionMs),
      badBinaries: {
        binaries: Object.fromEntries(
          Object.entries(badBinaries).map(([checksum, { reason, operator, createdAt }]) => [
            checksum,
            { reason, operator, createTime: timestamp(createdAt) },
          ]),
        ),
      },
      historyArchivalState: 1,
      visibilityArchivalState: 1,
      customSearchAttributeAliases: searchAttributes.aliases(name),
    },
    replicationConfig: { activeClusterName: 'active', clusters: [{ clusterName: 'active' }], state: 1 },
  };
}

const notSet = (): Error => invalidArgument('Namespace not set on request.');
