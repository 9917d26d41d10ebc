import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type FilesSearch, filesSearch } from './files-search.ts';

interface FilePagingProps {
  readonly search: FilesSearch;
  /** The id of the last file, where there are older ones. */
  readonly older: string | undefined;
  /** Files are sought by name or kind, which happens on the page alone. */
  readonly filtered: boolean;
}

export function FilePaging({ search, older, filtered }: FilePagingProps): ReactElement | null {
  const isFirst = search.after === undefined;
  if (isFirst && older === undefined) return null;
  return (
    <nav className="paging" aria-label="Pages">
      {filtered && older !== undefined ? (
        <span className="quiet">Older files were not looked through.</span>
      ) : null}
      {isFirst ? null : (
        <Link to="/files" search={filesSearch({ ...search, after: undefined })} className="button">
          To the newest
        </Link>
      )}
      {older === undefined ? null : (
        <Link to="/files" search={{ ...search, after: older }} className="button">
          Older
        </Link>
      )}
    </nav>
  );
}
