import { type MouseEvent, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';

const CHANGED = 'steadyhand:navigated';

/** The path of the address, kept current. */
export function usePath(): string {
  return useSyncExternalStore(subscribe, () => window.location.pathname);
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('popstate', changed);
  window.addEventListener(CHANGED, changed);
  return () => {
    window.removeEventListener('popstate', changed);
    window.removeEventListener(CHANGED, changed);
  };
}

/** Goes to another page of this app without loading it anew. */
export function navigate(path: string): void {
  window.history.pushState(null, '', path);
  window.scrollTo(0, 0);
  window.dispatchEvent(new Event(CHANGED));
}

interface LinkProps {
  readonly to: string;
  readonly className?: string;
  /** Whether this is the page that is shown. */
  readonly current?: boolean;
  readonly children: ReactNode;
}

/** An ordinary link (it can be copied and opened in a new tab) that stays in the app on a plain click. */
export function Link({ to, className, current, children }: LinkProps): ReactElement {
  const follow = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    navigate(to);
  };
  return (
    <a href={to} className={className} aria-current={current === true ? 'page' : undefined} onClick={follow}>
      {children}
    </a>
  );
}
