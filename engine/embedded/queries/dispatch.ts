import type { Kernel } from '../kernel.ts';
import { TaskQueueKind } from '../proto.ts';
import { long } from '../proto-values.ts';
import { encodeTaskToken } from '../task-token.ts';
import { type WorkflowTaskResponse, historyFor } from '../workflow-task/response.ts';
import type { PendingQuery } from './query-registry.ts';

/**
 * Sends a query to a worker by itself: to the run's sticky queue, where the worker has the run in its cache and needs no
 * history, or else to the normal queue with all of it. A sticky worker that does not answer in its time is given up.
 */
export function dispatchQuery(kernel: Kernel, query: PendingQuery): void {
  const state = kernel.runs.peek(query.ref);
  if (!state) return;
  const { namespace } = query.ref;
  const sticky = state.isRunning ? state.record.sticky : undefined;
  if (sticky && kernel.matching.isStickyServed(namespace, sticky.queue)) {
    enqueue(kernel, query, sticky.queue, true, state.record.taskQueue);
    setTimeout(() => {
      if (query.outcome || kernel.queries.find(query.id) !== query) return;
      enqueue(kernel, query, state.record.taskQueue, false);
    }, sticky.timeoutMs).unref();
  } else {
    enqueue(kernel, query, state.record.taskQueue, false);
  }
}

function enqueue(
  kernel: Kernel,
  query: PendingQuery,
  queue: string,
  partial: boolean,
  normalQueue: string = queue,
): void {
  kernel.matching.workflowQueue(query.ref.namespace, queue).add({
    addedAt: kernel.now(),
    start: () => {
      if (kernel.queries.find(query.id) !== query) return undefined;
      query.handedOut = true;
      return queryResponse(kernel, query, partial);
    },
    reroute: () => enqueue(kernel, query, normalQueue, false),
  });
}

function queryResponse(
  kernel: Kernel,
  query: PendingQuery,
  partial: boolean,
): WorkflowTaskResponse | undefined {
  const state = kernel.runs.peek(query.ref);
  if (!state) return undefined;
  const { record, ref } = state;
  const lastEventId = record.nextEventId - 1;
  const page = partial ? undefined : historyFor(kernel, state, 1, lastEventId);
  return {
    taskToken: encodeTaskToken({ kind: 'query', queryId: query.id }),
    workflowExecution: { workflowId: ref.workflowId, runId: ref.runId },
    workflowType: { name: record.workflowType },
    ...(record.lastStartedEventId > 0 && { previousStartedEventId: long(record.lastStartedEventId) }),
    history: { events: page?.events ?? [] },
    ...(page?.nextPageToken && { nextPageToken: page.nextPageToken }),
    query: query.query,
    workflowExecutionTaskQueue: { name: record.taskQueue, kind: TaskQueueKind.TASK_QUEUE_KIND_NORMAL },
  };
}
