import { type ReactElement, type ReactNode, useState } from 'react';
import { formatCount } from '../../parts/format.ts';

interface FoldedProps {
  /** What is shown, to count its lines. */
  readonly text: string;
  readonly children: ReactNode;
}

const LINES = 14;

/** Shows the beginning of what is long, and the rest at a click. */
export function Folded({ text, children }: FoldedProps): ReactElement {
  const [open, setOpen] = useState(false);
  const lines = text.split('\n').length;
  if (lines <= LINES + 4 && text.length < 4000) return <>{children}</>;
  return (
    <div className={open ? 'folded open' : 'folded'}>
      {children}
      <button type="button" className="unfold" aria-expanded={open} onClick={() => setOpen(!open)}>
        {open ? 'Show less' : lines > LINES ? `Show all ${formatCount(lines)} lines` : 'Show all of it'}
      </button>
    </div>
  );
}
