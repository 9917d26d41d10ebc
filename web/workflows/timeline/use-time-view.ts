import { useEffect, useRef, useState } from 'react';
import { useViewSearch, viewOf } from '../history/view-search.ts';
import type { TimeView } from './view.ts';

/** Once the view has rested for so long, the address says it; browsers refuse to write it at every movement. */
const REST_MS = 250;

const isSame = (a: TimeView | undefined, b: TimeView | undefined): boolean =>
  a?.from === b?.from && a?.to === b?.to;

/** The stretch of time that somebody chose, which the address holds; undefined while all is shown. */
export function useTimeView(): readonly [TimeView | undefined, (view: TimeView | undefined) => void] {
  const [search, change] = useViewSearch();
  const said = viewOf(search);
  const [view, setView] = useState(said);
  const written = useRef(said);
  useEffect(() => {
    // The address was changed by something else, such as a link.
    if (isSame(said, written.current)) return;
    written.current = said;
    setView(said);
  }, [said?.from, said?.to]);
  useEffect(() => {
    const next = view === undefined ? undefined : { from: Math.floor(view.from), to: Math.ceil(view.to) };
    if (isSame(next, written.current)) return undefined;
    const resting = setTimeout(() => {
      written.current = next;
      change({ from: next?.from, to: next?.to });
    }, REST_MS);
    return () => clearTimeout(resting);
  }, [view]);
  return [view, setView];
}
