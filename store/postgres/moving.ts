import { StoreRefusedError } from '../contract/errors.ts';
import type { Database } from './database.ts';

/** The setting by which a database is marked while an installation is moved into it; its value is the installation. */
export const MOVING = 'moving';

/** Throws StoreRefusedError for a database into which a move has begun and not ended. */
export async function requireWhole(db: Pick<Database, 'get' | 'place'>): Promise<void> {
  if ((await db.get('SELECT value FROM settings WHERE name = ?', MOVING)) === undefined) return;
  throw new StoreRefusedError(db.place, 'a move into it has not ended; run the same move again');
}
