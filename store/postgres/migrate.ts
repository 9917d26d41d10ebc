import pg from 'pg';
import { StoreRefusedError, StoreTooNewError } from '../contract/errors.ts';
import { placeOf } from './address.ts';
import { isAway, isRefused, unavailable } from './faults.ts';
import { type Migration, MIGRATIONS } from './migrations.ts';
import { clientOptions } from './pool.ts';

const VERSION_TABLE = `
  -- steps: how many steps of the schema were applied; oldest: how many a program has to know to work with it
  CREATE TABLE IF NOT EXISTS schema_version (
    one BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (one),
    steps INTEGER NOT NULL,
    oldest INTEGER NOT NULL
  )`;

interface Version {
  readonly steps: number;
  readonly oldest: number;
}

/**
 * Brings the schema up to date, one process at a time. A schema with more steps than this program knows is left as it
 * is and accepted, as long as those steps only add.
 * @throws {StoreTooNewError} when this program cannot work with what a newer one has made of the schema
 * @throws {StoreUnavailableError} when the server cannot be reached
 * @throws {StoreRefusedError} when it does not take this program in
 */
export async function migrate(url: string, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const client = new pg.Client(clientOptions(url));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await requireUtf8(client, placeOf(url));
    // A step may take its time, and so may the one of another process that this one waits for.
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await client.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('steadyhand/schema', 0))");
    await client.query(VERSION_TABLE);
    const found = (await client.query<Version>('SELECT steps, oldest FROM schema_version')).rows[0];
    const { steps, oldest } = found ?? { steps: 0, oldest: 0 };
    if (oldest > migrations.length) throw new StoreTooNewError(placeOf(url), oldest, migrations.length);
    for (const { sql } of migrations.slice(steps)) await client.query(sql);
    if (migrations.length > steps) {
      const breaking = migrations.findLastIndex(({ isBreaking }) => isBreaking === true) + 1;
      await client.query(
        `INSERT INTO schema_version (steps, oldest) VALUES ($1, $2)
         ON CONFLICT (one) DO UPDATE SET steps = excluded.steps, oldest = excluded.oldest`,
        [migrations.length, Math.max(breaking, 1)],
      );
    }
    await client.query('COMMIT');
  } catch (error) {
    if (isAway(error)) throw unavailable(placeOf(url), error);
    if (!isRefused(error)) throw error;
    throw new StoreRefusedError(placeOf(url), error instanceof Error ? error.message : '', { cause: error });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function requireUtf8(client: pg.Client, place: string): Promise<void> {
  const { rows } = await client.query<{ server_encoding: string }>('SHOW server_encoding');
  const encoding = rows[0]?.server_encoding;
  if (encoding !== 'UTF8')
    throw new StoreRefusedError(place, `its encoding is ${encoding}; it has to be made with ENCODING 'UTF8'`);
}
