import type { Logger } from 'pino';
import { removeDrafts, type Store } from '@steadyhand/store';

const EVERY_MS = 60 * 60 * 1000;

/** Clears away what nobody has, now and every hour. Returns what ends it. */
export function sweeping(store: Pick<Store, 'sweep'>, dataDir: string, log: Logger): () => void {
  let isOver = false;
  const sweep = async (): Promise<void> => {
    try {
      await removeDrafts(dataDir, EVERY_MS);
      await store.sweep();
    } catch (error) {
      if (!isOver) log.error({ err: error }, 'what nobody has was not cleared away');
    }
  };
  void sweep();
  const timer = setInterval(() => void sweep(), EVERY_MS).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
  };
}
