import { setImmediate } from 'node:timers/promises';
import { isBlobHash } from '../contract/blobs.ts';
import { BlobMissingError } from '../contract/errors.ts';
import type { FileBlobs } from '../disk/file-blobs.ts';
import { type Connection, type Row, write } from './database.ts';
import { integer, text } from './rows.ts';

/** Rows and files that one transaction goes through. */
const LOT = 200;

/** Who names which blob, written in the transaction that writes the naming row. What says `now` runs inside one. */
export interface BlobUses {
  /** Notes the blobs that a value names. Throws BlobMissingError when one of them is gone. */
  nameNow(scope: string, value: unknown): void;
  /** Forgets what a scope names; answers the hashes. */
  forgetNow(scope: string): readonly string[];
  /** Removes those of these blobs that nobody names. */
  drop(hashes: readonly string[]): Promise<void>;
  /** Removes what belongs to no session, and then every blob that nobody names. */
  sweep(): Promise<void>;
}

export function createBlobUses(db: Connection, blobs: FileBlobs): BlobUses {
  const insert = db.prepare('INSERT INTO blob_uses (scope, hash) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const isNamed = db.prepare('SELECT 1 FROM blob_uses WHERE hash = ? LIMIT 1');
  const ofScope = db.prepare('SELECT hash FROM blob_uses WHERE scope = ?');
  const forget = db.prepare('DELETE FROM blob_uses WHERE scope = ?');
  const unread = db.prepare('SELECT * FROM blob_uses_unread');
  const readUpTo = db.prepare('UPDATE blob_uses_unread SET seen = ? WHERE source = ?');
  const allRead = db.prepare('DELETE FROM blob_uses_unread WHERE source = ?');
  const events = db.prepare(
    `SELECT position AS place, session AS scope, payload AS content FROM events
     WHERE position > ? AND position <= ? ORDER BY position LIMIT ${LOT}`,
  );
  const effects = db.prepare(
    `SELECT rowid AS place, scope, coalesce(outcome, '') AS content FROM effects
     WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ${LOT}`,
  );
  const strayUses = db.prepare(
    `SELECT DISTINCT scope FROM blob_uses WHERE scope NOT IN (SELECT id FROM sessions) LIMIT ${LOT}`,
  );
  const strayEffects = db.prepare(
    `DELETE FROM effects WHERE rowid IN
       (SELECT rowid FROM effects WHERE scope NOT IN (SELECT id FROM sessions) LIMIT ${LOT})`,
  );

  /** Notes a lot of the rows that are older than the uses. False when there are no more. */
  const readLot = (): boolean =>
    write(db, () => {
      const row = unread.get() as Row | undefined;
      if (row === undefined) return false;
      const source = text(row, 'source');
      const select = source === 'events' ? events : effects;
      const found = select.all(integer(row, 'seen'), integer(row, 'last')) as Row[];
      for (const each of found) {
        // Read as text: whatever may name a blob counts, also where the row is damaged.
        for (const [, hash = ''] of text(each, 'content').matchAll(/"sha256":"([0-9a-f]{64})"/g)) {
          insert.run(text(each, 'scope'), hash);
        }
      }
      const last = found.at(-1);
      if (last === undefined) allRead.run(source);
      else readUpTo.run(integer(last, 'place'), source);
      return true;
    });

  const drop = async (hashes: readonly string[]): Promise<void> => {
    // As long as not all users are known, nobody can say that there is none.
    if (unread.get() !== undefined) return;
    for (let at = 0; at < hashes.length; at += LOT) {
      write(db, () => {
        for (const hash of hashes.slice(at, at + LOT)) {
          if (isNamed.get(hash) === undefined) blobs.dropLocked(hash);
        }
      });
      await setImmediate();
    }
  };

  return {
    nameNow(scope, value) {
      for (const hash of namedBlobs(value)) {
        insert.run(scope, hash);
        // Also where the scope names it already: it may have been put again, which began its time of grace anew.
        if (!blobs.settleLocked(hash)) throw new BlobMissingError(hash);
      }
    },
    forgetNow(scope) {
      const hashes = ofScope.all(scope).map((row) => text(row as Row, 'hash'));
      forget.run(scope);
      return hashes;
    },
    drop,
    async sweep() {
      while (readLot()) await setImmediate();
      while (write(db, () => strayEffects.run().changes) > 0) await setImmediate();
      for (;;) {
        const scopes = strayUses.all().map((row) => text(row as Row, 'scope'));
        if (scopes.length === 0) break;
        write(db, () => scopes.forEach((scope) => forget.run(scope)));
        await setImmediate();
      }
      for (let folder = 0; folder < 256; folder += 1) {
        await drop(blobs.namesIn(folder));
        await setImmediate();
      }
    },
  };
}

/** The hashes of every `source` of the form `{type: "blob", sha256}` in a value; the input of a tool is the model's own text. */
function namedBlobs(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'source' && isBlobSource(member)) found.add(member.sha256);
    else if (key !== 'input') namedBlobs(member, found);
  }
  return found;
}

function isBlobSource(source: unknown): source is { readonly sha256: string } {
  if (typeof source !== 'object' || source === null || !('type' in source) || !('sha256' in source))
    return false;
  return source.type === 'blob' && typeof source.sha256 === 'string' && isBlobHash(source.sha256);
}
