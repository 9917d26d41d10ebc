import { Listeners } from '../common/listeners.ts';
import { integer, text } from '../common/rows.ts';
import type { Database } from './database.ts';
import type { Listening } from './listening.ts';
import { createNotifications, type Growth } from './notifications.ts';

const SESSIONS_PER_LOOK = 1000;
/** Stands for the cursor of a session that is not there. */
const GONE = -1;

/** Calls listeners when a session's event log has grown or gone. */
export interface Tails {
  subscribe(session: string, listener: () => void): () => void;
  /** To be called after this process has committed a change; `cursor` is undefined for a session that is gone. */
  notify(session: string, cursor: number | undefined): void;
  close(): Promise<void>;
}

/**
 * Listeners hear of this process at once, of others by NOTIFY, and in any case by a look at the cursors of the sessions
 * that are listened to, every few seconds. Cursors and not positions over all logs are compared, because transactions
 * do not commit in the order in which they got their numbers.
 */
export function createTails(db: Database, listening: Listening, pollMs: number): Tails {
  const listeners = new Listeners();
  /** What the listeners of each session were last called for. */
  const told = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;

  const tell = ([session, cursor]: Growth): void => {
    if (!listeners.has(session)) return;
    told.set(session, cursor);
    listeners.ring(session);
  };

  const notifications = createNotifications(db, listening, {
    growth: tell,
    gap: () => listeners.sessions().forEach((session) => listeners.ring(session)),
  });

  const look = async (): Promise<void> => {
    const sessions = listeners.sessions();
    for (const session of told.keys()) if (!listeners.has(session)) told.delete(session);
    for (let at = 0; at < sessions.length; at += SESSIONS_PER_LOOK) {
      const lot = sessions.slice(at, at + SESSIONS_PER_LOOK);
      const rows = await db.all(
        'SELECT id, cursor FROM sessions WHERE id = ANY(?) AND deleting_at IS NULL',
        lot,
      );
      const cursors = new Map(rows.map((row) => [text(row, 'id'), integer(row, 'cursor')]));
      for (const session of lot) {
        const cursor = cursors.get(session) ?? GONE;
        if (told.get(session) !== cursor) tell([session, cursor]);
      }
    }
  };

  const poll = (): void => {
    // When the database is away, the listeners' own reads report it.
    looking ??= look()
      .catch(() => undefined)
      .finally(() => (looking = undefined));
  };

  return {
    subscribe(session, listener) {
      const remove = listeners.add(session, listener);
      // What the new listener was called for is not known, so the next look calls it.
      told.delete(session);
      notifications.listen();
      timer ??= setInterval(poll, pollMs).unref();
      return () => {
        remove();
        if (!listeners.isEmpty) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    notify(session, cursor = GONE) {
      tell([session, cursor]);
      notifications.send([session, cursor]);
    },
    async close() {
      clearInterval(timer);
      listeners.clear();
      await notifications.close();
      await looking;
    },
  };
}
