import type { temporal } from '@temporalio/proto';
import type { Kernel } from '../kernel.ts';
import { QueryResultType } from '../proto.ts';
import type { RunRef } from '../types.ts';

type Results = Record<string, temporal.api.query.v1.IWorkflowQueryResult> | null | undefined;

/** Hands the answers that came with a workflow task's completion to those who asked; the rest waits again. */
export function answerQueries(kernel: Kernel, ref: RunRef, results: Results): void {
  kernel.group.afterCommit(() => {
    for (const [id, result] of Object.entries(results ?? {})) {
      const query = kernel.queries.find(id);
      if (!query) continue;
      if (result.resultType === QueryResultType.QUERY_RESULT_TYPE_ANSWERED) {
        query.settle({ kind: 'answered', result: result.answer ?? null });
      } else {
        query.settle({
          kind: 'failed',
          message: result.errorMessage ?? '',
          failure: result.failure ?? null,
        });
      }
    }
  });
  kernel.queries.returnAll(ref);
}
