import { EXPIRED_KEPT_MS, FILE_COLUMNS, fileListing, ORPHAN_AGE_MS, toFile } from '../common/file-rows.ts';
import { maybe, maybeText, type Row, text, timestamp } from '../common/rows.ts';
import { stored, UploadLostError } from '../contract/errors.ts';
import type { FileRecord, FileRecords, NewFileRecord } from '../contract/files.ts';
import { beginGrace } from './collector.ts';
import type { ObjectBlobs, StagedUpload } from '../objects/object-blobs.ts';
import type { Database, Queries, Transaction } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';
import type { PostgresObjectRows } from './object-rows.ts';
import { PostgresWhere } from './where.ts';

interface PostgresFileRecords extends FileRecords {
  /** Removes files that have expired, and those of sessions that were never made. */
  sweep(): Promise<void>;
}

const INSERT = `INSERT INTO files
  (id, created_at, expires_at, filename, mime_type, size_bytes, blob, scope, origin, stamp, details)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

export function createFileRecords(
  db: Database,
  {
    blobs,
    objects,
    clock,
    now,
  }: {
    readonly blobs: ObjectBlobs;
    readonly objects: PostgresObjectRows;
    readonly clock: DatabaseClock;
    readonly now: () => number;
  },
): PostgresFileRecords {
  const rowOf = (from: Queries, id: string): Promise<Row | undefined> =>
    from.get(`SELECT ${FILE_COLUMNS}, blob FROM files WHERE id = ?`, id);

  /** The row of a file that has its bytes and has not expired. */
  const live = async (from: Queries, id: string): Promise<Row> => {
    const row = await rowOf(from, id);
    const expires = row === undefined ? null : maybeText(row, 'expires_at');
    const isGone = row?.['blob'] === null || (expires !== null && expires <= timestamp(now()));
    return stored(isGone ? undefined : row, 'file', id);
  };

  const removeWhere = async (sql: string, ...values: readonly unknown[]): Promise<number> =>
    db.transaction(async (tx) => {
      const rows = await tx.all(`${sql} RETURNING blob`, ...values);
      const hashes = [...new Set(rows.flatMap((row) => maybeText(row, 'blob') ?? []))];
      if (hashes.length > 0) beginGrace(tx, hashes, clock);
      return rows.length;
    });

  const insert = async (
    tx: Transaction,
    staged: StagedUpload,
    record: NewFileRecord,
  ): Promise<FileRecord> => {
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
    if (origin !== null && scope !== null) {
      // Two who have found the same file make one of it: the second one waits here and sees the first one's row.
      await tx.all(
        'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))',
        `steadyhand/file ${scope} ${origin}`,
      );
      const found = await tx.get(
        'SELECT id, blob FROM files WHERE scope = ? AND origin = ? ORDER BY id DESC LIMIT 1',
        scope,
        origin,
      );
      if (found?.['blob'] === staged.hash) {
        tx.later('UPDATE files SET stamp = ? WHERE id = ?', stamp, text(found, 'id'));
        return toFile(stored(await rowOf(tx, text(found, 'id')), 'file', id));
      }
    }
    const at = now();
    const expires = expiresInSeconds === undefined ? null : timestamp(at + expiresInSeconds * 1000);
    const facts = [
      filename,
      mime_type,
      staged.size,
      staged.hash,
      scope,
      origin,
      stamp,
      details === null ? null : JSON.stringify(details),
    ];
    tx.later(INSERT, id, timestamp(at), expires, ...facts);
    return toFile(stored(await rowOf(tx, id), 'file', id));
  };

  const dropExpired = async (): Promise<void> => {
    const at = timestamp(now());
    await db.transaction(async (tx) => {
      const rows = await tx.all(
        `WITH expired AS (SELECT id, blob FROM files WHERE expires_at <= ? AND blob IS NOT NULL FOR UPDATE)
         UPDATE files SET blob = NULL FROM expired WHERE files.id = expired.id RETURNING expired.blob`,
        at,
      );
      const hashes = [...new Set(rows.map((row) => text(row, 'blob')))];
      if (hashes.length > 0) beginGrace(tx, hashes, clock);
    });
    await db.run(
      'DELETE FROM files WHERE expires_at <= ? AND blob IS NULL',
      timestamp(now() - EXPIRED_KEPT_MS),
    );
  };

  const deleteScope = async (scope: string): Promise<void> => {
    await removeWhere('DELETE FROM files WHERE scope = ?', scope);
  };

  return {
    async stage(source, maxBytes) {
      const staged = await blobs.stage(source, maxBytes);
      return {
        size: staged.size,
        head: staged.head,
        discard: () => staged.discard(),
        async keep(record) {
          try {
            return await db.transaction(
              async (tx) => {
                if (!(await objects.finishIn(tx, staged.name, staged.hash)))
                  throw new UploadLostError(staged.name);
                return insert(tx, staged, record);
              },
              { repeat: 'once' },
            );
          } finally {
            await staged.discard();
          }
        },
      };
    },
    async get(id) {
      return maybe(await rowOf(db, id), toFile);
    },
    async list(request) {
      const where = new PostgresWhere().in('id', request.ids);
      const rows = await db.all(fileListing(request, where), ...where.values, request.limit);
      return (request.before === undefined ? rows : rows.toReversed()).map(toFile);
    },
    async delete(id) {
      return (await removeWhere('DELETE FROM files WHERE id = ?', id)) > 0;
    },
    async copy(id, { id: copyId, scope = null }) {
      return db.transaction(
        async (tx) => {
          const row = await live(tx, id);
          // The bytes' row is locked, so that the collector does not take them before the copy is seen.
          const hash = text(row, 'blob');
          const there = await tx.get(
            `SELECT hash FROM objects WHERE hash = ? AND state = 'present' FOR KEY SHARE`,
            hash,
          );
          stored(there, 'file', id);
          const facts = [text(row, 'filename'), text(row, 'mime_type'), row['size_bytes'], hash];
          tx.later(
            INSERT,
            copyId,
            timestamp(now()),
            maybeText(row, 'expires_at'),
            ...facts,
            scope,
            null,
            null,
            null,
          );
          return toFile(stored(await rowOf(tx, copyId), 'file', copyId));
        },
        { repeat: 'once' },
      );
    },
    async newestFrom(scope, origin) {
      const row = await db.get(
        'SELECT id, stamp FROM files WHERE scope = ? AND origin = ? ORDER BY id DESC LIMIT 1',
        scope,
        origin,
      );
      return maybe(row, (found) => ({ id: text(found, 'id'), stamp: maybeText(found, 'stamp') }));
    },
    deleteScope,
    async read(id) {
      return blobs.get(text(await live(db, id), 'blob'));
    },
    async stream(id, range) {
      const hash = text(await live(db, id), 'blob');
      return { hash, ...(await blobs.stream(hash, range)) };
    },
    async sweep() {
      await dropExpired();
      const orphans = await db.all(
        `SELECT DISTINCT scope FROM files WHERE scope IS NOT NULL AND created_at < ?
           AND NOT EXISTS (SELECT 1 FROM sessions WHERE sessions.id = files.scope)`,
        timestamp(now() - ORPHAN_AGE_MS),
      );
      for (const row of orphans) await deleteScope(text(row, 'scope'));
    },
  };
}
