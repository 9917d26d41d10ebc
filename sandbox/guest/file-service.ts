import { constants } from 'node:fs';
import {
  type FileHandle,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { errorCode, errorText } from '../error-fields.ts';
import { GuestFileError, type GuestFiles } from '../guest-protocol/guest.ts';

const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const READ_CHUNK_BYTES = 256 * 1024;
const MAX_WALK_ENTRIES = 100_000;

/** File access with the rights and the mounts of this process. */
export function createFileService(): GuestFiles {
  return {
    stat: async (path) => {
      try {
        const found = await stat(path);
        return {
          kind: found.isFile() ? 'file' : found.isDirectory() ? 'directory' : 'other',
          size: found.size,
        };
      } catch (error) {
        if (isMissing(error)) return null;
        throw fileError(error, path);
      }
    },
    read: async (path, maxBytes = DEFAULT_MAX_BYTES) => {
      // With O_NONBLOCK, opening a FIFO or a device does not wait for somebody at its other end.
      const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
        throw fileError(error, path);
      });
      try {
        return await readRegular(handle, path, maxBytes);
      } finally {
        await handle.close();
      }
    },
    write: async (path, data) => {
      try {
        await replaceFile(path, data);
      } catch (error) {
        throw fileError(error, path);
      }
    },
    walk: async (path, depth) => {
      const found = await stat(path).catch((error: unknown) => {
        throw fileError(error, path);
      });
      const paths = [path];
      if (found.isDirectory()) await walkInto(path, depth, paths);
      return paths;
    },
  };
}

async function readRegular(handle: FileHandle, path: string, maxBytes: number): Promise<Uint8Array> {
  const found = await handle.stat();
  if (found.isDirectory()) throw new GuestFileError('EISDIR', path, `${path} is a directory`);
  if (!found.isFile()) throw new GuestFileError('EINVAL', path, `${path} is not a regular file`);
  const tooLarge = new GuestFileError('EFBIG', path, `${path} is larger than ${maxBytes} bytes`);
  if (found.size > maxBytes) throw tooLarge;
  const chunks: Buffer[] = [];
  let total = 0;
  // The file is read to its end and not to `size`: files below /proc have a size of 0, and a file may grow meanwhile.
  for (;;) {
    const chunk = Buffer.allocUnsafe(Math.min(READ_CHUNK_BYTES, maxBytes + 1 - total));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, null).catch((error: unknown) => {
      throw fileError(error, path);
    });
    if (bytesRead === 0) return Buffer.concat(chunks, total);
    chunks.push(chunk.subarray(0, bytesRead));
    total += bytesRead;
    if (total > maxBytes) throw tooLarge;
  }
}

/**
 * Writes beside the file and renames over it, so that a full disk or a crash leaves the old content whole. Symbolic
 * links are followed. A file with several names, or in a folder that allows no new files, is written in place.
 */
async function replaceFile(path: string, data: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const target = await realpath(path).catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (target === null) {
    // A dangling link is written through, as open(2) does.
    await writeFile(path, data);
    return;
  }
  const existing = await stat(target);
  if (existing.isDirectory()) throw new GuestFileError('EISDIR', path, `${path} is a directory`);
  if (!existing.isFile()) throw new GuestFileError('EINVAL', path, `${path} is not a regular file`);
  const probe = await open(target, constants.O_WRONLY | constants.O_NONBLOCK);
  await probe.close();
  const temporary = join(
    dirname(target),
    `.${basename(target).slice(0, 200)}.${randomBytes(6).toString('hex')}~`,
  );
  if (existing.nlink > 1) return writeFile(target, data);
  try {
    await writeFile(temporary, data, { flag: 'wx', mode: existing.mode & 0o7777 });
  } catch (error) {
    await rm(temporary, { force: true });
    if (errorCode(error) === 'EACCES' || errorCode(error) === 'EROFS') return writeFile(target, data);
    throw error;
  }
  try {
    const handle = await open(temporary, constants.O_WRONLY);
    try {
      await handle.chmod(existing.mode & 0o7777);
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function walkInto(folder: string, depth: number, paths: string[]): Promise<void> {
  if (depth <= 0) return;
  // A folder that may not be read is listed but not entered, as `find` does.
  const names = await readdir(folder).catch(() => []);
  for (const name of names.sort(byBytes)) {
    if (name.startsWith('.')) continue;
    if (paths.length >= MAX_WALK_ENTRIES) return;
    const path = join(folder, name);
    paths.push(path);
    const entry = await lstat(path).catch(() => null);
    if (entry?.isDirectory()) await walkInto(path, depth - 1, paths);
  }
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR';
}

function fileError(error: unknown, path: string): GuestFileError {
  if (error instanceof GuestFileError) return error;
  return new GuestFileError(errorCode(error) ?? 'EIO', path, errorText(error));
}
