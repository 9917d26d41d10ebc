import { useEffect, useState } from 'react';
import { COLOURS, type Palette } from './draw.ts';

interface Looks {
  readonly palette: Palette;
  readonly font: string;
}

/** The theme's colours as a canvas takes them, read from swatches (`data-colour`) in the element. */
export function useLooks(box: { readonly current: HTMLElement | null }): Looks | undefined {
  const [looks, setLooks] = useState<Looks>();
  useEffect(() => {
    const read = (): void => {
      if (box.current === null) return;
      const palette: Record<string, string> = {};
      for (const swatch of box.current.querySelectorAll<HTMLElement>('[data-colour]')) {
        palette[swatch.dataset['colour'] ?? ''] = getComputedStyle(swatch).color;
      }
      setLooks({ palette: palette as Palette, font: `12px ${getComputedStyle(box.current).fontFamily}` });
    };
    read();
    const watcher = new MutationObserver(read);
    watcher.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const system = window.matchMedia('(prefers-color-scheme: dark)');
    system.addEventListener('change', read);
    return () => {
      watcher.disconnect();
      system.removeEventListener('change', read);
    };
  }, [box]);
  return looks;
}

/** Styles of the swatches. */
export const SWATCHES = COLOURS.map((name) => ({ name, style: { color: `var(--${name})` } }));
