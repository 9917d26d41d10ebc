import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { follow } from '../../client/queries.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { NETWORK_COLUMNS } from '../../sessions/network/network-panel.tsx';

type Entry = ApiAnswer<'GET /v1/sandboxes/{id}/network_log'>['data'][number];

/** How many connections are shown: the newest ones. */
const SHOWN = 1000;

/** What the programs inside asked the egress proxy for, newest first. */
export function NetworkLog({ sandbox }: { readonly sandbox: string }): ReactElement {
  const params = { id: sandbox };
  // The log begins at its oldest entry, so its end is asked for first.
  const { data: end } = useQuery(
    follow('GET /v1/sandboxes/{id}/network_log', { params, query: { limit: '1', after: '2147483647' } }),
  );
  const after = String(Math.max(0, (end?.last ?? 0) - SHOWN));
  const { data, error, refetch } = useQuery({
    ...follow('GET /v1/sandboxes/{id}/network_log', { params, query: { after, limit: String(SHOWN) } }),
    enabled: end !== undefined,
  });
  if (error !== null && data === undefined) return <ErrorState error={error} retry={refetch} />;
  return (
    <DataTable<Entry>
      label="Network requests"
      columns={NETWORK_COLUMNS}
      rows={data?.data.toReversed()}
      rowKey={({ number }) => String(number)}
      empty={<p className="quiet nothing">No program has used the network.</p>}
    />
  );
}
