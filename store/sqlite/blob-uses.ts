import { setImmediate } from 'node:timers/promises';
import { referencedBlobs } from '../common/referenced-blobs.ts';
import { BlobMissingError } from '../contract/errors.ts';
import type { CollectedBlobs } from '../objects/collected-blobs.ts';
import { type Connection, write } from './database.ts';
import { integer, text } from '../common/rows.ts';

/** How many rows or files one transaction handles. */
const ROWS_PER_TRANSACTION = 200;

/**
 * Which scope refers to which blob, written in the transaction that writes the referring row. Functions named `...Now`
 * run inside such a transaction.
 */
export interface BlobUses {
  /** Notes the blobs that a value refers to. Throws BlobMissingError when one of them is gone. */
  addReferencesNow(scope: string, value: unknown): void;
  /** Removes the references of a scope and answers their hashes. */
  removeReferencesNow(scope: string): readonly string[];
  /** Removes those of these blobs without a reference. */
  drop(hashes: readonly string[]): Promise<void>;
  /** Removes what belongs to no session, and then every blob without a reference. */
  sweep(): Promise<void>;
}

export function createBlobUses(db: Connection, blobs: CollectedBlobs): BlobUses {
  const insert = db.prepare('INSERT INTO blob_uses (scope, hash) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const isNamed = db.prepare('SELECT 1 FROM blob_uses WHERE hash = ? LIMIT 1');
  const ofScope = db.prepare('SELECT hash FROM blob_uses WHERE scope = ?');
  const forget = db.prepare('DELETE FROM blob_uses WHERE scope = ?');
  const unread = db.prepare('SELECT * FROM blob_uses_unread');
  const readUpTo = db.prepare('UPDATE blob_uses_unread SET seen = ? WHERE source = ?');
  const allRead = db.prepare('DELETE FROM blob_uses_unread WHERE source = ?');
  const events = db.prepare(
    `SELECT position AS place, session AS scope, payload AS content FROM events
     WHERE position > ? AND position <= ? ORDER BY position LIMIT ${ROWS_PER_TRANSACTION}`,
  );
  const effects = db.prepare(
    `SELECT rowid AS place, scope, coalesce(outcome, '') AS content FROM effects
     WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT ${ROWS_PER_TRANSACTION}`,
  );
  const strayUses = db.prepare(
    `SELECT DISTINCT scope FROM blob_uses WHERE scope NOT IN (SELECT id FROM sessions) LIMIT ${ROWS_PER_TRANSACTION}`,
  );
  const strayEffects = db.prepare(
    `DELETE FROM effects WHERE rowid IN
       (SELECT rowid FROM effects WHERE scope NOT IN (SELECT id FROM sessions) LIMIT ${ROWS_PER_TRANSACTION})`,
  );

  /** Notes the blobs of some rows from before references were recorded. False when there are no more such rows. */
  const readUnread = (): boolean =>
    write(db, () => {
      const row = unread.get();
      if (row === undefined) return false;
      const source = text(row, 'source');
      const select = source === 'events' ? events : effects;
      const found = select.all(integer(row, 'seen'), integer(row, 'last'));
      for (const each of found) {
        // The content is searched as text, so that a damaged row keeps its blobs too.
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
    // As long as old rows are unread, a blob without a recorded reference may still have one.
    if (unread.get() !== undefined) return;
    for (let at = 0; at < hashes.length; at += ROWS_PER_TRANSACTION) {
      write(db, () => {
        for (const hash of hashes.slice(at, at + ROWS_PER_TRANSACTION)) {
          if (isNamed.get(hash) === undefined) blobs.dropNow(hash);
        }
      });
      await setImmediate();
    }
    await blobs.deleteDropped();
  };

  return {
    addReferencesNow(scope, value) {
      for (const hash of referencedBlobs(value)) {
        insert.run(scope, hash);
        // This happens for a known reference too: another put may have begun its time of grace anew.
        if (!blobs.settleNow(hash)) throw new BlobMissingError(hash);
      }
    },
    removeReferencesNow(scope) {
      const hashes = ofScope.all(scope).map((row) => text(row, 'hash'));
      forget.run(scope);
      return hashes;
    },
    drop,
    async sweep() {
      while (readUnread()) await setImmediate();
      while (write(db, () => strayEffects.run().changes) > 0) await setImmediate();
      for (;;) {
        const scopes = strayUses.all().map((row) => text(row, 'scope'));
        if (scopes.length === 0) break;
        write(db, () => scopes.forEach((scope) => forget.run(scope)));
        await setImmediate();
      }
      for (let folder = 0; folder < 256; folder += 1) {
        await drop(blobs.hashesIn(folder));
        await setImmediate();
      }
    },
  };
}
