import type { Agent } from '../client/api.ts';
import { Badge } from '../parts/badge.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import type { TableColumn } from '../parts/table-columns.ts';
import { When } from '../parts/when.tsx';

export const AGENT_COLUMNS: readonly TableColumn<Agent>[] = [
  {
    id: 'name',
    title: 'Agent',
    width: 'minmax(0, 2fr)',
    cell: ({ name, archived_at }) =>
      archived_at === null ? (
        name
      ) : (
        <>
          {name}{' '}
          <Badge tone="neutral" plain>
            archived
          </Badge>
        </>
      ),
  },
  { id: 'model', title: 'Model', width: 'minmax(0, 1.4fr)', cell: ({ model }) => model.id },
  {
    id: 'version',
    title: 'Version',
    width: '74px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ version }) => <span className="figures">{version}</span>,
  },
  {
    id: 'tools',
    title: 'Tools',
    width: '64px',
    align: 'end',
    hideOn: 'tablet',
    cell: ({ tools }) => <span className="figures">{tools.length}</span>,
  },
  { id: 'id', title: 'Id', width: '150px', hideOn: 'tablet', cell: ({ id }) => <CopyableId id={id} short /> },
  {
    id: 'changed',
    title: 'Changed',
    width: '96px',
    align: 'end',
    hideOn: 'phone',
    cell: ({ updated_at }) => <When at={updated_at} />,
  },
];
