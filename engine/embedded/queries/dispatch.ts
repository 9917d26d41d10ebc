import { readTaskHistory } from '../mutable-state/task-history.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { Clock } from '../primitives/clock.ts';
import type { Limits } from '../primitives/limits.ts';
import { TaskQueueKind } from '../protocol/proto.ts';
import { encodeTaskToken } from '../protocol/task-token.ts';
import { long } from '../protocol/values.ts';
import type { Matching, WorkflowTaskResponse } from '../queues/matching.ts';
import type { PendingQuery, QueryRegistry } from './query-registry.ts';

/** What dispatching a query takes. */
export interface QueryServices {
  readonly now: Clock;
  readonly runs: RunRegistry;
  readonly queries: QueryRegistry;
  readonly matching: Matching;
  readonly limits: Pick<Limits, 'historyPageEvents'>;
}

/**
 * Sends a query to a worker by itself: to the run's sticky queue, where the worker has the run in its cache and needs
 * no history, or else to the normal queue with the whole history. A sticky worker that does not answer in its time is
 * replaced by any other.
 */
export function dispatchQuery(services: QueryServices, query: PendingQuery): void {
  const state = services.runs.peek(query.ref);
  if (!state) return;
  const { namespace } = query.ref;
  const sticky = state.isRunning ? state.record.sticky : undefined;
  if (sticky && services.matching.isStickyServed(namespace, sticky.queue)) {
    enqueue(services, query, sticky.queue, true, state.record.taskQueue);
    setTimeout(() => {
      if (query.outcome || services.queries.find(query.id) !== query) return;
      enqueue(services, query, state.record.taskQueue, false);
    }, sticky.timeoutMs).unref();
  } else {
    enqueue(services, query, state.record.taskQueue, false);
  }
}

function enqueue(
  services: QueryServices,
  query: PendingQuery,
  queue: string,
  partial: boolean,
  normalQueue: string = queue,
): void {
  services.matching.workflowQueue(query.ref.namespace, queue).add({
    addedAt: services.now(),
    start: () => {
      if (services.queries.find(query.id) !== query) return undefined;
      query.sent = true;
      return queryResponse(services, query, partial);
    },
    reroute: () => enqueue(services, query, normalQueue, false),
  });
}

function queryResponse(
  { runs, limits }: QueryServices,
  query: PendingQuery,
  partial: boolean,
): WorkflowTaskResponse | undefined {
  const state = runs.peek(query.ref);
  if (!state) return undefined;
  const { record, ref } = state;
  const page = partial
    ? undefined
    : readTaskHistory(state, 1, record.nextEventId - 1, limits.historyPageEvents);
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
