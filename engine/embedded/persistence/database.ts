import Database from 'libsql';
import { renewStatements } from './renewed-statements.ts';
import { MIGRATIONS, type Migration } from './schema.ts';

export type SqliteDatabase = InstanceType<typeof Database>;

/** What a commit waits for; `openDatabase` says what each survives. */
export type Synchronous = 'full' | 'normal';

/** A newer release has changed the tables, so this one would misread them. */
export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError';
  readonly found: number;
  readonly known: number;

  constructor(found: number, known: number) {
    super(`its schema is ${found}, and this release knows none beyond ${known}`);
    this.found = found;
    this.known = known;
  }
}

/** The file is another program's database, in which the engine's tables have no place. */
export class ForeignDatabaseError extends Error {
  override readonly name = 'ForeignDatabaseError';

  constructor(table: string) {
    super(`it has the table ${table} and none of the engine's`);
  }
}

/** A log larger than this is cut once its contents are in the file. */
const KEPT_LOG_BYTES = 4 * 1024 * 1024;

/**
 * Opens (or creates) the engine's database file in WAL mode and brings its tables up to date.
 *
 * `full` syncs the log at every commit and survives a power cut; `normal` hands it to the operating system, survives
 * the death of the process at any instant, and after a power cut may lose the newest commits but never consistency.
 *
 * @throws SchemaTooNewError when a newer release has written the file, and it was not only added to
 * @throws ForeignDatabaseError when another program has
 */
export function openDatabase(
  path: string,
  synchronous: Synchronous,
  migrations: readonly Migration[] = MIGRATIONS,
): SqliteDatabase {
  const db = new Database(path);
  renewStatements(db);
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    refuseForeign(db);
    enableIncrementalVacuum(db);
    db.exec('PRAGMA journal_mode = WAL');
    db.exec(`PRAGMA journal_size_limit = ${KEPT_LOG_BYTES}`);
    db.exec(`PRAGMA synchronous = ${synchronous === 'full' ? 'FULL' : 'NORMAL'}`);
    migrate(db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Looks before anything is written: whoever named the wrong file gets it back as it was. */
export function refuseForeign(db: SqliteDatabase): void {
  if (hasMeta(db)) return;
  const other = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").get() as
    | { name: string }
    | undefined;
  if (other !== undefined) throw new ForeignDatabaseError(other.name);
}

/** Applies all steps that are missing, or none of them. More steps than are known are left, if all of those only add. */
function migrate(db: SqliteDatabase, migrations: readonly Migration[]): void {
  if (schemaVersion(db) === migrations.length) return;
  db.transaction(() => {
    const found = schemaVersion(db);
    if (found > migrations.length) {
      // Files from before this was written say nothing of it.
      if (Number(readMeta(db, 'oldest_schema') ?? found) <= migrations.length) return;
      throw new SchemaTooNewError(found, migrations.length);
    }
    for (const { sql } of migrations.slice(found)) db.exec(sql);
    writeMeta(db, 'schema_version', String(migrations.length));
    const breaking = migrations.findLastIndex(({ isBreaking }) => isBreaking === true) + 1;
    writeMeta(db, 'oldest_schema', String(Math.max(breaking, 1)));
  }).immediate();
}

function schemaVersion(db: SqliteDatabase): number {
  return hasMeta(db) ? Number(readMeta(db, 'schema_version') ?? 0) : 0;
}

function hasMeta(db: SqliteDatabase): boolean {
  const table = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'engine_meta'";
  return db.prepare(table).get() !== undefined;
}

export function readMeta(db: SqliteDatabase, key: string): string | undefined {
  const row = db.prepare('SELECT value FROM engine_meta WHERE key = ?').get(key) as
    | { value: string }
    | undefined;
  return row?.value;
}

export function writeMeta(db: SqliteDatabase, key: string, value: string): void {
  db.prepare('INSERT OR REPLACE INTO engine_meta (key, value) VALUES (?, ?)').run(key, value);
}

/** SQLite's number for a file that releases free pages in batches, when it is asked to. */
const INCREMENTAL = 2;

/** An older file is rewritten once for that, unless it is so large that the start would take long. */
const LARGEST_REWRITE_BYTES = 512 * 1024 * 1024;

/** How many pages are released at a time: a mebibyte, which takes some milliseconds. */
const BATCH_PAGES = 256;

/** Makes the file one that can shrink. That costs nothing for a file without tables. */
function enableIncrementalVacuum(db: SqliteDatabase): void {
  if (numberOf(db, 'auto_vacuum') === INCREMENTAL) return;
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  const pages = numberOf(db, 'page_count');
  if (pages === 0 || pages * numberOf(db, 'page_size') > LARGEST_REWRITE_BYTES) return;
  db.exec('VACUUM');
}

/**
 * Returns a batch of the free pages to the file system, as long as they are more than a tenth of the file: fewer will
 * be used again. Answers whether there may be more to release.
 */
export function releaseFreePages(db: SqliteDatabase): boolean {
  const free = numberOf(db, 'freelist_count');
  const kept = Math.max(BATCH_PAGES, numberOf(db, 'page_count') / 10);
  if (free <= kept || numberOf(db, 'auto_vacuum') !== INCREMENTAL) return false;
  db.exec(`PRAGMA incremental_vacuum(${BATCH_PAGES})`);
  return true;
}

/** Moves what the log holds into the file and cuts the log to nothing. */
export function truncateLog(db: SqliteDatabase): void {
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
}

function numberOf(
  db: SqliteDatabase,
  pragma: 'auto_vacuum' | 'page_count' | 'page_size' | 'freelist_count',
): number {
  const row = db.prepare(`PRAGMA ${pragma}`).get() as Partial<Record<typeof pragma, number>> | undefined;
  return row?.[pragma] ?? 0;
}
