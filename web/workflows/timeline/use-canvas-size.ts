import { useEffect, useState } from 'react';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** How large an element is, inside of its borders and scroll bars. */
export function useCanvasSize(box: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    measure();
    return () => watcher.disconnect();
  }, [box]);
  return size;
}
