import type { ObjectStore } from '../contract/objects.ts';
import { createObjectBlobs } from '../objects/object-blobs.ts';
import type { CollectedBlobs } from '../objects/collected-blobs.ts';
import type { Connection } from './database.ts';
import { createObjectRows } from './object-rows.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface SqliteObjectBlobsOptions {
  readonly objects: ObjectStore;
  readonly kind: 'blob' | 'file';
  /** What the names of this installation's objects begin with. */
  readonly installation: string;
  /** How long bytes stay after a put without a reference from a row. */
  readonly graceMs: number;
  readonly now: () => number;
}

/** Blobs in an object store, with their rows in SQLite. */
export function createSqliteObjectBlobs(
  db: Connection,
  { objects, kind, installation, graceMs, now }: SqliteObjectBlobsOptions,
): CollectedBlobs {
  const rows = createObjectRows(db, { kind, graceMs, now });
  const blobs = createObjectBlobs({ objects, rows, folder: `${installation}/${kind}s/`, now });
  let listedAt: number | undefined;
  return {
    ...blobs,
    async stage(source, maxBytes) {
      const { name, hash, size, head, ...staged } = await blobs.stage(source, maxBytes);
      return { hash, size, head, discard: () => staged.discard(), keepNow: () => rows.finishNow(name, hash) };
    },
    settleNow: (hash) => rows.settleNow(hash),
    dropNow: (hash) => rows.dropNow(hash),
    hashesIn: (folder) => rows.hashesIn(folder),
    deleteDropped: () => blobs.deleteLeaving(),
    async sweep() {
      await blobs.deleteLeaving();
      // A list of all objects costs a request for each thousand of them.
      if (listedAt !== undefined && now() - listedAt < DAY_MS) return;
      await blobs.deleteStray();
      listedAt = now();
    },
  };
}
