import { createHash, randomUUID } from 'node:crypto';
import { type Blobs, isBlobHash } from '../contract/blobs.ts';
import { NotStoredError, UploadLostError } from '../contract/errors.ts';
import type { ObjectStore, StagedObject } from '../contract/objects.ts';
import { type ObjectRows, UPLOAD_MS } from './object-rows.ts';

/** Bytes that are uploaded and that no row refers to yet. */
export interface StagedUpload extends StagedObject {
  /** Takes the object back, unless a row has taken it over meanwhile. */
  discard(): Promise<void>;
}

export interface ObjectBlobs extends Blobs {
  stage(source: AsyncIterable<Uint8Array>, maxBytes: number): Promise<StagedUpload>;
  /** Deletes the objects that rows say are to leave. */
  deleteLeaving(): Promise<void>;
  /**
   * Removes what no row tells of: unfinished uploads, and objects of a database that was restored from a backup. It
   * lists all objects, page by page; one process at a time should do so.
   */
  deleteStray(): Promise<void>;
}

/** Blobs whose bytes are objects below a folder of an object store, and whose names the database knows. */
export function createObjectBlobs({ objects, rows, folder, now }: ObjectBlobsOptions): ObjectBlobs {
  const newName = (hash: string): string => `${folder}${hash.slice(0, 2)}/${hash}.${randomUUID()}`;

  /** Takes an upload back that was not finished. What cannot be done now is done by the collector. */
  const discard = async (name: string): Promise<void> => {
    const done = async (): Promise<void> => {
      if (!(await rows.leave(name))) return;
      await objects.delete([name]);
      await rows.forget([name]);
    };
    await done().catch(() => undefined);
  };

  /** Uploads under a new name, which leaves again when that fails. */
  const uploaded = async <T>(name: string, upload: () => Promise<T>): Promise<T> => {
    await rows.begin(name);
    try {
      return await upload();
    } catch (error) {
      await discard(name);
      throw error;
    }
  };

  const nameOf = async (hash: string): Promise<string> => {
    const name = isBlobHash(hash) ? await rows.nameOf(hash) : undefined;
    if (name === undefined) throw new NotStoredError('blob', hash);
    return name;
  };

  return {
    async put(bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex');
      const known = await rows.touch(hash);
      // This mends what the object store has lost.
      if (known !== undefined && (await objects.find(known))?.size === bytes.byteLength) return hash;
      const name = newName(hash);
      await uploaded(name, () => objects.put(name, bytes));
      if (!(await rows.finish(name, hash, known))) throw new UploadLostError(name);
      return hash;
    },
    get: async (hash) => objects.get(await nameOf(hash), hash),
    has: async (hash) => isBlobHash(hash) && (await rows.nameOf(hash)) !== undefined,
    stream: async (hash, range) =>
      objects.stream(await nameOf(hash), { sha256: hash, ...(range !== undefined && { range }) }),
    async stage(source, maxBytes) {
      const name = `${folder}${randomUUID().replace(/^(..)/, '$1/$1')}`;
      const staged = await uploaded(name, () => objects.stage(name, source, maxBytes));
      return { ...staged, discard: () => discard(name) };
    },
    async deleteLeaving() {
      for (;;) {
        const names = await rows.leaving();
        if (names.length === 0) return;
        await objects.delete(names);
        await rows.forget(names);
      }
    },
    async deleteStray() {
      await objects.removeUnfinished(folder, UPLOAD_MS);
      for await (const page of objects.list(folder)) {
        const old = page.filter(({ writtenAt }) => now() - writtenAt > UPLOAD_MS).map(({ name }) => name);
        if (old.length > 0) await objects.delete(await rows.unknown(old));
      }
    },
  };
}

interface ObjectBlobsOptions {
  readonly objects: ObjectStore;
  readonly rows: ObjectRows;
  /** What the names begin with: that of one installation's blobs or files, with a `/` at its end. */
  readonly folder: string;
  readonly now: () => number;
}
