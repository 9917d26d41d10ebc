import pg from 'pg';
import type { TemporaryStores } from '../temporary-store.ts';

/** A connection to the database of a folder's store, past the store. */
export async function connectedTo(stores: TemporaryStores, dir: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await stores.url(dir) });
  await client.connect();
  return client;
}

/** Whether a statement in the client's database waits for a lock. */
export async function waitsForLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}
