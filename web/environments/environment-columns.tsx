import { Badge } from '../parts/badge.tsx';
import { CopyableId } from '../parts/copyable.tsx';
import type { TableColumn } from '../parts/table-columns.ts';
import { When } from '../parts/when.tsx';
import { type Environment, networkWords, packagesOf } from './environment-words.ts';

export const ENVIRONMENT_COLUMNS: readonly TableColumn<Environment>[] = [
  {
    id: 'name',
    title: 'Environment',
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
  { id: 'network', title: 'May reach', cell: networkWords },
  {
    id: 'packages',
    title: 'Packages',
    width: '88px',
    align: 'end',
    hideOn: 'phone',
    cell: (environment) => (
      <span className="figures">{packagesOf(environment).flatMap(([, names]) => names).length}</span>
    ),
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
