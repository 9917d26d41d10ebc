import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { follow, read } from '../../client/queries.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { FilterBar, FilterChoice, FilterSearch } from '../../parts/filters.tsx';
import { formatCount, formatName } from '../../parts/format.ts';
import type { TableColumn } from '../../parts/table-columns.ts';
import { type Counts, countsTotal, OUTCOME_TONES, OUTCOME_WORDS } from '../batch-progress.tsx';
import { type BatchSearch, batchSearch, OUTCOMES, PAGE } from '../batches-search.ts';
import { RequestDetail } from './request-detail.tsx';
import { RequestPaging } from './request-paging.tsx';
import { resultWords } from './result-words.ts';

type Listed = ApiAnswer<'GET /v1/messages/batches/{id}/requests'>['data'][number];

const COLUMNS: readonly TableColumn<Listed>[] = [
  {
    id: 'position',
    title: '#',
    width: '64px',
    cell: ({ position }) => <span className="figures">{formatCount(position)}</span>,
  },
  { id: 'custom_id', title: 'Name', cell: ({ custom_id }) => custom_id },
  {
    id: 'status',
    title: 'Status',
    width: '104px',
    cell: ({ status }) => <Badge tone={OUTCOME_TONES[status]}>{OUTCOME_WORDS[status]}</Badge>,
  },
  {
    id: 'result',
    title: 'Result',
    width: 'minmax(0, 3fr)',
    hideOn: 'phone',
    cell: ({ result }) => resultWords(result),
  },
];

interface RequestListProps {
  readonly batch: string;
  readonly counts: Counts;
  readonly live: boolean;
}

/** The requests of a batch, a page at a time, by status; one of them in full. */
export function RequestList({ batch, counts, live }: RequestListProps): ReactElement {
  const search = useSearch({ from: '/batches/$id' });
  const { status, after, request } = search;
  const navigate = useNavigate({ from: '/batches/$id' });
  const query = {
    limit: String(PAGE),
    ...(status === undefined ? {} : { status }),
    ...(after === undefined ? {} : { after: String(after) }),
  };
  const asked = { params: { id: batch }, query };
  const { data, error, refetch } = useQuery({
    ...follow('GET /v1/messages/batches/{id}/requests', asked),
    // The results of a batch that has ended stay as they are.
    ...(live ? {} : { refetchInterval: false, ...read('GET /v1/messages/batches/{id}/requests', asked) }),
  });
  const show = (change: BatchSearch, { replace = false, resetScroll = false } = {}): void =>
    void navigate({ search: batchSearch({ ...search, ...change }), replace, resetScroll });
  const total = countsTotal(counts);
  return (
    <section className="batch-requests" aria-label="Requests">
      <FilterBar label="Which requests">
        <FilterChoice
          label="Status"
          value={status ?? 'all'}
          options={[
            { value: 'all' as const, label: 'All', count: total },
            ...OUTCOMES.filter((outcome) => counts[outcome] > 0 || outcome === status).map((value) => ({
              value,
              label: formatName(OUTCOME_WORDS[value]),
              count: counts[value],
            })),
          ]}
          onChange={(next) =>
            show({ status: next === 'all' ? undefined : next, after: undefined, request: undefined })
          }
        />
        <FilterSearch
          label="Go to the request number"
          placeholder={`Go to a number, 0 to ${total - 1}`}
          value=""
          onSubmit={(text) => {
            const position = Number(text);
            if (text.trim() === '' || !Number.isInteger(position) || position < 0 || position >= total)
              return;
            show({
              status: undefined,
              after: position === 0 ? undefined : position - 1,
              request: position,
            });
          }}
        />
      </FilterBar>
      {error !== null && data === undefined ? (
        <ErrorState error={error} retry={refetch} />
      ) : (
        <DataTable
          label="Requests"
          columns={COLUMNS}
          rows={data?.data}
          rowKey={({ position }) => String(position)}
          onOpen={({ position }) =>
            show({ request: position === request ? undefined : position }, { replace: true })
          }
          current={request === undefined ? undefined : String(request)}
          empty={<p className="quiet nothing">No request of the batch is like that.</p>}
        />
      )}
      <RequestPaging
        search={search}
        last={data?.has_more === true ? data.data.at(-1)?.position : undefined}
        onShow={(next) => show({ after: next, request: undefined }, { resetScroll: true })}
      />
      {request === undefined ? null : (
        <RequestDetail
          key={request}
          batch={batch}
          position={request}
          live={live}
          onClose={() => show({ request: undefined }, { replace: true })}
        />
      )}
    </section>
  );
}
