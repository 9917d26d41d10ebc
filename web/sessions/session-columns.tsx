import type { Session } from '../client/api.ts';
import { CopyableId } from '../parts/copyable.tsx';
import { formatShort } from '../parts/format.ts';
import type { TableColumn } from '../parts/table-columns.ts';
import { When } from '../parts/when.tsx';
import { SessionStatus } from './session-status.tsx';

export const SESSION_COLUMNS: readonly TableColumn<Session>[] = [
  {
    id: 'title',
    title: 'Session',
    width: 'minmax(0, 2.4fr)',
    cell: ({ title, agent }) => title ?? agent.name,
  },
  { id: 'status', title: 'Status', width: '124px', cell: (session) => <SessionStatus session={session} /> },
  { id: 'agent', title: 'Agent', hideOn: 'phone', cell: ({ agent }) => agent.name },
  { id: 'model', title: 'Model', hideOn: 'tablet', cell: ({ agent }) => agent.model.id },
  {
    id: 'tokens',
    title: 'Tokens',
    width: '84px',
    align: 'end',
    hideOn: 'tablet',
    cell: ({ usage }) => (
      <span className="figures">{formatShort((usage.input_tokens ?? 0) + (usage.output_tokens ?? 0))}</span>
    ),
  },
  { id: 'id', title: 'Id', width: '150px', hideOn: 'tablet', cell: ({ id }) => <CopyableId id={id} short /> },
  {
    id: 'created',
    title: 'Begun',
    width: '92px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ created_at }) => <When at={created_at} />,
  },
];
