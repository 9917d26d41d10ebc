import { type OnceOnly, REMEMBERED_MS } from '../contract/once-only.ts';
import { type Connection, write } from './database.ts';

/** `sweep` forgets the keys that nobody accepts any more. */
export function createOnceOnly(db: Connection, now: () => number): OnceOnly & { sweep(): void } {
  const insert = db.prepare('INSERT INTO once_only (key, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const forget = db.prepare('DELETE FROM once_only WHERE expires_at < ?');
  return {
    take: async (key, expiresAt) => write(db, () => insert.run(key, expiresAt).changes > 0),
    sweep: () => void write(db, () => forget.run(now() - REMEMBERED_MS)),
  };
}
