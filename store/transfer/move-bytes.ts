import { randomUUID } from 'node:crypto';
import { CorruptError, NotStoredError } from '../contract/errors.ts';
import type { ObjectStore } from '../contract/objects.ts';
import { createDatabaseClock } from '../postgres/database-clock.ts';
import type { Database } from '../postgres/database.ts';
import { createObjectRows } from '../postgres/object-rows.ts';
import { createObjectBlobs } from '../objects/object-blobs.ts';
import type { NamedBytes, TransferSource } from './source.ts';

/** How many objects are copied side by side. */
const AT_ONCE = 8;

export interface MovedBytes {
  /** How many are there now, each read back and held against its hash. */
  readonly objects: number;
  readonly bytes: number;
  /** Those of them that an earlier attempt had copied. */
  readonly present: number;
  /** What is missing or damaged at the source, and so is left out. */
  readonly damaged: readonly string[];
}

/** Copies the bytes that rows name into an object store, and the rows that say where they are into the database. */
export async function moveBytes(
  source: TransferSource,
  {
    db,
    objects,
    copied,
  }: {
    readonly db: Database;
    readonly objects: ObjectStore;
    readonly copied: (done: number, of: number) => void;
  },
): Promise<MovedBytes> {
  const rows = createObjectRows(db, createDatabaseClock(undefined));
  const folder = `${source.installation}/bytes/`;
  const blobs = createObjectBlobs({ objects, rows, folder, now: Date.now });
  // Nobody else uploads: these are of an attempt that was killed.
  await db.run(`UPDATE objects SET state = 'leaving' WHERE state = 'writing'`);
  await blobs.deleteLeaving();
  const damaged: string[] = [];
  let [done, bytes, present] = [0, 0, 0];

  const move = async (named: NamedBytes): Promise<void> => {
    const { hash } = named;
    const known = await rows.nameOf(hash);
    let size = known === undefined ? undefined : await sizeOf(objects, known, hash);
    if (size !== undefined) present += 1;
    else {
      const name = `${folder}${hash.slice(0, 2)}/${hash}.${randomUUID()}`;
      await rows.begin(name);
      try {
        const staged = await objects.stage(name, await source.bytes(named), Infinity);
        if (staged.hash !== hash) throw new CorruptError(`the bytes of ${hash} are others`);
      } catch (error) {
        await rows.leave(name);
        if (!(error instanceof NotStoredError || error instanceof CorruptError)) throw error;
        damaged.push(hash);
        return;
      }
      await rows.finish(name, hash, known);
      size = await sizeOf(objects, name, hash);
      if (size === undefined)
        throw new CorruptError(`${objects.place} did not keep what was written there: ${hash}`);
    }
    bytes += size;
    done += 1;
  };

  const unique = new Map(source.named().map((named) => [named.hash, named]));
  const waiting = [...unique.values()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      await move(next);
      copied(done, unique.size);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  await blobs.deleteLeaving();
  return { objects: done, bytes, present, damaged: damaged.toSorted() };
}

/** Reads an object to its end; its size where its bytes are those of the hash, else undefined. */
async function sizeOf(objects: ObjectStore, name: string, hash: string): Promise<number | undefined> {
  try {
    const { size, body } = await objects.stream(name, { sha256: hash });
    for await (const piece of body as AsyncIterable<Uint8Array>) void piece;
    return size;
  } catch (error) {
    if (error instanceof NotStoredError || error instanceof CorruptError) return undefined;
    throw error;
  }
}
