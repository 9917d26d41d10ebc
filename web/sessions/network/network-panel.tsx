import { type ReactElement, useMemo } from 'react';
import type { SessionEvent } from '../../client/api.ts';
import { Badge } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import { formatBytes, formatDuration } from '../../parts/format.ts';
import type { TableColumn } from '../../parts/table-columns.ts';
import { When } from '../../parts/when.tsx';
import type { EventOf } from '../turns/event-types.ts';

type Request = EventOf<'sandbox.network_request'>;

/** One connection, wherever it is told of. */
export type NetworkEntry = Pick<
  Request,
  'method' | 'host' | 'port' | 'verdict' | 'reason' | 'bytes_sent' | 'bytes_received' | 'duration_ms' | 'at'
>;

export const NETWORK_COLUMNS: readonly TableColumn<NetworkEntry>[] = [
  {
    id: 'host',
    title: 'Host',
    cell: ({ method, host, port }) => `${method} ${host}:${port}`,
    width: 'minmax(120px, 2fr)',
  },
  {
    id: 'verdict',
    title: 'Verdict',
    cell: ({ verdict, reason }) => (
      <span title={reason ?? undefined}>
        <Badge tone={verdict === 'denied' ? 'failed' : reason === null ? 'good' : 'waiting'}>
          {verdict === 'denied' ? 'denied' : reason === null ? 'allowed' : 'failed'}
        </Badge>
      </span>
    ),
    width: '104px',
  },
  {
    id: 'bytes',
    title: 'Sent, received',
    cell: ({ bytes_sent, bytes_received }) => `${formatBytes(bytes_sent)}, ${formatBytes(bytes_received)}`,
    width: '140px',
    hideOn: 'tablet',
  },
  {
    id: 'duration',
    title: 'Took',
    cell: ({ duration_ms }) => formatDuration(duration_ms),
    width: '80px',
    align: 'end',
    hideOn: 'tablet',
  },
  { id: 'at', title: 'At', cell: ({ at }) => <When as="clock" at={at} />, width: '96px', hideOn: 'phone' },
];

/** Every connection that programs in the sandbox made, or tried to make. */
export function NetworkPanel({ events }: { readonly events: readonly SessionEvent[] }): ReactElement {
  const requests = useMemo(
    () => events.filter((event): event is Request => event.type === 'sandbox.network_request'),
    [events],
  );
  return (
    <div className="panel">
      <DataTable
        label="Network requests"
        columns={NETWORK_COLUMNS}
        rows={requests}
        rowKey={({ id }) => id}
        empty={<p className="quiet nothing">No program has used the network.</p>}
      />
    </div>
  );
}
