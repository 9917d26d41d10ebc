import { type OnceOnly, REMEMBERED_MS } from '../contract/once-only.ts';
import type { Database } from './database.ts';

/** `sweep` forgets the keys that nobody accepts any more. */
export function createOnceOnly(db: Database, now: () => number): OnceOnly & { sweep(): Promise<void> } {
  return {
    async take(key, expiresAt) {
      // After a lost answer it is not known whether the key was taken, so it counts as used.
      return db.transaction(
        async (tx) =>
          (await tx.run(
            'INSERT INTO once_only (key, expires_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
            key,
            expiresAt,
          )) > 0,
        { repeat: 'once' },
      );
    },
    async sweep() {
      await db.run('DELETE FROM once_only WHERE expires_at < ?', now() - REMEMBERED_MS);
    },
  };
}
