import type { Logger } from 'pino';
import { removeDrafts, type Store } from '@steadyhand/store';

const EVERY_MS = 60 * 60 * 1000;

/** Removes drafts and unreferenced data now and every hour. Returns the function that stops it. */
export function startSweeps(store: Pick<Store, 'sweep'>, dataDir: string, log: Logger): () => void {
  let isStopped = false;
  const sweep = async (): Promise<void> => {
    try {
      await removeDrafts(dataDir, EVERY_MS);
      await store.sweep();
    } catch (error) {
      if (!isStopped) log.error({ err: error }, 'what nobody has was not cleared away');
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), EVERY_MS).unref();
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}
