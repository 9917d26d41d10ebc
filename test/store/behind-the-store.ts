import Database from 'libsql';
import { join } from 'node:path';
import { connectedTo } from './postgres/client.ts';
import type { TemporaryStores } from './temporary-store.ts';

const TRIGGERS = ['events_never_change', 'events_never_go_alone'];

/** Runs SQL in a store's database, past the store. */
export async function runBehind(
  stores: TemporaryStores,
  dir: string,
  ...statements: readonly string[]
): Promise<void> {
  if (stores.kind === 'sqlite') {
    const db = new Database(join(dir, 'store.db'));
    try {
      for (const statement of statements) db.exec(statement);
    } finally {
      db.close();
    }
    return;
  }
  const client = await connectedTo(stores, dir);
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Reads rows of a store's database, past the store. */
export async function readBehind(
  stores: TemporaryStores,
  dir: string,
  select: string,
): Promise<readonly unknown[]> {
  if (stores.kind === 'sqlite') {
    const db = new Database(join(dir, 'store.db'));
    try {
      return db.prepare(select).all();
    } finally {
      db.close();
    }
  }
  const client = await connectedTo(stores, dir);
  try {
    return (await client.query<Record<string, unknown>>(select)).rows;
  } finally {
    await client.end();
  }
}

/** The same without the triggers that stop an honest mistake. */
export async function tamper(stores: TemporaryStores, dir: string, sql: string): Promise<void> {
  const on = stores.kind === 'postgres' ? ' ON events' : '';
  await runBehind(stores, dir, ...TRIGGERS.map((name) => `DROP TRIGGER IF EXISTS ${name}${on}`), sql);
}
