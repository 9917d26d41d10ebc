import { createHash } from 'node:crypto';
import { access, constants, link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBlobHash } from '../contract/blobs.ts';
import type { BlobBytes } from '../contract/blob-bytes.ts';
import { CorruptError, NotStoredError } from '../contract/errors.ts';
import type { StorePart } from '../contract/store.ts';
import { codeOf } from './faults.ts';
import { flushFolder, writeFlushed } from './flushed.ts';
import { Incoming } from './incoming.ts';
import { stageBlob } from './staged-blob.ts';
import type { StorageGuard } from './storage-guard.ts';

interface ByteFolderOptions {
  readonly dir: string;
  readonly part?: StorePart | undefined;
  readonly guard?: StorageGuard | undefined;
  readonly now?: () => number;
}

/**
 * Bytes as files of a folder that all processes of the installation have: `<dir>/ab/abcd...`. A file is written under
 * another name, flushed to the disk and renamed into place, so that a file that exists is complete, even after a crash.
 */
export async function openByteFolder({
  dir,
  part,
  guard,
  now = Date.now,
}: ByteFolderOptions): Promise<BlobBytes> {
  const incoming = new Incoming(join(dir, 'incoming'), part, now);
  await mkdir(incoming.dir, { recursive: true, mode: 0o700 });
  await incoming.removeEarlier();
  await incoming.removeOld();

  const pathOf = (hash: string): string => {
    if (!isBlobHash(hash)) throw new NotStoredError('blob', hash);
    return join(dir, hash.slice(0, 2), hash);
  };

  /** Gives a flushed file its name, by `place`. */
  const publish = async (hash: string, place: (path: string) => Promise<void>): Promise<void> => {
    const path = pathOf(hash);
    const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await place(path);
    await flushFolder(dirname(path));
    if (made !== undefined) await flushFolder(dir);
  };

  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw guard?.failed(error) ?? error;
    }
  };

  return {
    place: dir,
    async put(hash, bytes) {
      const size = await sizeOf(pathOf(hash));
      if (size === bytes.byteLength) return;
      guard?.requireRoom();
      const draft = incoming.path();
      await guarded(async () => {
        try {
          await writeFlushed(draft, bytes, 0o600);
          await publish(hash, (path) => rename(draft, path));
        } finally {
          await rm(draft, { force: true });
        }
      });
    },
    async get(hash) {
      const bytes = await readFile(pathOf(hash)).catch((error: unknown) => missing(error, hash));
      if (createHash('sha256').update(bytes).digest('hex') !== hash)
        throw new CorruptError(`the bytes of blob ${hash} do not match its name`);
      return bytes;
    },
    async has(hash) {
      return (await sizeOf(pathOf(hash))) !== undefined;
    },
    async stream(hash, range) {
      const file = await open(pathOf(hash)).catch((error: unknown) => missing(error, hash));
      const { size } = await file.stat();
      return { size, body: file.createReadStream(range) };
    },
    async delete(hashes) {
      for (const hash of hashes) await rm(pathOf(hash), { force: true });
    },
    async *list() {
      for (const folder of await readdir(dir)) {
        if (!/^[0-9a-f]{2}$/.test(folder)) continue;
        for (const hash of (await readdir(join(dir, folder))).filter(isBlobHash)) {
          const found = await stat(join(dir, folder, hash)).catch(() => undefined);
          if (found !== undefined) yield { hash, modifiedAt: found.mtimeMs };
        }
      }
    },
    async stage(source, maxBytes) {
      guard?.requireRoom();
      const { path: draft, ...staged } = await guarded(() => stageBlob(incoming.path(), source, maxBytes));
      return {
        ...staged,
        // The draft keeps its name until it is discarded, so that it can be published again.
        publish: () =>
          guarded(() =>
            publish(staged.hash, async (path) => {
              if ((await sizeOf(path)) === staged.size) return;
              await rm(path, { force: true });
              await link(draft, path).catch((error: unknown) => {
                if (codeOf(error) !== 'EEXIST') throw error;
              });
            }),
          ),
        discard: () => rm(draft, { force: true }),
      };
    },
    sweep: () => incoming.removeOld(),
    check: () => access(dir, constants.W_OK),
    close: async () => undefined,
  };
}

/** The size of a file; undefined when there is none. */
async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function missing(error: unknown, hash: string): never {
  if (codeOf(error) === 'ENOENT') throw new NotStoredError('blob', hash);
  throw error;
}
