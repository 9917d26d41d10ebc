import path from 'node:path';
import type { Logger } from 'pino';
import { removeDrafts, type Store } from '@steadyhand/store';

const EVERY_MS = 60 * 60 * 1000;

/** How the sweeps of this process went. Times are RFC 3339. */
export interface SweepState {
  /** When the last one ended; null before the first has. */
  readonly last_at: string | null;
  readonly took_ms: number | null;
  readonly next_at: string;
  /** Why the last one failed; null where it did not. */
  readonly failure: string | null;
}

export interface Sweeps {
  state(): SweepState;
  stop(): void;
}

/** Removes drafts and unreferenced data now and every hour. */
export function startSweeps(store: Pick<Store, 'sweep'>, dataDir: string, log: Logger): Sweeps {
  let isStopped = false;
  let state: SweepState = { last_at: null, took_ms: null, next_at: at(0), failure: null };
  const sweep = async (): Promise<void> => {
    const began = performance.now();
    const next_at = at(EVERY_MS);
    let failure: string | null = null;
    try {
      for (const folder of draftFolders(dataDir)) await removeDrafts(folder, EVERY_MS);
      await store.sweep();
    } catch (error) {
      if (isStopped) return;
      failure = error instanceof Error ? error.message : String(error);
      log.error({ err: error }, 'what nobody has was not cleared away');
    }
    state = { last_at: at(0), took_ms: Math.round(performance.now() - began), next_at, failure };
  };
  void sweep();
  const timer = setInterval(() => void sweep(), EVERY_MS).unref();
  return {
    state: () => state,
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}

/** The folders in which a process that is killed can leave a file that it was writing. */
export function draftFolders(dataDir: string): readonly string[] {
  return [dataDir, path.join(dataDir, 'engine')];
}

function at(ms: number): string {
  return new Date(Date.now() + ms).toISOString();
}
