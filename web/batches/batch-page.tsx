import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import type { ReactElement } from 'react';
import { follow } from '../client/queries.ts';
import { RequestFailedError } from '../client/request.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { formatCount } from '../parts/format.ts';
import { KeyValues } from '../parts/key-values.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Lasted, When } from '../parts/when.tsx';
import { BatchHeader } from './batch-header.tsx';
import { type Batch, CountsBar, countsTotal, countWords, useCounts } from './batch-progress.tsx';
import { RequestList } from './requests/request-list.tsx';

/** Shows one batch: how far it is, and each of its requests with its result. */
export function BatchPage(): ReactElement {
  const { id } = useParams({ from: '/batches/$id' });
  const { data, error, refetch, isPlaceholderData } = useQuery(
    follow('GET /v1/messages/batches/{id}', { params: { id } }),
  );
  const batch = isPlaceholderData && data?.id !== id ? undefined : data;
  const isGone = error instanceof RequestFailedError && error.status === 404;
  if (batch !== undefined && !isGone) return <BatchView key={id} batch={batch} />;
  return (
    <>
      <PageHeader title={id} back={{ to: '/batches', label: 'Batches' }} />
      {error === null ? (
        <Loading rows={6} />
      ) : isGone ? (
        <EmptyState icon={Layers} title="There is no such batch">
          <p>It may have been deleted.</p>
        </EmptyState>
      ) : (
        <ErrorState error={error} retry={refetch} />
      )}
    </>
  );
}

function BatchView({ batch }: { readonly batch: Batch }): ReactElement {
  const { created_at, ended_at, expires_at, cancel_initiated_at, processing_status } = batch;
  const counts = useCounts(batch);
  return (
    <div className="batch-page">
      <BatchHeader batch={batch} />
      <section className="card batch-state" aria-label="Progress">
        <CountsBar counts={counts} />
        <p role="status">
          {countWords(counts)} of {formatCount(countsTotal(counts))}
        </p>
        <KeyValues
          label="Times"
          entries={[
            ['Made', <When key="made" at={created_at} as="exact" />],
            ['Takes so far', ended_at === null ? <Lasted key="l" from={created_at} to={null} /> : undefined],
            ['Took', ended_at === null ? undefined : <Lasted key="t" from={created_at} to={ended_at} />],
            ['Ended', ended_at === null ? undefined : <When key="ended" at={ended_at} as="exact" />],
            [
              'Canceled',
              cancel_initiated_at === null ? undefined : (
                <When key="canceled" at={cancel_initiated_at} as="exact" />
              ),
            ],
            [
              'Expires',
              processing_status === 'ended' ? undefined : <When key="end" at={expires_at} as="exact" />,
            ],
          ]}
        />
      </section>
      <RequestList batch={batch.id} counts={counts} live={processing_status !== 'ended'} />
    </div>
  );
}
