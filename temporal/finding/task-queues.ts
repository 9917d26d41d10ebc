import type { QueueKind, TaskQueue } from '../shapes/task-queue.ts';
import {
  type Fields,
  fieldsOf,
  listOf,
  maybeFields,
  maybeMs,
  maybeText,
  maybeTime,
  numberOf,
  textOf,
} from '../wire/fields.ts';
import { protoJson } from '../wire/proto-json.ts';
import type { TemporalCalls } from '../wire/service.ts';

/** Who polls a task queue, and what waits in it. */
export async function taskQueueOf(calls: TemporalCalls, name: string): Promise<TaskQueue> {
  const kindOf = async (taskQueueType: 1 | 2): Promise<QueueKind> => {
    const response = await calls.call(`Task queue ${name}`, (service) =>
      service.describeTaskQueue({
        namespace: calls.namespace,
        taskQueue: { name, kind: 1 },
        taskQueueType,
        reportStats: true,
      }),
    );
    return viewOf(protoJson('workflowservice.v1.DescribeTaskQueueResponse', response));
  };
  // TASK_QUEUE_TYPE_WORKFLOW and _ACTIVITY
  const [workflow, activity] = await Promise.all([kindOf(1), kindOf(2)]);
  return { type: 'task_queue', name, workflow, activity };
}

function viewOf(described: Fields): QueueKind {
  const stats = maybeFields(described, 'stats');
  return {
    pollers: listOf(described, 'pollers').map((poller) => {
      const deployment = fieldsOf(poller, 'deploymentOptions');
      const capabilities = fieldsOf(poller, 'workerVersionCapabilities');
      return {
        identity: textOf(poller, 'identity'),
        last_access_time: maybeTime(poller, 'lastAccessTime'),
        rate_per_second: numberOf(poller, 'ratePerSecond') || null,
        deployment: maybeText(deployment, 'deploymentName'),
        build_id: maybeText(deployment, 'buildId') ?? maybeText(capabilities, 'buildId'),
      };
    }),
    backlog:
      stats === null
        ? null
        : {
            count: numberOf(stats, 'approximateBacklogCount'),
            age_ms: maybeMs(stats, 'approximateBacklogAge') ?? 0,
            add_rate: numberOrNull(stats, 'tasksAddRate'),
            dispatch_rate: numberOrNull(stats, 'tasksDispatchRate'),
          },
  };
}

const numberOrNull = (fields: Fields, key: string): number | null =>
  fields[key] === undefined ? null : numberOf(fields, key);
