import { createHash } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isBlobHash } from '../contract/blobs.ts';
import { CorruptError, NotStoredError } from '../contract/errors.ts';
import { codeOf } from './faults.ts';
import { flushFolder, writeFlushed } from './flushed.ts';
import { Incoming } from './incoming.ts';
import type { CollectedBlobs } from '../objects/collected-blobs.ts';
import { stageBlob } from './staged-blob.ts';
import type { StorageGuard } from './storage-guard.ts';
import type { StorePart } from '../contract/store.ts';

interface FileBlobsOptions {
  readonly dir: string;
  readonly now: () => number;
  /** Runs a body under a lock that all processes share. */
  readonly lock: <T>(body: () => T) => T;
  /** How long bytes stay after a put without a reference from a row. */
  readonly graceMs: number;
  readonly part: StorePart | undefined;
  readonly guard: StorageGuard | undefined;
}

/**
 * Blobs as files: `<dir>/ab/abcd...`. A file is written under another name, flushed to the disk and renamed into place,
 * so that a file that exists is complete, even after a crash. Files are added, renewed and removed only under the lock,
 * so that a count of a blob's references under it is reliable. The modification time of a file is that of the last put,
 * or 1970 once a row refers to it.
 */
export async function openFileBlobs({
  dir,
  now,
  lock,
  graceMs,
  part,
  guard,
}: FileBlobsOptions): Promise<CollectedBlobs> {
  const incoming = new Incoming(join(dir, 'incoming'), part, now);
  await mkdir(incoming.dir, { recursive: true, mode: 0o700 });
  await incoming.removeEarlier();
  await incoming.removeOld();

  const pathOf = (hash: string): string => {
    if (!isBlobHash(hash)) throw new NotStoredError('blob', hash);
    return join(dir, hash.slice(0, 2), hash);
  };

  return {
    async put(bytes) {
      const hash = sha256(bytes);
      const path = pathOf(hash);
      const renew = (): boolean => {
        if (statSync(path, { throwIfNoEntry: false })?.size !== bytes.byteLength) return false;
        setTime(path, now());
        return true;
      };
      if (lock(renew)) return hash;
      guard?.requireRoom();
      const temporary = incoming.path();
      try {
        await writeFlushed(temporary, bytes, 0o600);
        const made = lock(() => {
          const folder = mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
          setTime(temporary, now());
          renameSync(temporary, path);
          return folder;
        });
        await flushFolder(dirname(path));
        if (made !== undefined) await flushFolder(dir);
      } catch (error) {
        await rm(temporary, { force: true });
        throw guard?.failed(error) ?? error;
      }
      return hash;
    },
    async get(hash) {
      const bytes = await readFile(pathOf(hash)).catch((error: unknown) => missing(error, hash));
      if (sha256(bytes) !== hash) throw new CorruptError(`the bytes of blob ${hash} do not match its name`);
      return bytes;
    },
    async has(hash) {
      return isBlobHash(hash) && (await exists(pathOf(hash)));
    },
    async stream(hash, range) {
      const file = await open(pathOf(hash)).catch((error: unknown) => missing(error, hash));
      const { size } = await file.stat();
      const part = range === undefined ? {} : { start: range.start, end: range.end - 1 };
      return { size, body: file.createReadStream(part) };
    },
    async stage(source, maxBytes) {
      guard?.requireRoom();
      const staged = await stageBlob(incoming.path(), source, maxBytes).catch((error: unknown) => {
        throw guard?.failed(error) ?? error;
      });
      return {
        hash: staged.hash,
        size: staged.size,
        head: staged.head,
        keepNow: () => publish(dir, staged.path, pathOf(staged.hash)),
        discard: () => rm(staged.path, { force: true }),
      };
    },
    settleNow(hash) {
      try {
        setTime(pathOf(hash), 0);
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    },
    dropNow(hash) {
      const path = pathOf(hash);
      const found = statSync(path, { throwIfNoEntry: false });
      // A time in the future comes from a clock that was wrong.
      if (found !== undefined && Math.abs(now() - found.mtimeMs) >= graceMs) rmSync(path, { force: true });
    },
    hashesIn(folder) {
      try {
        return readdirSync(join(dir, folder.toString(16).padStart(2, '0'))).filter(isBlobHash);
      } catch (error) {
        if (isMissing(error)) return [];
        throw error;
      }
    },
    deleteDropped: async () => undefined,
    sweep: () => incoming.removeOld(),
  };
}

/** Gives staged bytes their name, durably. It is synchronous, because transactions are. */
function publish(dir: string, staged: string, path: string): void {
  const folder = dirname(path);
  const made = mkdirSync(folder, { recursive: true, mode: 0o700 });
  renameSync(staged, path);
  flushFolderSync(folder);
  if (made !== undefined) flushFolderSync(dir);
}

function flushFolderSync(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function setTime(path: string, ms: number): void {
  utimesSync(path, ms / 1000, ms / 1000);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return codeOf(error) === 'ENOENT';
}

function missing(error: unknown, hash: string): never {
  if (isMissing(error)) throw new NotStoredError('blob', hash);
  throw error;
}
