import { setImmediate } from 'node:timers/promises';
import { stored } from '../contract/errors.ts';
import type { CollectedBlobs, StagedBlob } from '../objects/collected-blobs.ts';
import type { FileRecord, FileRecords, NewFileRecord } from '../contract/files.ts';
import { type Row } from '../common/rows.ts';
import { type Connection, requireRoom, write } from './database.ts';
import { integer, maybe, maybeText, text, timestamp } from '../common/rows.ts';
import { EXPIRED_KEPT_MS, fileListing, ORPHAN_AGE_MS, toFile } from '../common/file-rows.ts';
import { SqliteWhere } from './where.ts';

/** The files in SQLite; `sweep` removes what a killed process left, and what has expired. */
interface SqliteFileRecords extends FileRecords {
  sweep(): Promise<void>;
}

/**
 * Opens the files. Their bytes have a blob folder of their own, so that only rows of files refer to them. Names in that
 * folder are added and removed only inside a transaction that holds the database's write lock, which all processes
 * share, so that a count of a hash's rows in it is reliable.
 */
export async function openFileRecords(
  db: Connection,
  blobs: CollectedBlobs,
  now: () => number,
): Promise<SqliteFileRecords> {
  const select = db.prepare('SELECT * FROM files WHERE id = ?');
  const insert = db.prepare(
    `INSERT INTO files (id, created_at, expires_at, filename, mime_type, size_bytes, blob, scope, origin, stamp, details)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const remove = db.prepare('DELETE FROM files WHERE id = ?');
  const newest = db.prepare(
    'SELECT id, stamp, blob FROM files WHERE scope = ? AND origin = ? ORDER BY id DESC LIMIT 1',
  );
  const stampOf = db.prepare('UPDATE files SET stamp = ? WHERE id = ?');
  const ofScope = db.prepare('SELECT DISTINCT blob FROM files WHERE scope = ? AND blob IS NOT NULL');
  const removeScope = db.prepare('DELETE FROM files WHERE scope = ?');
  const orphans = db.prepare(
    `SELECT DISTINCT scope FROM files WHERE scope IS NOT NULL AND created_at < ?
     AND scope NOT IN (SELECT id FROM sessions)`,
  );
  const users = db.prepare('SELECT count(*) AS users FROM files WHERE blob = ?');
  const expired = db.prepare(
    'SELECT DISTINCT blob FROM files WHERE expires_at <= ? AND expires_at IS NOT NULL AND blob IS NOT NULL',
  );
  const forget = db.prepare('UPDATE files SET blob = NULL WHERE expires_at <= ? AND expires_at IS NOT NULL');
  const purge = db.prepare('DELETE FROM files WHERE expires_at <= ? AND blob IS NULL');

  const rowOf = (id: string): Row | undefined => select.get(id);
  const fileOf = (id: string): FileRecord => toFile(stored(rowOf(id), 'file', id));

  /**
   * Runs in a transaction after the one that removed the rows: a crash in between leaves bytes, never a row without
   * bytes.
   */
  const dropUnused = (hashes: readonly string[]): void => {
    if (hashes.length === 0) return;
    write(db, () => {
      for (const hash of hashes) {
        if (integer(users.get(hash) as Row, 'users') === 0) blobs.dropNow(hash);
      }
    });
  };

  /** What cannot be deleted now is deleted by a sweep. */
  const deleteDropped = (): Promise<void> => blobs.deleteDropped().catch(() => undefined);

  const dropExpired = (): void => {
    const at = timestamp(now());
    if (expired.all(at).length === 0) return;
    const hashes = write(db, () => {
      const found = expired.all(at).map((row) => text(row, 'blob'));
      forget.run(at);
      return found;
    });
    dropUnused(hashes);
  };

  /** Runs rarely, as it takes the write lock and reads all records. */
  const forgetLongExpired = (): void => {
    purge.run(timestamp(now() - EXPIRED_KEPT_MS));
  };

  /** Removes bytes that a crash left in the folder without a row. */
  const dropStray = async (): Promise<void> => {
    for (let folder = 0; folder < 256; folder += 1) {
      dropUnused(blobs.hashesIn(folder));
      await setImmediate();
    }
  };

  const keep = (staged: StagedBlob, record: NewFileRecord): FileRecord =>
    write(db, () => {
      const {
        id,
        filename,
        mime_type,
        expiresInSeconds,
        scope = null,
        origin = null,
        stamp = null,
        details = null,
      } = record;
      // Equal bytes at the same origin are the same file, even if another process has stored it meanwhile.
      const found = origin === null ? undefined : newest.get(scope, origin);
      if (found !== undefined && found['blob'] === staged.hash) {
        stampOf.run(stamp, text(found, 'id'));
        return fileOf(text(found, 'id'));
      }
      const at = now();
      const expires = expiresInSeconds === undefined ? null : timestamp(at + expiresInSeconds * 1000);
      // A text ends at its first NUL for the library; the sign for it stands in its place.
      const shown = filename.replaceAll('\0', '\u2400');
      const facts = [
        shown,
        mime_type,
        staged.size,
        staged.hash,
        scope,
        origin,
        stamp,
        details === null ? null : JSON.stringify(details),
      ];
      insert.run(id, timestamp(at), expires, ...facts);
      staged.keepNow();
      return fileOf(id);
    });

  const withBytes = (id: string): Row => {
    const row = rowOf(id);
    return stored(row?.['blob'] === null ? undefined : row, 'file', id);
  };

  /** The row of a file that still has its bytes. */
  const live = (id: string): Row => {
    dropExpired();
    return withBytes(id);
  };

  const dropScope = (scope: string): void => {
    const hashes = write(db, () => {
      const found = ofScope.all(scope).map((row) => text(row, 'blob'));
      removeScope.run(scope);
      return found;
    });
    dropUnused(hashes);
  };

  /** Removes files of sessions that were deleted, or that a crash kept from being created. */
  const dropOrphans = (): void => {
    for (const row of orphans.all(timestamp(now() - ORPHAN_AGE_MS))) dropScope(text(row, 'scope'));
  };

  const sweepRows = async (): Promise<void> => {
    await dropStray();
    dropOrphans();
    dropExpired();
    forgetLongExpired();
  };

  // The place of the bytes may be away at the start.
  await sweepRows();
  return {
    async sweep() {
      await sweepRows();
      await blobs.sweep();
    },
    async stage(source, maxBytes) {
      dropExpired();
      forgetLongExpired();
      requireRoom(db);
      const staged = await blobs.stage(source, maxBytes);
      const { size, head } = staged;
      const discard = (): Promise<void> => staged.discard();
      return {
        size,
        head,
        discard,
        async keep(record) {
          try {
            return keep(staged, record);
          } finally {
            // There is something to discard only if `keep` threw.
            await discard();
          }
        },
      };
    },
    async get(id) {
      return maybe(rowOf(id), toFile);
    },
    async list(request) {
      const where = new SqliteWhere().in('id', request.ids);
      const rows = db.prepare(fileListing(request, where)).all(...where.values, request.limit);
      return (request.before === undefined ? rows : rows.toReversed()).map(toFile);
    },
    async delete(id) {
      const row = rowOf(id);
      const deleted = write(db, () => remove.run(id).changes > 0);
      const hash = row === undefined ? null : maybeText(row, 'blob');
      if (hash !== null) dropUnused([hash]);
      await deleteDropped();
      return deleted;
    },
    async copy(id, { id: copyId, scope = null }) {
      requireRoom(db);
      live(id);
      return write(db, () => {
        const row = withBytes(id);
        const facts = [
          text(row, 'filename'),
          text(row, 'mime_type'),
          integer(row, 'size_bytes'),
          text(row, 'blob'),
        ];
        insert.run(copyId, timestamp(now()), maybeText(row, 'expires_at'), ...facts, scope, null, null, null);
        return fileOf(copyId);
      });
    },
    async newestFrom(scope, origin) {
      const row = newest.get(scope, origin);
      return maybe(row, (found) => ({ id: text(found, 'id'), stamp: maybeText(found, 'stamp') }));
    },
    async deleteScope(scope) {
      dropScope(scope);
      await deleteDropped();
    },
    async read(id) {
      return blobs.get(text(live(id), 'blob'));
    },
    async stream(id, range) {
      const hash = text(live(id), 'blob');
      return { hash, ...(await blobs.stream(hash, range)) };
    },
  };
}
