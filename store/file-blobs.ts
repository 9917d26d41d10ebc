import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Blobs, isBlobHash } from './blobs.ts';
import { Corrupt, NotStored } from './errors.ts';

const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/**
 * Blobs as files: `<dir>/ab/abcd...`. A file is written beside, flushed to the disk and renamed into place, so a name
 * that exists holds all of its bytes, whatever happens to the process.
 */
export async function openFileBlobs(dir: string, now: () => number = Date.now): Promise<Blobs> {
  const incoming = join(dir, 'incoming');
  await mkdir(incoming, { recursive: true, mode: 0o700 });
  await removeLeftovers(incoming, now());

  const pathOf = (hash: string): string => {
    if (!isBlobHash(hash)) throw new NotStored('blob', hash);
    return join(dir, hash.slice(0, 2), hash);
  };

  return {
    async put(bytes) {
      const hash = sha256(bytes);
      const path = pathOf(hash);
      if (await sizeOf(path).then((size) => size === bytes.byteLength)) return hash;
      const temporary = join(incoming, `${hash}.${randomUUID()}`);
      await writeFlushed(temporary, bytes);
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(temporary, path);
      await flushFolder(dirname(path));
      if (made !== undefined) await flushFolder(dir);
      return hash;
    },
    async get(hash) {
      const bytes = await readFile(pathOf(hash)).catch((error: unknown) => missing(error, hash));
      if (sha256(bytes) !== hash) throw new Corrupt(`the bytes of blob ${hash} do not match its name`);
      return bytes;
    },
    async has(hash) {
      return isBlobHash(hash) && (await sizeOf(pathOf(hash))) !== undefined;
    },
    async stream(hash) {
      const file = await open(pathOf(hash)).catch((error: unknown) => missing(error, hash));
      const { size } = await file.stat();
      return { size, body: file.createReadStream() };
    },
  };
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A rename is durable only once its folder is. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A killed process leaves its half-written file behind; one that is an hour old belongs to nobody. */
async function removeLeftovers(incoming: string, now: number): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > LEFTOVER_AGE_MS) await rm(path, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}

function missing(error: unknown, hash: string): never {
  if (isMissing(error)) throw new NotStored('blob', hash);
  throw error;
}
