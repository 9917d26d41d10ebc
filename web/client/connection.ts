import { createStore } from './store.ts';

/** Whether the newest request reached the server. */
export const connection = createStore<'open' | 'lost'>('open');

/** The waits between two looks whether the server is back. */
const BACKOFF_MS = [500, 1000, 2000, 5000];

/** Looks until the server answers again, and sooner when the browser says that the network is back. */
export function watchConnection(): () => void {
  let timer: number | undefined;
  let failures = 0;
  const look = async (): Promise<void> => {
    window.clearTimeout(timer);
    timer = undefined;
    try {
      await fetch('/health', { cache: 'no-store' });
      connection.set('open');
    } catch {
      plan();
    }
  };
  const plan = (): void => {
    if (timer !== undefined || connection.get() === 'open') return;
    timer = window.setTimeout(() => void look(), BACKOFF_MS[Math.min(failures++, BACKOFF_MS.length - 1)]);
  };
  const changed = (): void => {
    if (connection.get() === 'lost') return plan();
    failures = 0;
    window.clearTimeout(timer);
    timer = undefined;
  };
  const online = (): void => {
    if (connection.get() === 'lost') void look();
  };
  window.addEventListener('online', online);
  const unsubscribe = connection.subscribe(changed);
  return () => {
    unsubscribe();
    window.removeEventListener('online', online);
    window.clearTimeout(timer);
  };
}
