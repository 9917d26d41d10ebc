import { maybe, text } from '../common/rows.ts';
import { type ObjectRows, UPLOAD_MS } from '../objects/object-rows.ts';
import type { Database, Transaction } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';

/** How many objects are deleted before their rows are. */
const NAMES = 200;
/** A row that was touched so long ago is touched again by a put; the time of grace is much longer. */
const TOUCHED_AGAIN_MS = 60_000;

export interface PostgresObjectRows extends ObjectRows {
  /** As `finish`, in the transaction that writes a row which refers to the bytes. */
  finishIn(tx: Transaction, name: string, hash: string, damaged?: string): Promise<boolean>;
}

export function createObjectRows(db: Database, clock: DatabaseClock): PostgresObjectRows {
  const finishIn: PostgresObjectRows['finishIn'] = async (tx, name, hash, damaged) => {
    const [now, at] = clock.now();
    // Who finishes the same bytes at the same time waits here and then sees what was finished.
    tx.later('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', `steadyhand/bytes ${hash}`);
    const row = await tx.get(`SELECT name FROM objects WHERE hash = ? AND state = 'present'`, hash);
    const other = maybe(row, (each) => text(each, 'name'));
    // The first answer to this may have been lost.
    if (other === name) return true;
    if (other !== undefined && other !== damaged) {
      // The row stays locked until the commit, so the collector does not take it before the reference is seen.
      const touched = await tx.run(
        `UPDATE objects SET touched_at = ${now} WHERE name = ? AND state = 'present'`,
        ...at,
        other,
      );
      if (touched > 0) {
        tx.later(`UPDATE objects SET state = 'leaving' WHERE name = ? AND state = 'writing'`, name);
        return true;
      }
    }
    if (other !== undefined)
      tx.later(`UPDATE objects SET state = 'leaving' WHERE name = ? AND state = 'present'`, other);
    const finished = await tx.run(
      `UPDATE objects SET state = 'present', hash = ?, touched_at = ${now} WHERE name = ? AND state = 'writing'`,
      hash,
      ...at,
      name,
    );
    return finished > 0;
  };

  return {
    finishIn,
    finish: (name, hash, damaged) => db.transaction((tx) => finishIn(tx, name, hash, damaged)),
    async nameOf(hash) {
      const row = await db.get(`SELECT name FROM objects WHERE hash = ? AND state = 'present'`, hash);
      return maybe(row, (each) => text(each, 'name'));
    },
    async touch(hash) {
      // The same picture may be put by many at once, so the row is written only where its time of grace runs out. It does
      // not run while something refers to the bytes; when that goes, it begins anew.
      const [since, from] = clock.ago(TOUCHED_AGAIN_MS);
      const fresh = await db.get(
        `SELECT name FROM objects
         WHERE hash = ? AND state = 'present' AND (touched_at IS NULL OR touched_at > ${since})`,
        hash,
        ...from,
      );
      if (fresh !== undefined) return text(fresh, 'name');
      const [now, at] = clock.now();
      const row = await db.get(
        `UPDATE objects SET touched_at = ${now} WHERE hash = ? AND state = 'present' RETURNING name`,
        ...at,
        hash,
      );
      return maybe(row, (each) => text(each, 'name'));
    },
    async begin(name) {
      const [now, at] = clock.now();
      await db.run(
        `INSERT INTO objects (name, state, touched_at) VALUES (?, 'writing', ${now}) ON CONFLICT DO NOTHING`,
        name,
        ...at,
      );
    },
    async leave(name) {
      return (
        (await db.run(`UPDATE objects SET state = 'leaving' WHERE name = ? AND state <> 'present'`, name)) > 0
      );
    },
    async leaving() {
      const [since, from] = clock.ago(UPLOAD_MS);
      await db.run(
        `UPDATE objects SET state = 'leaving' WHERE state = 'writing' AND touched_at < ${since}`,
        ...from,
      );
      const rows = await db.all(`SELECT name FROM objects WHERE state = 'leaving' LIMIT ${NAMES}`);
      return rows.map((row) => text(row, 'name'));
    },
    async forget(names) {
      await db.run(`DELETE FROM objects WHERE name = ANY(?) AND state = 'leaving'`, names);
    },
    async unknown(names) {
      const rows = await db.all('SELECT name FROM objects WHERE name = ANY(?)', names);
      const known = new Set(rows.map((row) => text(row, 'name')));
      return names.filter((name) => !known.has(name));
    },
  };
}
