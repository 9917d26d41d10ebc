import type { temporal } from '@temporalio/proto';
import type { HandlerServices } from './handler-services.ts';
import type { TaskQueue } from '../queues/task-queue.ts';
import { TaskQueueType } from '../protocol/proto.ts';
import { duration, long, timestamp } from '../protocol/values.ts';
import { validTaskQueue } from '../runs/start-request.ts';
import type { WorkflowHandlers } from '../rpc/call.ts';

type DescribeRequest = temporal.api.workflowservice.v1.IDescribeTaskQueueRequest;
type DescribeResponse = temporal.api.workflowservice.v1.IDescribeTaskQueueResponse;

/** The methods by which workers leave, and which describe task queues. */
export function workerHandlers({
  namespaces,
  matching,
}: Pick<HandlerServices, 'namespaces' | 'matching'>): WorkflowHandlers {
  return {
    ShutdownWorker: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const identity = request.identity ?? '';
      if (request.taskQueue) matching.releasePollers(namespace, request.taskQueue, identity);
      if (request.stickyTaskQueue) matching.shutDownSticky(namespace, request.stickyTaskQueue);
      return {};
    },
    DescribeTaskQueue: (request) => {
      const { name: namespace } = namespaces.get(request.namespace ?? '');
      const name = validTaskQueue(request.taskQueue);
      const isActivity = request.taskQueueType === TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
      return describeQueue(
        isActivity ? matching.activityQueue(namespace, name) : matching.workflowQueue(namespace, name),
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
