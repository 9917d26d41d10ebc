import type { temporal } from '@temporalio/proto';
import { BuildIdTaskReachability, DescribeTaskQueueMode, TaskQueueType } from '../protocol/proto.ts';
import { duration, long, timestamp } from '../protocol/values.ts';
import type { Matching } from '../queues/matching.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';
import { validTaskQueue } from '../runs/start-request.ts';
import type { HandlerServices } from './handler-services.ts';

type Request = temporal.api.workflowservice.v1.IDescribeTaskQueueRequest;
type Response = temporal.api.workflowservice.v1.IDescribeTaskQueueResponse;
type TypeInfo = temporal.api.taskqueue.v1.ITaskQueueTypeInfo;
type Type = temporal.api.enums.v1.TaskQueueType;
type Queue = ReturnType<Matching['activityQueue']> | ReturnType<Matching['workflowQueue']>;
/** The queue of a name by the type of its tasks; undefined for types that no task here has. */
type QueueOf = (type: Type) => Queue | undefined;

/** No queue is limited here; this is what the server tells of one without a limit. */
const RATE_PER_SECOND = 100_000;
/** The key of the default priority. */
const NORMAL_PRIORITY = 3;
const UNVERSIONED = '__unversioned__';
/** The seconds of the year 1, which stand for "never". */
const NEVER = -62_135_596_800_000;

/** The methods that describe task queues: as clients ask today, and in the form that they are to use from now on. */
export function taskQueueHandlers({
  namespaces,
  matching,
}: Pick<HandlerServices, 'namespaces' | 'matching'>): WorkflowHandlers {
  return {
    DescribeTaskQueue: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const queueOf: QueueOf = (type) => {
        if (type === TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY) return matching.activityQueue(namespace, name);
        if (type === TaskQueueType.TASK_QUEUE_TYPE_NEXUS) return undefined;
        return matching.workflowQueue(namespace, name);
      };
      return request.apiMode === DescribeTaskQueueMode.DESCRIBE_TASK_QUEUE_MODE_ENHANCED
        ? describeVersions(queueOf, request)
        : describeQueue(queueOf, request);
    },
    ListTaskQueuePartitions: (request) => {
      namespaces.get(request.namespace ?? '');
      const partitions = [{ key: validTaskQueue(request.taskQueue), ownerHostName: 'localhost' }];
      return { activityTaskQueuePartitions: partitions, workflowTaskQueuePartitions: partitions };
    },
  };
}

function describeQueue(queueOf: QueueOf, request: Request): Response {
  const queue = queueOf(request.taskQueueType ?? TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW);
  return {
    pollers: pollersOf(queue),
    versioningInfo: { currentVersion: UNVERSIONED, updateTime: timestamp(NEVER) },
    ...(request.includeTaskQueueStatus && {
      taskQueueStatus: {
        backlogCountHint: long(queue?.backlog ?? 0),
        readLevel: long(queue?.counts.added ?? 0),
        ackLevel: long(queue?.counts.dispatched ?? 0),
        ratePerSecond: RATE_PER_SECOND,
        taskIdBlock: { startId: long(1), endId: long(RATE_PER_SECOND) },
      },
    }),
    ...(request.reportStats && {
      stats: statsOf(queue),
      statsByPriorityKey: { [NORMAL_PRIORITY]: statsOf(queue) },
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
      ...(reportPollers && { pollers: pollersOf(queue) }),
      ...(reportStats && { stats: statsOf(queue) }),
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

function pollersOf(queue: Queue | undefined): temporal.api.taskqueue.v1.IPollerInfo[] {
  return (queue?.recentPollers() ?? []).map(({ identity, lastAccess }) => ({
    identity,
    lastAccessTime: timestamp(lastAccess),
    ratePerSecond: RATE_PER_SECOND,
  }));
}

function statsOf(queue: Queue | undefined): temporal.api.taskqueue.v1.ITaskQueueStats {
  const rates = queue?.rates ?? { added: 0, dispatched: 0 };
  return {
    approximateBacklogCount: long(queue?.backlog ?? 0),
    approximateBacklogAge: duration(queue?.backlogAgeMs ?? 0),
    tasksAddRate: rates.added,
    tasksDispatchRate: rates.dispatched,
  };
}
