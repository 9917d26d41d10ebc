import type { temporal } from '@temporalio/proto';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import { versionMessage, versionText } from '../deployments/version.ts';
import { versionRef } from '../deployments/views.ts';
import {
  BuildIdTaskReachability,
  DescribeTaskQueueMode,
  RateLimitSource,
  TaskQueueType,
  WorkerVersioningMode,
} from '../protocol/proto.ts';
import { duration, long, timestamp } from '../protocol/values.ts';
import type { Matching } from '../queues/matching.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { validTaskQueue } from '../protocol/task-queue-name.ts';
import type { HandlerServices } from './handler-services.ts';

type Request = temporal.api.workflowservice.v1.IDescribeTaskQueueRequest;
type Response = temporal.api.workflowservice.v1.IDescribeTaskQueueResponse;
type TypeInfo = temporal.api.taskqueue.v1.ITaskQueueTypeInfo;
type Type = temporal.api.enums.v1.TaskQueueType;
type Queue = ReturnType<Matching['activityQueue']> | ReturnType<Matching['workflowQueue']>;
/** The queue of a name by the type of its tasks; undefined for types that no task here has. */
type QueueOf = (type: Type) => Queue | undefined;
/** The same with the queues of each version. */
type QueuesOf = (type: Type) => readonly Queue[];

/** No queue is limited here; this is what the server tells of one without a limit. */
const RATE_PER_SECOND = 100_000;
/** The rate that the server says it limits a queue to where nobody has set another. */
const UNLIMITED: Response['effectiveRateLimit'] = {
  requestsPerSecond: 4_000,
  rateLimitSource: RateLimitSource.RATE_LIMIT_SOURCE_SYSTEM,
};
/** The key of the default priority. */
const NORMAL_PRIORITY = 3;
/** The seconds of the year 1, which stand for "never". */
const NEVER = -62_135_596_800_000;

/** The methods that describe task queues: as clients ask today, and in the form that they are to use from now on. */
export function taskQueueHandlers({
  namespaces,
  matching,
  deployments,
}: Pick<HandlerServices, 'namespaces' | 'matching' | 'deployments'>): WorkflowHandlers {
  return {
    DescribeTaskQueue: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const queueOf: QueueOf = (type) => {
        if (type === TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY) return matching.activityQueue(namespace, name);
        if (type === TaskQueueType.TASK_QUEUE_TYPE_NEXUS) return undefined;
        return matching.workflowQueue(namespace, name);
      };
      if (request.apiMode === DescribeTaskQueueMode.DESCRIBE_TASK_QUEUE_MODE_ENHANCED)
        return describeVersions(queueOf, request);
      const queuesOf: QueuesOf = (type) => {
        if (type === TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY) return matching.activityQueues(namespace, name);
        if (type === TaskQueueType.TASK_QUEUE_TYPE_NEXUS) return [];
        return matching.workflowQueues(namespace, name);
      };
      const type = request.taskQueueType || TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;
      return {
        ...describeQueue(queuesOf(type), request),
        effectiveRateLimit: UNLIMITED,
        versioningInfo: versioningInfo(deployments.routing(namespace, name, type)),
      };
    },
    ListTaskQueuePartitions: (request) => {
      namespaces.get(request.namespace ?? '');
      const partitions = [{ key: validTaskQueue(request.taskQueue), ownerHostName: 'localhost' }];
      return { activityTaskQueuePartitions: partitions, workflowTaskQueuePartitions: partitions };
    },
  };
}

function versioningInfo({
  deployment,
  current,
  ramping,
}: ReturnType<DeploymentRegistry['routing']>): temporal.api.taskqueue.v1.ITaskQueueVersioningInfo {
  if (!deployment) return { currentVersion: versionText(undefined), updateTime: timestamp(NEVER) };
  const currentVersion = versionRef(deployment, current);
  const rampingVersion = ramping && versionRef(deployment, ramping.buildId);
  const { currentChangedTime = 0, percentageChangedTime = 0 } = deployment;
  return {
    currentVersion: versionText(currentVersion),
    currentDeploymentVersion: versionMessage(currentVersion),
    ...(ramping && {
      rampingVersion: versionText(rampingVersion),
      rampingDeploymentVersion: versionMessage(rampingVersion),
      rampingVersionPercentage: ramping.percentage,
    }),
    updateTime: timestamp(Math.max(currentChangedTime, percentageChangedTime)),
  };
}

function describeQueue(queues: readonly Queue[], request: Request): Response {
  const sum = (of: (queue: Queue) => number): number => queues.reduce((total, queue) => total + of(queue), 0);
  return {
    pollers: queues.flatMap(pollersOf),
    ...(request.includeTaskQueueStatus && {
      taskQueueStatus: {
        backlogCountHint: long(sum(({ backlog }) => backlog)),
        readLevel: long(sum(({ counts }) => counts.added)),
        ackLevel: long(sum(({ counts }) => counts.dispatched)),
        ratePerSecond: RATE_PER_SECOND,
        taskIdBlock: { startId: long(1), endId: long(RATE_PER_SECOND) },
      },
    }),
    ...(request.reportStats && {
      stats: statsOf(...queues),
      statsByPriorityKey: { [NORMAL_PRIORITY]: statsOf(...queues) },
    }),
  };
}

/** Every task here is unversioned, so that a queue has nothing for a build that somebody asks for by name. */
function describeVersions(queueOf: QueueOf, request: Request): Response {
  const { versions, taskQueueTypes, reportPollers, reportStats, reportTaskReachability } = request;
  const asked = versions?.buildIds ?? [];
  const types = taskQueueTypes?.length
    ? taskQueueTypes
    : [TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW, TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY];
  const isUnversionedAsked = !versions || versions.unversioned === true || versions.allActive === true;
  const builds = [...(isUnversionedAsked || asked.length === 0 ? [''] : []), ...asked];
  const infoOf = (build: string, type: Type): TypeInfo => {
    const queue = build === '' ? queueOf(type) : undefined;
    return {
      ...(reportPollers && { pollers: queue ? pollersOf(queue) : [] }),
      ...(reportStats && { stats: queue ? statsOf(queue) : statsOf() }),
    };
  };
  const reachabilityOf = (build: string): temporal.api.enums.v1.BuildIdTaskReachability =>
    build === ''
      ? BuildIdTaskReachability.BUILD_ID_TASK_REACHABILITY_REACHABLE
      : BuildIdTaskReachability.BUILD_ID_TASK_REACHABILITY_UNREACHABLE;
  return {
    versionsInfo: Object.fromEntries(
      builds.map((build) => [
        build,
        {
          typesInfo: Object.fromEntries(types.map((type) => [type, infoOf(build, type)])),
          ...(reportTaskReachability && { taskReachability: reachabilityOf(build) }),
        },
      ]),
    ),
  };
}

function pollersOf(queue: Queue): temporal.api.taskqueue.v1.IPollerInfo[] {
  const { version } = queue;
  return queue.recentPollers().map(({ identity, lastAccess }) => ({
    identity,
    lastAccessTime: timestamp(lastAccess),
    ratePerSecond: RATE_PER_SECOND,
    ...(version && {
      workerVersionCapabilities: { buildId: version.buildId },
      deploymentOptions: {
        deploymentName: version.deployment,
        buildId: version.buildId,
        workerVersioningMode: WorkerVersioningMode.WORKER_VERSIONING_MODE_VERSIONED,
      },
    }),
  }));
}

function statsOf(...queues: readonly Queue[]): temporal.api.taskqueue.v1.ITaskQueueStats {
  const sum = (of: (queue: Queue) => number): number => queues.reduce((total, queue) => total + of(queue), 0);
  return {
    approximateBacklogCount: long(sum(({ backlog }) => backlog)),
    approximateBacklogAge: duration(Math.max(0, ...queues.map(({ backlogAgeMs }) => backlogAgeMs))),
    tasksAddRate: sum(({ rates }) => rates.added),
    tasksDispatchRate: sum(({ rates }) => rates.dispatched),
  };
}
