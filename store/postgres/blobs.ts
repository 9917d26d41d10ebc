import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { maybe, text } from '../common/rows.ts';
import { type Blobs, isBlobHash } from '../contract/blobs.ts';
import type { BlobBytes } from '../contract/blob-bytes.ts';
import { NotStoredError } from '../contract/errors.ts';
import type { Database, Transaction } from './database.ts';
import type { DatabaseClock } from './database-clock.ts';

/** A row that was touched so long ago is touched again by a put; the time of grace is much longer. */
const TOUCHED_AGAIN_MS = 60_000;
/** A deletion that has not ended by then does not end any more: its process is gone. */
const DELETION_MS = 60_000;
const DELETION_LOOK_MS = 100;

export interface PostgresBlobs extends Blobs {
  /**
   * Writes bytes under their hash, after a row says that they are about to be there. `settle` says in its transaction
   * what they are written for; it is called again when the collector has taken the row away meanwhile.
   */
  write<T>(hash: string, bytes: () => Promise<void>, settle: (tx: Transaction) => Promise<T>): Promise<T>;
}

/**
 * Blobs whose bytes lie elsewhere. A row is there before the bytes and goes after them, so nothing lies there of which
 * no row tells; and a reference needs a row that says that the bytes are there.
 */
export function createBlobs(db: Database, bytes: BlobBytes, clock: DatabaseClock): PostgresBlobs {
  /** Makes or touches the row; the state that it is in. */
  const announce = async (hash: string): Promise<string> => {
    const [now, at] = clock.now();
    const [since, from] = clock.ago(DELETION_MS);
    const row = await db.get(
      `INSERT INTO blobs AS known (hash, state, touched_at) VALUES (?, 'writing', ${now})
       ON CONFLICT (hash) DO UPDATE SET
         touched_at = CASE WHEN known.state = 'deleting' AND known.touched_at > ${since} THEN known.touched_at ELSE excluded.touched_at END,
         state = CASE WHEN known.state = 'deleting' AND known.touched_at <= ${since} THEN 'writing' ELSE known.state END
       RETURNING state`,
      hash,
      ...at,
      ...from,
      ...from,
    );
    return maybe(row, (each) => text(each, 'state')) ?? 'writing';
  };

  const write: PostgresBlobs['write'] = async (hash, put, settle) => {
    for (;;) {
      const state = await announce(hash);
      if (state === 'deleting') {
        await sleep(DELETION_LOOK_MS);
        continue;
      }
      if (state === 'writing') await put();
      const [now, at] = clock.now();
      const settled = await db.transaction(async (tx) => {
        const sql = `UPDATE blobs SET state = 'present', touched_at = ${now} WHERE hash = ? AND state <> 'deleting'`;
        return (await tx.run(sql, ...at, hash)) > 0 ? { value: await settle(tx) } : undefined;
      });
      if (settled !== undefined) return settled.value;
    }
  };

  return {
    write,
    async put(content) {
      const hash = createHash('sha256').update(content).digest('hex');
      const [since, from] = clock.ago(TOUCHED_AGAIN_MS);
      const fresh = await db.get(
        `SELECT hash FROM blobs WHERE hash = ? AND state = 'present' AND (touched_at IS NULL OR touched_at > ${since})`,
        hash,
        ...from,
      );
      if (fresh === undefined)
        await write(
          hash,
          () => bytes.put(hash, content),
          async () => undefined,
        );
      return hash;
    },
    async get(hash) {
      return bytes.get(known(hash));
    },
    async has(hash) {
      if (!isBlobHash(hash)) return false;
      return (
        (await db.get(`SELECT hash FROM blobs WHERE hash = ? AND state = 'present'`, hash)) !== undefined
      );
    },
    async stream(hash) {
      return bytes.stream(known(hash));
    },
  };
}

function known(hash: string): string {
  if (!isBlobHash(hash)) throw new NotStoredError('blob', hash);
  return hash;
}
