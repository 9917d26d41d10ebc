import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../../kernel.ts';
import type { TaskQueue } from '../../matching/task-queue.ts';
import { TaskQueueType } from '../../proto.ts';
import { duration, long, timestamp } from '../../proto-values.ts';
import { rerouteStickyTasks } from '../../workflow-task/reroute.ts';
import { validTaskQueue } from '../../workflow/start-request.ts';
import type { Handlers } from '../call.ts';

type ShutdownRequest = temporal.api.workflowservice.v1.IShutdownWorkerRequest;
type DescribeRequest = temporal.api.workflowservice.v1.IDescribeTaskQueueRequest;
type DescribeResponse = temporal.api.workflowservice.v1.IDescribeTaskQueueResponse;

/** Workers leaving, and what task queues look like. */
export function workerHandlers(kernel: Kernel): Handlers {
  return {
    ShutdownWorker: (request: ShutdownRequest) => {
      const { name: namespace } = kernel.namespaces.get(request.namespace ?? '');
      const identity = request.identity ?? '';
      if (request.taskQueue) kernel.matching.releasePollers(namespace, request.taskQueue, identity);
      if (request.stickyTaskQueue) rerouteStickyTasks(kernel, namespace, request.stickyTaskQueue);
      return {};
    },
    DescribeTaskQueue: (request: DescribeRequest) => {
      const { name: namespace } = kernel.namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const isActivity = request.taskQueueType === TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
      return describeQueue(
        isActivity
          ? kernel.matching.activityQueue(namespace, name)
          : kernel.matching.workflowQueue(namespace, name),
        request,
      );
    },
  };
}

function describeQueue<R>(queue: TaskQueue<R>, request: DescribeRequest): DescribeResponse {
  return {
    pollers: queue.recentPollers().map(({ identity, lastAccess }) => ({
      identity,
      lastAccessTime: timestamp(lastAccess),
      ratePerSecond: 100_000,
    })),
    ...((request.reportStats || request.includeTaskQueueStatus) && {
      stats: {
        approximateBacklogCount: long(queue.backlog),
        approximateBacklogAge: duration(queue.backlogAgeMs),
      },
    }),
  };
}
