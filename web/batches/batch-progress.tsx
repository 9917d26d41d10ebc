import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ApiAnswer } from '../client/api.ts';
import { follow } from '../client/queries.ts';
import { Badge, type Tone } from '../parts/badge.tsx';
import { formatCount } from '../parts/format.ts';
import { type Outcome, OUTCOMES } from './batches-search.ts';

export type Batch = ApiAnswer<'GET /v1/messages/batches/{id}'>;
export type Counts = Readonly<Record<Outcome, number>>;

export const OUTCOME_TONES = {
  processing: 'neutral',
  succeeded: 'good',
  errored: 'failed',
  canceled: 'waiting',
  expired: 'waiting',
} as const satisfies Record<Outcome, Tone>;

/** What people call a request that has no answer yet. */
export const OUTCOME_WORDS = {
  processing: 'waiting',
  succeeded: 'succeeded',
  errored: 'failed',
  canceled: 'canceled',
  expired: 'expired',
} as const satisfies Record<Outcome, string>;

const STATUS = {
  in_progress: ['running', 'running'],
  canceling: ['waiting', 'canceling'],
  ended: ['neutral', 'ended'],
} as const satisfies Record<Batch['processing_status'], readonly [Tone, string]>;

export function BatchStatus({ batch }: { readonly batch: Batch }): ReactElement {
  const [tone, word] = STATUS[batch.processing_status];
  return <Badge tone={tone}>{word}</Badge>;
}

/** How far a batch is: what it counts itself once it has ended, and until then what is answered so far. */
export function useCounts({ id, processing_status, request_counts }: Batch): Counts {
  const { data } = useQuery({
    ...follow('GET /v1/messages/batches/{id}/progress', { params: { id } }),
    enabled: processing_status !== 'ended',
  });
  return processing_status === 'ended' ? request_counts : (data ?? request_counts);
}

export function countsTotal(counts: Counts): number {
  return OUTCOMES.reduce((sum, outcome) => sum + counts[outcome], 0);
}

/** The counts in a sentence: `3 succeeded, 1 failed, 2 waiting`. */
export function countWords(counts: Counts): string {
  const words = [...OUTCOMES.slice(1), OUTCOMES[0]]
    .filter((outcome) => counts[outcome] > 0)
    .map((outcome) => `${formatCount(counts[outcome])} ${OUTCOME_WORDS[outcome]}`);
  return words.length === 0 ? 'no requests' : words.join(', ');
}

/** A bar whose parts are as wide as there are requests of each status. */
export function CountsBar({ counts }: { readonly counts: Counts }): ReactElement {
  return (
    <span className="counts-bar" role="img" aria-label={countWords(counts)} title={countWords(counts)}>
      {[...OUTCOMES.slice(1), OUTCOMES[0]].map((outcome) =>
        counts[outcome] === 0 ? null : (
          <span key={outcome} className={outcome} style={{ flexGrow: counts[outcome] }} />
        ),
      )}
    </span>
  );
}

/** The same of a batch, as it goes on. */
export function BatchBar({ batch }: { readonly batch: Batch }): ReactElement {
  return <CountsBar counts={useCounts(batch)} />;
}
