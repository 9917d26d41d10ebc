import type { ReactElement } from 'react';
import type { ToolRow } from '../turns/rows.ts';
import { MarkedScreen } from './marked-screen.tsx';
import type { Place } from './shown-use.ts';

interface PointerViewProps {
  readonly row: Pick<ToolRow, 'before' | 'after' | 'use'>;
  readonly to: Place;
  readonly from: Place | undefined;
  readonly what: string;
}

/** A click with its place on the picture before it and on the picture after it. */
export function PointerView({
  row: { before, after },
  to,
  from,
  what,
}: PointerViewProps): ReactElement | null {
  if (before === undefined && after === undefined) return null;
  return (
    <div className="before-after">
      {before === undefined ? null : (
        <figure>
          <MarkedScreen url={before.url} alt={`Before: ${what}`} mark={{ to, from }} />
          <figcaption>Before</figcaption>
        </figure>
      )}
      {after === undefined ? null : (
        <figure>
          <MarkedScreen url={after.url} alt={`After: ${what}`} mark={{ to, from }} />
          <figcaption>After</figcaption>
        </figure>
      )}
    </div>
  );
}
