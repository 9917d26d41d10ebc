import { UploadLostError } from '../contract/errors.ts';
import { type ObjectRows, UPLOAD_MS } from '../objects/object-rows.ts';
import { type Connection, write } from './database.ts';
import { text } from '../common/rows.ts';

/** How many objects are deleted before their rows are. */
const NAMES = 200;

/** The rows of one kind of objects. Functions named `...Now` run inside a write transaction. */
export interface SqliteObjectRows extends ObjectRows {
  /** As `finish`; it throws when this object's row is gone. */
  finishNow(name: string, hash: string): void;
  /** Ends the time of grace, as a row refers to the bytes. False when they are not there. */
  settleNow(hash: string): boolean;
  /** Has the object leave, unless its bytes are within their time of grace. */
  dropNow(hash: string): void;
  /** The hashes that begin with this byte. */
  hashesIn(folder: number): readonly string[];
}

export function createObjectRows(
  db: Connection,
  {
    kind,
    graceMs,
    now,
  }: { readonly kind: 'blob' | 'file'; readonly graceMs: number; readonly now: () => number },
): SqliteObjectRows {
  const present = db.prepare(
    `SELECT name FROM objects WHERE kind = '${kind}' AND hash = ? AND state = 'present'`,
  );
  const touch = db.prepare(
    `UPDATE objects SET touched_at = ? WHERE kind = '${kind}' AND hash = ? AND state = 'present'`,
  );
  const settle = db.prepare(
    `UPDATE objects SET touched_at = NULL WHERE kind = '${kind}' AND hash = ? AND state = 'present'`,
  );
  const begin = db.prepare(
    `INSERT INTO objects (name, kind, state, touched_at) VALUES (?, '${kind}', 'writing', ?)`,
  );
  const finish = db.prepare(
    `UPDATE objects SET state = 'present', hash = ?, touched_at = ? WHERE name = ? AND state = 'writing'`,
  );
  const leave = db.prepare(`UPDATE objects SET state = 'leaving' WHERE name = ?`);
  const leaveUnused = db.prepare(
    `UPDATE objects SET state = 'leaving' WHERE name = ? AND state <> 'present'`,
  );
  // A time in the future comes from a clock that was wrong.
  const drop = db.prepare(
    `UPDATE objects SET state = 'leaving' WHERE kind = '${kind}' AND hash = ? AND state = 'present'
     AND (touched_at IS NULL OR abs(? - touched_at) >= ${graceMs})`,
  );
  const leaveOld = db.prepare(
    `UPDATE objects SET state = 'leaving' WHERE kind = '${kind}' AND state = 'writing'
     AND abs(? - touched_at) > ${UPLOAD_MS}`,
  );
  const leaving = db.prepare(
    `SELECT name FROM objects WHERE kind = '${kind}' AND state = 'leaving' LIMIT ${NAMES}`,
  );
  const forget = db.prepare(`DELETE FROM objects WHERE name = ? AND state = 'leaving'`);
  const known = db.prepare('SELECT 1 FROM objects WHERE name = ?');
  const inFolder = db.prepare(
    `SELECT hash FROM objects WHERE kind = '${kind}' AND state = 'present' AND hash >= ? AND hash < ?`,
  );

  const nameNow = (hash: string): string | undefined => {
    const row = present.get(hash);
    return row === undefined ? undefined : text(row, 'name');
  };

  /** False when this object's row is gone. */
  const finishNow = (name: string, hash: string, damaged?: string): boolean => {
    const other = nameNow(hash);
    if (other !== undefined && other !== damaged) {
      touch.run(now(), hash);
      leave.run(name);
      return true;
    }
    if (other !== undefined) leave.run(other);
    return finish.run(hash, now(), name).changes > 0;
  };

  return {
    nameOf: async (hash) => nameNow(hash),
    touch: async (hash) =>
      write(db, () => {
        touch.run(now(), hash);
        return nameNow(hash);
      }),
    begin: async (name) => void write(db, () => begin.run(name, now())),
    finish: async (name, hash, damaged) => write(db, () => finishNow(name, hash, damaged)),
    leave: async (name) => write(db, () => leaveUnused.run(name).changes > 0),
    async leaving() {
      write(db, () => leaveOld.run(now()));
      return leaving.all().map((row) => text(row, 'name'));
    },
    forget: async (names) => write(db, () => names.forEach((name) => forget.run(name))),
    unknown: async (names) => names.filter((name) => known.get(name) === undefined),
    finishNow(name, hash) {
      if (!finishNow(name, hash)) throw new UploadLostError(name);
    },
    settleNow: (hash) => settle.run(hash).changes > 0,
    dropNow: (hash) => void drop.run(hash, now()),
    hashesIn(folder) {
      const [from, to] = [folder, folder + 1].map((each) => each.toString(16).padStart(2, '0'));
      // After `ff` comes `100`, which sorts before it.
      return inFolder.all(from, folder === 255 ? 'g' : to).map((row) => text(row, 'hash'));
    },
  };
}
