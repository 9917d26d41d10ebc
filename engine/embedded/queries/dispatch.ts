import type { temporal } from '@temporalio/proto';
import type { DeploymentRegistry } from '../deployments/deployment-registry.ts';
import { workflowTarget } from '../deployments/run-versioning.ts';
import type { VersionRef } from '../primitives/version-ref.ts';
import { readTaskHistory } from '../mutable-state/read-task-history.ts';
import type { RunRegistry } from '../mutable-state/run-registry.ts';
import type { Clock } from '../primitives/clock.ts';
import type { Limits } from '../primitives/limits.ts';
import { TaskQueueKind, QueryResultType } from '../protocol/proto.ts';
import { encodeTaskToken } from '../protocol/task-token.ts';
import { long } from '../protocol/values.ts';
import type { Matching, WorkflowTaskResponse } from '../queues/matching.ts';
import type { PendingQuery, QueryRegistry } from './query-registry.ts';
import type { MutableState } from '../mutable-state/mutable-state.ts';

/** What dispatching a query takes. */
export interface QueryServices {
  readonly now: Clock;
  readonly runs: RunRegistry;
  readonly queries: QueryRegistry;
  readonly matching: Matching;
  readonly deployments: DeploymentRegistry;
  readonly limits: Pick<Limits, 'blobBytes' | 'historyPageEvents' | 'queryResendMs'>;
}

/**
 * Sends a query to a worker by itself: to the run's sticky queue, where the worker has the run in its cache and needs
 * no history, or else to the normal queue with the whole history. A sticky worker that does not answer in its time is
 * replaced by any other.
 */
export function dispatchQuery(services: QueryServices, query: PendingQuery): void {
  const state = services.runs.peek(query.ref);
  if (!state) return;
  const sticky = state.isRunning ? state.record.sticky : undefined;
  if (sticky && services.matching.isStickyServed(query.ref.namespace, sticky.queue)) {
    enqueue(services, query, sticky.queue, true);
    setTimeout(() => {
      if (isWaiting(services, query)) sendWithHistory(services, query);
    }, sticky.timeoutMs).unref();
  } else {
    sendWithHistory(services, query);
  }
}

/**
 * Sends a query with the run's whole history, one at a time for each run: of two such tasks for a run that it has in its
 * cache, a worker of Temporal drops the one.
 */
function sendWithHistory(services: QueryServices, query: PendingQuery): void {
  services.queries.replays.enter(query, () => replay(services, query, services.limits.queryResendMs));
}

function replay(services: QueryServices, query: PendingQuery, patienceMs: number): void {
  const { queries } = services;
  replayLater(services, query, patienceMs);
  const state = readable(services, query);
  if (!state) return;
  if (state.isRunning && state.record.workflowTask) {
    queries.replays.leave(query);
    query.sent = false;
    queries.buffer(query);
  } else {
    enqueue(services, query, state.record.taskQueue, false, workflowTarget(services.deployments, state));
  }
}

/** Sends the query once more unless it is answered by then: a worker that loses a query does not say so. */
function replayLater(services: QueryServices, query: PendingQuery, patienceMs: number): void {
  setTimeout(() => {
    if (isWaiting(services, query) && services.queries.replays.isFirst(query))
      replay(services, query, 2 * patienceMs);
  }, patienceMs).unref();
}

/** The query's run; undefined also while the database cannot be read, which it may be by the next time. */
function readable({ runs }: QueryServices, { ref }: PendingQuery): MutableState | undefined {
  try {
    return runs.peek(ref);
  } catch {
    return undefined;
  }
}

const isWaiting = ({ queries }: QueryServices, query: PendingQuery): boolean =>
  queries.find(query.id) === query;

/** Puts the query in a queue; where it was before, it is no longer wanted. */
function enqueue(
  services: QueryServices,
  query: PendingQuery,
  queue: string,
  partial: boolean,
  version?: VersionRef,
): void {
  query.dispatches += 1;
  const dispatch = query.dispatches;
  services.matching.workflowQueue(query.ref.namespace, queue, version).add({
    addedAt: services.now(),
    start: () => {
      if (query.dispatches !== dispatch || !isWaiting(services, query)) return undefined;
      query.sent = true;
      return queryResponse(services, query, partial);
    },
    reroute: () => sendWithHistory(services, query),
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

type Result = temporal.api.query.v1.IWorkflowQueryResult;

/** Hands the answers that came with a workflow task's completion to their callers; the other queries wait again. */
export function answerQueries(
  queries: QueryRegistry,
  state: MutableState,
  results: Record<string, Result> | null | undefined,
): void {
  queries.markUnsent(state.ref);
  const answered = Object.entries(results ?? {}).flatMap(([id, result]) => {
    const query = queries.find(id);
    return query === undefined ? [] : [{ query, result }];
  });
  // The next workflow task may be given to a worker before the commit.
  for (const { query } of answered) query.sent = true;
  state.afterCommit(() => {
    for (const { query, result } of answered) settleQuery(query, result);
  });
}

export function settleQuery(
  query: PendingQuery,
  { resultType, answer, errorMessage, failure }: Result,
): void {
  query.settle(
    resultType === QueryResultType.QUERY_RESULT_TYPE_ANSWERED
      ? { kind: 'answered', result: answer ?? null }
      : { kind: 'failed', message: errorMessage ?? '', failure: failure ?? null },
  );
}
