import { BlobMissingError } from '../contract/errors.ts';
import { text } from '../common/rows.ts';
import type { Transaction } from './database.ts';

/**
 * Notes in the transaction of the referring row that a scope refers to blobs. The lock on the blobs' rows keeps the
 * collector from them until the references are seen.
 * @throws {BlobMissingError} when one of them is gone
 */
export async function addReferences(tx: Transaction, scope: string, hashes: Iterable<string>): Promise<void> {
  const wanted = [...hashes].toSorted();
  if (wanted.length === 0) return;
  const rows = await tx.all(
    `SELECT hash FROM objects WHERE hash = ANY(?) AND state = 'present' ORDER BY hash FOR KEY SHARE`,
    wanted,
  );
  const found = new Set(rows.map((row) => text(row, 'hash')));
  const missing = wanted.find((hash) => !found.has(hash));
  if (missing !== undefined) throw new BlobMissingError(missing);
  tx.later(
    'INSERT INTO blob_uses (scope, hash) SELECT ?, unnest(?::text[]) ON CONFLICT DO NOTHING',
    scope,
    wanted,
  );
}
