import { setImmediate } from 'node:timers/promises';
import { text } from '../common/rows.ts';
import type { BlobBytes } from '../contract/blob-bytes.ts';
import type { Database } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';

/** How long bytes stay after a put without a reference from a row, and after the last reference has gone. */
const GRACE_MS = 60 * 60 * 1000;
/** Bytes of this age of which no row tells were written before a backup was restored. */
const STRAY_MS = 24 * 60 * 60 * 1000;
const BLOBS_PER_TRANSACTION = 100;

const REFERENCED = `(EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.hash = blobs.hash)
  OR EXISTS (SELECT 1 FROM files WHERE files.blob = blobs.hash))`;

export interface Collector {
  /** Removes the references of a scope. What is then without one is collected after the time of grace. */
  dropReferences(scope: string): Promise<void>;
  /** Removes bytes to which nothing refers. Several processes may do so at once. */
  collect(): Promise<void>;
  /** Finds bytes of which no row tells, so that they are collected; it lists all of them. */
  findStray(): Promise<void>;
}

export function createCollector(db: Database, bytes: BlobBytes, clock: DatabaseClock): Collector {
  /**
   * Marks some blobs as being deleted. First their rows are locked, which waits for no reference that is being written;
   * a second statement then sees all references that were committed before the lock.
   */
  const mark = async (): Promise<{ readonly looked: number; readonly marked: readonly string[] }> => {
    const [since, from] = clock.ago(GRACE_MS);
    const [now, at] = clock.now();
    return db.transaction(async (tx) => {
      const rows = await tx.all(
        `SELECT hash FROM blobs WHERE touched_at < ${since} ORDER BY touched_at LIMIT ${BLOBS_PER_TRANSACTION}
         FOR UPDATE SKIP LOCKED`,
        ...from,
      );
      const hashes = rows.map((row) => text(row, 'hash'));
      if (hashes.length === 0) return { looked: 0, marked: [] };
      // What is referred to waits for nobody any more, until the last reference goes.
      tx.later(`UPDATE blobs SET touched_at = NULL WHERE hash = ANY(?) AND ${REFERENCED}`, hashes);
      const marked = await tx.all(
        `UPDATE blobs SET state = 'deleting', touched_at = ${now} WHERE hash = ANY(?) AND NOT ${REFERENCED}
         RETURNING hash`,
        ...at,
        hashes,
      );
      return { looked: hashes.length, marked: marked.map((row) => text(row, 'hash')) };
    });
  };

  /** The rows are held while the bytes go, so that a put of the same bytes waits and then finds neither. */
  const remove = (hashes: readonly string[]): Promise<void> =>
    db.transaction(async (tx) => {
      const rows = await tx.all(
        `SELECT hash FROM blobs WHERE hash = ANY(?) AND state = 'deleting' ORDER BY hash FOR UPDATE SKIP LOCKED`,
        hashes,
      );
      const held = rows.map((row) => text(row, 'hash'));
      if (held.length === 0) return;
      await bytes.delete(held);
      tx.later('DELETE FROM blobs WHERE hash = ANY(?)', held);
    });

  return {
    async dropReferences(scope) {
      const [now, at] = clock.now();
      await db.transaction(async (tx) => {
        tx.later(
          `UPDATE blobs SET touched_at = ${now}
           WHERE touched_at IS NULL AND hash IN (SELECT hash FROM blob_uses WHERE scope = ?)`,
          ...at,
          scope,
        );
        tx.later('DELETE FROM blob_uses WHERE scope = ?', scope);
      });
    },
    async collect() {
      for (;;) {
        const { looked, marked } = await mark();
        if (marked.length > 0) await remove(marked);
        if (looked < BLOBS_PER_TRANSACTION) return;
        await setImmediate();
      }
    },
    async findStray() {
      const before = Date.now() - STRAY_MS;
      const lot: string[] = [];
      const note = async (): Promise<void> => {
        // The row is old already, so the next collection takes the bytes away unless somebody puts them again first.
        await db.run(
          `INSERT INTO blobs (hash, state, touched_at) SELECT unnest(?::text[]), 'writing', to_timestamp(0)
           ON CONFLICT DO NOTHING`,
          lot.splice(0),
        );
      };
      for await (const { hash, modifiedAt } of bytes.list()) {
        if (modifiedAt < before) lot.push(hash);
        if (lot.length >= BLOBS_PER_TRANSACTION) await note();
      }
      await note();
    },
  };
}
