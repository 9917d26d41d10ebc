import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import type { ApiAnswer } from '../../client/api.ts';
import { Badge, type Tone } from '../../parts/badge.tsx';
import { DataTable } from '../../parts/data-table.tsx';
import type { TableColumn } from '../../parts/table-columns.ts';
import { When } from '../../parts/when.tsx';

export type Member = ApiAnswer<'GET /v1/sandbox_pool/members'>['data'][number];

const TONES = {
  free: 'good',
  used: 'running',
  draining: 'waiting',
  away: 'failed',
} as const satisfies Record<Member['status'], Tone>;

const COLUMNS: readonly TableColumn<Member>[] = [
  { id: 'address', title: 'Machine', cell: ({ address }) => address, width: 'minmax(0, 2fr)' },
  {
    id: 'status',
    title: 'Status',
    width: '88px',
    cell: ({ status }) => <Badge tone={TONES[status]}>{status}</Badge>,
  },
  {
    id: 'sandbox',
    title: 'Sandboxes',
    cell: ({ sandbox_ids, capacity }) => (
      <>
        {sandbox_ids.length === 0 ? <span className="quiet">none</span> : null}
        {sandbox_ids.map((id) => (
          <Link key={id} to="/sandboxes/$id" params={{ id }}>
            …{id.slice(-10)}{' '}
          </Link>
        ))}
        {capacity === 1 ? null : <span className="quiet">of {capacity}</span>}
      </>
    ),
  },
  { id: 'isolation', title: 'Isolation', hideOn: 'tablet', cell: ({ isolation }) => isolation },
  {
    id: 'desktop',
    title: 'Desktop',
    hideOn: 'tablet',
    cell: ({ desktop }) => (desktop ? 'yes' : 'no programs for one'),
  },
  {
    id: 'seen',
    title: 'Heard of',
    hideOn: 'phone',
    align: 'end',
    width: '92px',
    cell: ({ last_seen_at }) => <When at={last_seen_at} />,
  },
];

/** The machines that lend themselves for sandboxes, where there are any. */
export function PoolMembers({ members }: { readonly members: readonly Member[] }): ReactElement | null {
  if (members.length === 0) return null;
  return (
    <section className="pool" aria-label="Pool machines">
      <h2>Pool machines</h2>
      <DataTable
        label="Pool machines"
        columns={COLUMNS}
        rows={members}
        rowKey={({ id }) => id}
        empty={null}
      />
    </section>
  );
}
