import Database from 'libsql';
import { SCHEMA, SCHEMA_VERSION } from './schema.ts';

export type SqliteDatabase = InstanceType<typeof Database>;

/** What a commit waits for; `openDatabase` says what each survives. */
export type Synchronous = 'full' | 'normal';

/**
 * Opens (or creates) the engine's database file in WAL mode.
 *
 * `full` syncs the log at every commit and survives a power cut; `normal` hands it to the operating system, survives the
 * death of the process at any instant, and after a power cut may lose the newest commits but never consistency.
 */
export function openDatabase(path: string, synchronous: Synchronous): SqliteDatabase {
  const db = new Database(path);
  db.exec('PRAGMA journal_mode = WAL');
  db.exec(`PRAGMA synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
  db.exec('PRAGMA busy_timeout = 5000');
  db.exec(SCHEMA);
  const version = readMeta(db, 'schema_version');
  if (version === undefined) {
    writeMeta(db, 'schema_version', SCHEMA_VERSION);
  } else if (version !== SCHEMA_VERSION) {
    db.close();
    throw new Error(`${path} was written by another version of the engine (schema ${version})`);
  }
  return db;
}

export function readMeta(db: SqliteDatabase, key: string): string | undefined {
  const row = db.prepare('SELECT value FROM engine_meta WHERE key = ?').get(key) as
    { value: string } | undefined;
  return row?.value;
}

export function writeMeta(db: SqliteDatabase, key: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO engine_meta (key, value) VALUES (?, ?)').run(key, value);
}
