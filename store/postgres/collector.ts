import { setImmediate } from 'node:timers/promises';
import { text } from '../common/rows.ts';
import type { ObjectBlobs } from '../objects/object-blobs.ts';
import type { Database, Transaction } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';

/** How long bytes stay after a put without a reference from a row, and after the last reference has gone. */
const GRACE_MS = 60 * 60 * 1000;
const OBJECTS_PER_TRANSACTION = 100;

const REFERENCED = `(EXISTS (SELECT 1 FROM blob_uses WHERE blob_uses.hash = objects.hash)
  OR EXISTS (SELECT 1 FROM files WHERE files.blob = objects.hash))`;

/**
 * Begins the time of grace of bytes whose last reference goes with this transaction. It waits for a collector that is
 * looking at their rows: one that has still seen the reference settles them, after which nobody would look at them again.
 */
export function beginGrace(tx: Transaction, hashes: readonly string[], clock: DatabaseClock): void {
  const [now, at] = clock.now();
  // All take the rows in the same order, so that none of them wait for each other.
  tx.later(
    `SELECT FROM objects WHERE state = 'present' AND hash = ANY(?) ORDER BY hash FOR NO KEY UPDATE`,
    hashes,
  );
  tx.later(`UPDATE objects SET touched_at = ${now} WHERE state = 'present' AND hash = ANY(?)`, ...at, hashes);
}

export interface Collector {
  /** Removes the references of a scope. What is then without one is collected after the time of grace. */
  dropReferences(scope: string): Promise<void>;
  /** Removes bytes to which nothing refers. */
  collect(): Promise<void>;
}

export function createCollector(
  db: Database,
  blobs: Pick<ObjectBlobs, 'deleteLeaving'>,
  clock: DatabaseClock,
): Collector {
  /**
   * Has some objects leave. First their rows are locked, which waits for no reference that is being written; a second
   * statement then sees all references that were committed before the lock. The number of rows that it looked at.
   */
  const mark = async (): Promise<number> => {
    const [since, from] = clock.ago(GRACE_MS);
    return db.transaction(async (tx) => {
      const rows = await tx.all(
        `SELECT name FROM objects WHERE state = 'present' AND touched_at < ${since}
         ORDER BY touched_at LIMIT ${OBJECTS_PER_TRANSACTION} FOR UPDATE SKIP LOCKED`,
        ...from,
      );
      const names = rows.map((row) => text(row, 'name'));
      if (names.length === 0) return 0;
      // What is referred to waits for nobody any more, until the last reference goes.
      tx.later(`UPDATE objects SET touched_at = NULL WHERE name = ANY(?) AND ${REFERENCED}`, names);
      tx.later(`UPDATE objects SET state = 'leaving' WHERE name = ANY(?) AND NOT ${REFERENCED}`, names);
      return names.length;
    });
  };

  return {
    async dropReferences(scope) {
      await db.transaction(async (tx) => {
        const rows = await tx.all('SELECT hash FROM blob_uses WHERE scope = ?', scope);
        if (rows.length === 0) return;
        beginGrace(
          tx,
          rows.map((row) => text(row, 'hash')),
          clock,
        );
        tx.later('DELETE FROM blob_uses WHERE scope = ?', scope);
      });
    },
    async collect() {
      while ((await mark()) === OBJECTS_PER_TRANSACTION) await setImmediate();
      await blobs.deleteLeaving();
    },
  };
}
