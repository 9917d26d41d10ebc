import { useRouterState } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, Suspense, lazy, useEffect, useRef } from 'react';
import { watchConnection } from '../client/connection.ts';
import { useStore } from '../client/store.ts';
import { LiveRegion } from '../parts/announce.tsx';
import { Toasts } from '../parts/toasts.tsx';
import { ConnectionLine } from './connection-line.tsx';
import { KeyGate } from './key-gate.tsx';
import { useGlobalKeys } from './global-keys.ts';
import { Sidebar, TopBar } from './navigation.tsx';
import { overlay } from './overlay.ts';

const Overlays = lazy(async () => ({ default: (await import('./overlays.tsx')).Overlays }));

/** Everything around a page: the way to the others, the state of the connection, and what lies over them. */
export function Shell({ children }: { readonly children: ReactNode }): ReactElement {
  const main = useRef<HTMLElement>(null);
  const open = useStore(overlay);
  useGlobalKeys();
  useFocusAfterNavigation(main);
  useEffect(watchConnection, []);
  return (
    <>
      <a className="skip" href="#main" onClick={(event) => (event.preventDefault(), main.current?.focus())}>
        Skip to the page
      </a>
      <Sidebar />
      <div className="page">
        <TopBar />
        <ConnectionLine />
        <main id="main" ref={main} tabIndex={-1}>
          <KeyGate>{children}</KeyGate>
        </main>
      </div>
      <Toasts />
      <LiveRegion />
      {open === 'none' ? null : (
        <Suspense>
          <Overlays open={open} />
        </Suspense>
      )}
    </>
  );
}

/** After a link was followed, the keyboard and the screen reader go on at the new page's heading. */
function useFocusAfterNavigation(main: { readonly current: HTMLElement | null }): void {
  const place = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname });
  const before = useRef(place);
  useEffect(() => {
    const about = place === '/' || place === '/inference' ? 'shown' : 'hidden';
    document.documentElement.dataset['about'] = about;
    if (before.current !== undefined && place !== undefined && before.current !== place) {
      const heading = main.current?.querySelector<HTMLElement>('h1');
      (heading ?? main.current)?.focus({ preventScroll: true });
    }
    before.current = place;
  }, [place, main]);
}
