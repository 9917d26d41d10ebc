import type { temporal } from '@temporalio/proto';
import { invalidArgument, notFound } from '../protocol/rpc-error.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { workerQuery } from '../workers/worker-query.ts';
import type { WorkerHeartbeat } from '../workers/worker-registry.ts';
import type { HandlerServices } from './handler-services.ts';

type ListItem = temporal.api.worker.v1.IWorkerListInfo;

/** The methods by which workers tell of themselves and leave, and by which others learn of them. */
export function workerHandlers({
  namespaces,
  matching,
  workers,
}: Pick<HandlerServices, 'namespaces' | 'matching' | 'workers'>): WorkflowHandlers {
  return {
    RecordWorkerHeartbeat: (request) => {
      const { name } = namespaces.get(request.namespace ?? '');
      for (const heartbeat of request.workerHeartbeat ?? []) workers.record(name, heartbeat);
      return {};
    },
    ListWorkers: (request) => {
      if (!request.namespace) throw invalidArgument('Namespace is empty.');
      const { name } = namespaces.get(request.namespace);
      const fits = workerQuery(request.query ?? '');
      const after = keyOf(request.nextPageToken);
      const found = workers
        .list(name)
        .filter(
          (worker) => (after === undefined || (worker.workerInstanceKey ?? '') > after) && fits(worker),
        );
      const size = request.pageSize ?? 0;
      const page = size > 0 ? found.slice(0, size) : found;
      return {
        workersInfo: page.map((workerHeartbeat) => ({ workerHeartbeat })),
        workers: page.map(listItem),
        ...(page.length < found.length && { nextPageToken: tokenOf(page.at(-1)) }),
      };
    },
    DescribeWorker: (request) => {
      const { name } = namespaces.get(request.namespace ?? '');
      const key = request.workerInstanceKey ?? '';
      const workerHeartbeat = workers.get(name, key);
      if (workerHeartbeat === undefined) throw notFound(`Worker ${key} not found`);
      return { workerInfo: { workerHeartbeat } };
    },
    ShutdownWorker: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const identity = request.identity ?? '';
      if (request.workerHeartbeat) workers.record(namespace, request.workerHeartbeat);
      if (request.taskQueue) matching.releasePollers(namespace, request.taskQueue, identity);
      if (request.stickyTaskQueue) matching.shutDownSticky(namespace, request.stickyTaskQueue);
      return {};
    },
  };
}

function listItem(worker: WorkerHeartbeat): ListItem {
  const { workerInstanceKey, workerIdentity, taskQueue, deploymentVersion, sdkName, sdkVersion } = worker;
  const { status, startTime, hostInfo, plugins } = worker;
  return {
    workerInstanceKey: workerInstanceKey ?? '',
    workerIdentity: workerIdentity ?? '',
    taskQueue: taskQueue ?? '',
    deploymentVersion: deploymentVersion ?? null,
    sdkName: sdkName ?? '',
    sdkVersion: sdkVersion ?? '',
    status: status ?? 0,
    startTime: startTime ?? null,
    hostName: hostInfo?.hostName ?? '',
    workerGroupingKey: hostInfo?.workerGroupingKey ?? '',
    processId: hostInfo?.processId ?? '',
    plugins: plugins ?? [],
  };
}

/** A page's token holds the key of its last worker, as that of the real server. */
function tokenOf(worker: WorkerHeartbeat | undefined): Uint8Array {
  return Buffer.from(JSON.stringify({ l: worker?.workerInstanceKey ?? '' }));
}

function keyOf(token: Uint8Array | null | undefined): string | undefined {
  if (!token?.length) return undefined;
  try {
    const { l } = JSON.parse(Buffer.from(token).toString('utf8')) as { l?: unknown };
    if (typeof l === 'string') return l;
  } catch {
    // What is no JSON is no token.
  }
  throw invalidArgument('invalid next_page_token');
}
