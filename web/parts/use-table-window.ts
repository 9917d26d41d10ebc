import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

interface TableWindow {
  readonly box: RefObject<HTMLDivElement | null>;
  /** The indices of the rows that are on the page. */
  readonly window: readonly number[];
  /** Of all rows together, in pixels. */
  readonly height: number;
  readonly start: (index: number) => number;
  readonly scrollTo: (index: number) => void;
}

/** All rows are of one height, which the style sheet says. */
function rowHeight(): number {
  const text = getComputedStyle(document.documentElement).getPropertyValue('--row');
  return Number.parseFloat(text) || 40;
}

/** Keeps the rows on the page that are in view, while the whole page scrolls. */
export function useTableWindow(count: number): TableWindow {
  const box = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [size] = useState(rowHeight);
  useLayoutEffect(() => {
    const top = box.current?.getBoundingClientRect().top;
    if (top !== undefined) setMargin(Math.round(top + window.scrollY));
  }, [count]);
  const virtual = useWindowVirtualizer({
    count,
    estimateSize: () => size,
    overscan: 10,
    scrollMargin: margin,
  });
  return {
    box,
    window: virtual.getVirtualItems().map(({ index }) => index),
    height: count * size,
    start: (index) => index * size,
    scrollTo: (index) => virtual.scrollToIndex(index, { align: 'auto' }),
  };
}
