import { useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { follow } from '../client/queries.ts';
import { DataTable } from '../parts/data-table.tsx';
import { ErrorState } from '../parts/error-state.tsx';
import { ListPages } from '../parts/list-pages.tsx';
import { usePrices } from '../models/price.ts';
import { sessionColumns } from './session-columns.tsx';

interface SessionsOfProps {
  /** What narrows them, e.g. `agent_id`. */
  readonly query: { readonly agent_id: string } | { readonly environment_id: string };
  readonly empty: ReactNode;
}

/** The sessions that have something in common, newest first. */
export function SessionsOf({ query, empty }: SessionsOfProps): ReactElement {
  const [page, setPage] = useState<string>();
  const priceOf = usePrices();
  const asked = { ...query, limit: '25', ...(page === undefined ? {} : { page }) };
  const { data, error, refetch } = useQuery(follow('GET /v1/sessions', { query: asked }));
  if (error !== null && data === undefined) return <ErrorState error={error} retry={refetch} />;
  return (
    <>
      <DataTable
        label="Sessions"
        columns={sessionColumns(data?.data ?? [], priceOf)}
        rows={data?.data}
        rowKey={({ id }) => id}
        rowLink={({ id }) => `/sessions/${encodeURIComponent(id)}`}
        empty={empty}
      />
      <ListPages page={page} next={data?.next_page} onChange={setPage} />
    </>
  );
}
