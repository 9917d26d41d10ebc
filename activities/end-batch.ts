import type { BatchActivities } from '@steadyhand/contracts';
import { NotStoredError } from '@steadyhand/store';
import type { BatchActivityDeps } from './deps.ts';

/** Ends a batch. A batch that is not stored any more has ended before. */
export function endBatch({ store }: Pick<BatchActivityDeps, 'store'>): BatchActivities['endBatch'] {
  return async ({ batch, unanswered }) => {
    try {
      await store.batches.end(batch, unanswered);
    } catch (error) {
      if (!(error instanceof NotStoredError)) throw error;
    }
  };
}
