import { Listeners } from '../common/listeners.ts';
import { integer, type Row, text } from '../common/rows.ts';
import type { Connection } from './database.ts';

/** Calls listeners when a session's event log has grown or gone: in this process at once, in others by polling. */
export interface Watcher {
  subscribe(session: string, listener: () => void): () => void;
  /** To be called after this process has committed a change. */
  notify(session: string): void;
  close(): void;
}

/**
 * SQLite's `data_version` changes when another connection has committed, and reading it takes microseconds. Only then
 * are the newest events read for their sessions. Nothing is polled while there are no listeners.
 */
export function createWatcher(db: Connection, pollMs: number): Watcher {
  const listeners = new Listeners();
  const dataVersion = db.prepare('PRAGMA data_version');
  const lastPosition = db.prepare('SELECT coalesce(max(position), 0) AS position FROM events');
  const grownSince = db.prepare('SELECT DISTINCT session FROM events WHERE position > ?');
  const exists = db.prepare('SELECT 1 FROM sessions WHERE id = ? AND deleting_at IS NULL');
  let timer: NodeJS.Timeout | undefined;
  let version = 0;
  let position = 0;

  const readVersion = (): number => integer(dataVersion.get() as Row, 'data_version');
  const readPosition = (): number => integer(lastPosition.get() as Row, 'position');

  const look = (): void => {
    const current = readVersion();
    if (current === version) return;
    version = current;
    const since = position;
    position = readPosition();
    for (const row of grownSince.all(since)) listeners.ring(text(row, 'session'));
    for (const session of listeners.sessions())
      if (exists.get(session) === undefined) listeners.ring(session);
  };

  /** When the file cannot be read, all listeners are called: their own reads then fail where the error is reported. */
  const poll = (): void => {
    try {
      look();
    } catch {
      for (const session of listeners.sessions()) listeners.ring(session);
    }
  };

  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    subscribe(session, listener) {
      const remove = listeners.add(session, listener);
      if (timer === undefined) {
        version = readVersion();
        position = readPosition();
        timer = setInterval(poll, pollMs).unref();
      }
      return () => {
        remove();
        if (listeners.isEmpty) stop();
      };
    },
    notify: (session) => listeners.ring(session),
    close() {
      stop();
      listeners.clear();
    },
  };
}
