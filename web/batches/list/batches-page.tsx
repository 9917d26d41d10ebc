import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { Layers, Plus } from 'lucide-react';
import type { ReactElement } from 'react';
import { follow } from '../../client/queries.ts';
import { CopyableId } from '../../parts/copyable.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { formatCount } from '../../parts/format.ts';
import { PageHeader } from '../../parts/page-header.tsx';
import type { TableColumn } from '../../parts/table-columns.ts';
import { Lasted, When } from '../../parts/when.tsx';
import { type Batch, BatchBar, BatchStatus, countsTotal } from '../batch-progress.tsx';

const COLUMNS: readonly TableColumn<Batch>[] = [
  { id: 'id', title: 'Batch', width: '138px', cell: ({ id }) => <CopyableId id={id} short /> },
  { id: 'status', title: 'Status', width: '108px', cell: (batch) => <BatchStatus batch={batch} /> },
  {
    id: 'progress',
    title: 'Progress',
    width: 'minmax(0, 2fr)',
    cell: (batch) => <BatchBar batch={batch} />,
  },
  {
    id: 'requests',
    title: 'Requests',
    width: '92px',
    align: 'end',
    hideOn: 'tablet',
    cell: ({ request_counts }) => <span className="figures">{formatCount(countsTotal(request_counts))}</span>,
  },
  {
    id: 'took',
    title: 'Took',
    width: '92px',
    align: 'end',
    hideOn: 'tablet',
    cell: ({ created_at, ended_at }) => <Lasted from={created_at} to={ended_at} />,
  },
  {
    id: 'created',
    title: 'Made',
    width: '92px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ created_at }) => <When at={created_at} />,
  },
];

/** Shows all batches, newest first, and how far each is. */
export function BatchesPage(): ReactElement {
  const { after } = useSearch({ from: '/batches' });
  const query = { limit: '50', ...(after === undefined ? {} : { after_id: after }) };
  const { data, error, refetch } = useQuery(follow('GET /v1/messages/batches', { query }));
  const create = (
    <Link to="/batches/new" className="button primary">
      <Plus size={15} aria-hidden />
      New batch
    </Link>
  );
  return (
    <>
      <PageHeader title="Batches" actions={create} />
      {error !== null && data === undefined ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          label="Batches"
          columns={COLUMNS}
          rows={data?.data}
          rowKey={({ id }) => id}
          rowLink={({ id }) => `/batches/${encodeURIComponent(id)}`}
          empty={
            <EmptyState icon={Layers} title="No batch yet">
              <p>
                A batch is up to 100,000 requests to models that are answered within a day, whatever happens
                to the server meanwhile.
              </p>
              {create}
            </EmptyState>
          }
        />
      )}
      {after === undefined && data?.has_more !== true ? null : (
        <nav className="paging" aria-label="Pages">
          {after === undefined ? null : (
            <Link to="/batches" className="button">
              To the newest
            </Link>
          )}
          {data?.has_more === true && data.last_id !== null ? (
            <Link to="/batches" search={{ after: data.last_id }} className="button">
              Older
            </Link>
          ) : null}
        </nav>
      )}
    </>
  );
}
