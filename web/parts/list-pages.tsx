import type { ReactElement } from 'react';
import { Button } from './button.tsx';

interface ListPagesProps {
  /** The page that the address names; undefined on the first. */
  readonly page: string | undefined;
  /** The next one, where there is one. */
  readonly next: string | null | undefined;
  readonly onChange: (page: string | undefined) => void;
}

/** Leads through a list whose pages know only what comes next; the browser's own button leads back. */
export function ListPages({ page, next, onChange }: ListPagesProps): ReactElement | null {
  if (page === undefined && next == null) return null;
  return (
    <nav className="paging" aria-label="Pages">
      {page === undefined ? null : <Button onClick={() => onChange(undefined)}>First page</Button>}
      {next == null ? null : <Button onClick={() => onChange(next)}>Older</Button>}
    </nav>
  );
}
