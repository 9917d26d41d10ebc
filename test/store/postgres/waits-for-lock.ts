import type pg from 'pg';

/** Whether a statement in the client's database waits for a lock. */
export async function waitsForLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}
