import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

interface TurnWindow {
  /** What scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly onScroll: () => void;
}

/** How near to the end counts as at the end. */
const END = 60;

/**
 * Keeps the rows on the page that are in view. It stays at the end while a reader is there and no row is chosen, and shows the
 * row that is chosen.
 */
export function useTurnWindow(
  count: number,
  keyOf: (index: number) => string,
  chosen: number | undefined,
): TurnWindow {
  const box = useRef<HTMLDivElement>(null);
  const atEnd = useRef(chosen === undefined);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    getItemKey: keyOf,
    estimateSize: () => 96,
    overscan: 6,
  });
  const size = virtual.getTotalSize();
  useLayoutEffect(() => {
    const { current } = box;
    if (atEnd.current && chosen === undefined && current !== null) current.scrollTop = current.scrollHeight;
  }, [count, size, chosen]);
  const newest = useRef(virtual);
  newest.current = virtual;
  const known = chosen !== undefined && chosen < count;
  useEffect(() => {
    if (known) {
      atEnd.current = false;
      newest.current.scrollToIndex(chosen, { align: 'auto' });
    } else if (chosen === undefined) atEnd.current = true;
  }, [chosen, known]);
  const onScroll = (): void => {
    const { current } = box;
    if (current !== null)
      atEnd.current = current.scrollHeight - current.scrollTop - current.clientHeight < END;
  };
  return { box, virtual, onScroll };
}
