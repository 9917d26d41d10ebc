import type { Logger } from 'pino';
import type { Store } from '../store/index.ts';

const EVERY_MS = 60 * 60 * 1000;

/** Clears away what nobody has, now and every hour. Returns what ends it. */
export function sweeping(store: Pick<Store, 'sweep'>, log: Logger): () => void {
  const sweep = (): void => {
    store
      .sweep()
      .catch((error: unknown) => log.error({ err: error }, 'what nobody has was not cleared away'));
  };
  sweep();
  const timer = setInterval(sweep, EVERY_MS).unref();
  return () => clearInterval(timer);
}
