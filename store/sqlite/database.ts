import Database from 'libsql';
import { StoreTooNewError } from '../contract/errors.ts';
import type { Row } from '../common/rows.ts';
import { codeOf } from '../disk/faults.ts';
import type { StorageGuard } from '../disk/storage-guard.ts';
import { becomeShrinkable } from './free-pages.ts';
import { MIGRATIONS } from './migrations.ts';
import { renewStatements } from './renewed-statements.ts';

interface Statement {
  run(...values: readonly unknown[]): Database.RunResult;
  get(...values: readonly unknown[]): Row | undefined;
  all(...values: readonly unknown[]): Row[];
  iterate(...values: readonly unknown[]): Iterable<Row>;
}

/** A connection whose statements answer rows; the library leaves them `unknown`. */
export interface Connection extends Omit<Database.Database, 'prepare'> {
  prepare(source: string): Statement;
}

const BUSY_MS = 10_000;

/**
 * Opens the database file and brings its schema up to date.
 * WAL with synchronous=FULL: a commit is on the disk when it returns, and readers never wait for a writer.
 */
export function openDatabase(path: string): Connection {
  const opened = new Database(path, { timeout: BUSY_MS });
  renewStatements(opened);
  const db = opened as Connection;
  try {
    becomeShrinkable(db);
    // Switching to WAL needs exclusive access for a moment, and SQLite does not wait for it.
    retryWhileBusy(() => db.pragma('journal_mode = WAL'));
    db.pragma('synchronous = FULL');
    db.pragma('foreign_keys = ON');
    migrate(db, path);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

const guards = new WeakMap<Connection, StorageGuard>();

/** Makes writes that fail because of the disk throw the guard's errors. */
export function setGuard(db: Connection, guard: StorageGuard): void {
  guards.set(db, guard);
}

/** Throws StorageFullError while the disk is full; to be called before writes that are not essential. */
export function requireRoom(db: Connection): void {
  guards.get(db)?.requireRoom();
}

/**
 * Runs writes in one transaction that takes the write lock at its start, so that it never fails half way for want of
 * it.
 */
export function write<T>(db: Connection, body: () => T): T {
  const guard = guards.get(db);
  try {
    db.exec('BEGIN IMMEDIATE');
    const result = body();
    db.exec('COMMIT');
    guard?.succeeded();
    return result;
  } catch (error) {
    rollBack(db);
    throw guard === undefined ? error : guard.failed(error);
  }
}

/** On a full disk SQLite has rolled back by itself; the first error is the one to report. */
function rollBack(db: Connection): void {
  try {
    if (db.open && db.inTransaction) db.exec('ROLLBACK');
  } catch {
    // Nothing was committed, which is all that the rollback is for.
  }
}

function migrate(db: Connection, path: string): void {
  if (schemaVersion(db) === MIGRATIONS.length) return;
  write(db, () => {
    const found = schemaVersion(db);
    if (found > MIGRATIONS.length) throw new StoreTooNewError(path, found, MIGRATIONS.length);
    MIGRATIONS.slice(found).forEach((migration) => db.exec(migration));
    db.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function schemaVersion(db: Connection): number {
  return Number((db.prepare('PRAGMA user_version').get() as Row)['user_version']);
}

function retryWhileBusy(body: () => unknown): void {
  const deadline = Date.now() + BUSY_MS;
  for (;;) {
    try {
      body();
      return;
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
