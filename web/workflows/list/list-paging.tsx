import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';

interface ListPagingProps {
  readonly isFirst: boolean;
  readonly older: string | undefined;
}

export function ListPaging({ isFirst, older }: ListPagingProps): ReactElement | null {
  if (isFirst && older === undefined) return null;
  return (
    <nav className="paging" aria-label="Pages">
      {isFirst ? null : (
        <Link
          from="/workflows"
          search={({ query }) => (query === undefined ? {} : { query })}
          className="button"
        >
          To the newest
        </Link>
      )}
      {older === undefined ? null : (
        <Link from="/workflows" search={(search) => ({ ...search, page: older })} className="button">
          Older
        </Link>
      )}
    </nav>
  );
}
