import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { maybe, type Row, text } from '../common/rows.ts';
import { FileUnusableError, NotStoredError, StoreTooNewError } from '../contract/errors.ts';
import type { ObjectStore } from '../contract/objects.ts';
import { codeOf, fileFault } from '../disk/faults.ts';
import type { Connection } from '../sqlite/database.ts';
import { MIGRATIONS } from '../sqlite/migrations.ts';

/** Where bytes belong: those that events and effects name, and those of files. */
export type BytesKind = 'blob' | 'file';

/** Bytes that a row of the store names. */
export interface NamedBytes {
  readonly kind: BytesKind;
  readonly hash: string;
}

/** A SQLite store that is only read. */
export interface TransferSource {
  readonly installation: string;
  rows(sql: string, ...values: readonly unknown[]): Iterable<Row>;
  /** All that rows name, each kind by itself, in the order of the hashes. */
  named(): readonly NamedBytes[];
  /** The bytes, which nobody has checked. Throws NotStoredError where they are gone. */
  bytes(named: NamedBytes): Promise<AsyncIterable<Uint8Array>>;
  /** Writes all rows, of one moment, into a new file. */
  copyInto(file: string): void;
  close(): void;
}

const NAMED = `
  SELECT 'blob' AS kind, hash FROM blob_uses GROUP BY hash
  UNION ALL SELECT 'file', blob FROM files WHERE blob IS NOT NULL GROUP BY blob
  ORDER BY 1, 2`;

/**
 * Opens the store of a folder for reading, also while a product works with it.
 * @param objects where its bytes are; undefined for the folder
 * @throws {FileUnusableError} where there is no store, or one that this version has to bring up to date first
 * @throws {StoreTooNewError} for the store of a newer program
 */
export function openTransferSource(dir: string, objects?: ObjectStore): TransferSource {
  const path = join(dir, 'store.db');
  if (!existsSync(path)) throw new FileUnusableError(path, 'is not there: DATA_DIR holds no store');
  let db: Connection | undefined;
  try {
    db = new Database(path, { timeout: 10_000 }) as Connection;
    db.exec('PRAGMA query_only = ON');
    requireCurrent(db, path);
    return source(db, dir, objects);
  } catch (error) {
    db?.close();
    throw fileFault(path, error);
  }
}

function source(db: Connection, dir: string, objects: ObjectStore | undefined): TransferSource {
  const objectName = db.prepare(`SELECT name FROM objects WHERE kind = ? AND hash = ? AND state = 'present'`);
  return {
    installation: setting(db, 'installation') ?? '',
    rows: (sql, ...values) => db.prepare(sql).iterate(...values),
    named: () =>
      [...db.prepare(NAMED).iterate()].map((row) => ({
        kind: text(row, 'kind') as BytesKind,
        hash: text(row, 'hash'),
      })),
    async bytes({ kind, hash }) {
      if (objects === undefined) return fileBytes(join(dir, `${kind}s`, hash.slice(0, 2), hash), hash);
      const name = maybe(objectName.get(kind, hash), (row) => text(row, 'name'));
      if (name === undefined) throw new NotStoredError('blob', hash);
      return (await objects.stream(name)).body as AsyncIterable<Uint8Array>;
    },
    copyInto(file) {
      // It writes nothing but the new file, and is refused all the same.
      db.exec('PRAGMA query_only = OFF');
      try {
        db.prepare('VACUUM INTO ?').run(file);
      } finally {
        db.exec('PRAGMA query_only = ON');
      }
    },
    close: () => db.close(),
  };
}

async function* fileBytes(path: string, hash: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw codeOf(error) === 'ENOENT' ? new NotStoredError('blob', hash) : error;
  }
}

/** What this version reads has to be what this version wrote. */
function requireCurrent(db: Connection, path: string): void {
  const version = Number(db.prepare('PRAGMA user_version').get()?.['user_version']);
  if (version > MIGRATIONS.length) throw new StoreTooNewError(path, version, MIGRATIONS.length);
  if (version < MIGRATIONS.length)
    throw new FileUnusableError(
      path,
      'is of an earlier version: start this version on it once, then repeat this',
    );
  // Which blobs rows from before there were uses name is known after the first sweep alone.
  if (db.prepare('SELECT 1 FROM blob_uses_unread LIMIT 1').get() !== undefined)
    throw new FileUnusableError(
      path,
      'is of an earlier version, and its first sweep has not ended: keep this version running until it has',
    );
}

function setting(db: Connection, name: string): string | undefined {
  return maybe(db.prepare('SELECT value FROM settings WHERE name = ?').get(name), (row) =>
    text(row, 'value'),
  );
}
