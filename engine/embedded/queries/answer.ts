import type { temporal } from '@temporalio/proto';
import type { MutableState } from '../mutable-state/mutable-state.ts';
import { QueryResultType } from '../protocol/proto.ts';
import type { PendingQuery, QueryRegistry } from './query-registry.ts';

type Result = temporal.api.query.v1.IWorkflowQueryResult;

/** Hands the answers that came with a workflow task's completion to their callers; the other queries wait again. */
export function answerQueries(
  queries: QueryRegistry,
  state: MutableState,
  results: Record<string, Result> | null | undefined,
): void {
  state.afterCommit(() => {
    for (const [id, result] of Object.entries(results ?? {})) {
      const query = queries.find(id);
      if (query) settleQuery(query, result);
    }
  });
  queries.markUnsent(state.ref);
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
