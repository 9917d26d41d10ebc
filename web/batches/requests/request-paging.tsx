import type { ReactElement } from 'react';
import { Button } from '../../parts/button.tsx';
import { type BatchSearch, PAGE } from '../batches-search.ts';

interface RequestPagingProps {
  readonly search: BatchSearch;
  /** The position of the last request that is shown, where others follow. */
  readonly last: number | undefined;
  /** Shows the requests after a position; after none, the first ones. */
  readonly onShow: (after: number | undefined) => void;
}

export function RequestPaging({
  search: { after, status },
  last,
  onShow,
}: RequestPagingProps): ReactElement | null {
  if (after === undefined && last === undefined) return null;
  // Without a filter the positions are the places in the list; with one nobody knows where the page before begins.
  const before = after === undefined || status !== undefined ? undefined : after - PAGE;
  return (
    <nav className="paging" aria-label="Pages">
      {after === undefined ? null : <Button onClick={() => onShow(undefined)}>First</Button>}
      {before === undefined ? null : (
        <Button onClick={() => onShow(before < 0 ? undefined : before)}>Previous</Button>
      )}
      {last === undefined ? null : <Button onClick={() => onShow(last)}>Next</Button>}
    </nav>
  );
}
