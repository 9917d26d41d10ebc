import type { Logger } from 'pino';
import type { Store } from '@steadyhand/store';

/** Sessions are looked at one after the other, at most one in this time. */
const EVERY_MS = 1000;
/** And when all have been looked at. */
const IDLE_MS = 60 * 1000;
/** What others find broken meanwhile, at the opening of a session, is told by then. */
const TELL_MS = 5000;
/** A log that was found whole is walked again after this. */
const AGAIN_MS = 24 * 60 * 60 * 1000;

export interface Patrol {
  /** How many sessions are damaged, as far as is known. */
  broken(): number;
  stop(): void;
}

/** Walks the logs of all sessions, the one whose last check is oldest first, slowly and for ever. */
export function startPatrol(
  store: { readonly events: Pick<Store['events'], 'broken' | 'leastChecked' | 'verify'> },
  log: Logger,
  {
    everyMs = EVERY_MS,
    idleMs = IDLE_MS,
    now = Date.now,
  }: { readonly everyMs?: number; readonly idleMs?: number; readonly now?: () => number } = {},
): Patrol {
  let told = new Set<string>();
  let isOver = false;
  let timer: NodeJS.Timeout | undefined;

  const tell = async (): Promise<void> => {
    try {
      const found = await store.events.broken();
      for (const { id, broken_at, reason } of found) {
        if (!told.has(id)) log.error({ session: id, broken_at, reason }, 'a session is damaged');
      }
      told = new Set(found.map(({ id }) => id));
    } catch (error) {
      if (!isOver) log.warn({ err: error }, 'the damaged sessions could not be listed');
    }
  };

  const look = async (): Promise<void> => {
    let wait = everyMs;
    try {
      const next = await store.events.leastChecked(new Date(now() - AGAIN_MS).toISOString());
      if (next === undefined) wait = idleMs;
      else await store.events.verify(next);
    } catch (error) {
      // It may have been deleted meanwhile; what else fails is told and does not end the patrol.
      if (!isOver) log.warn({ err: error }, 'a session was not checked');
    }
    await tell();
    if (!isOver) timer = setTimeout(() => void look(), wait).unref();
  };

  const telling = setInterval(() => void tell(), TELL_MS).unref();
  void look();
  return {
    broken: () => told.size,
    stop: () => {
      isOver = true;
      clearTimeout(timer);
      clearInterval(telling);
    },
  };
}
