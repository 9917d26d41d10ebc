import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, realpath, rename, rm, stat } from 'node:fs/promises';
import type { BytePath } from '../../byte-path.ts';
import { errorCode } from '../../error-fields.ts';
import { GuestFileError } from '../../guest-protocol/guest.ts';
import { entryAt, entryOf, toBytePath, toBytes } from './entries.ts';
import { TREE_CHUNK_BYTES, type TreeEntry } from '../../guest-protocol/tree.ts';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const DEFAULT_MODE = 0o644;

interface Reading {
  readonly file: FileHandle;
}

interface Writing {
  readonly file: FileHandle;
  readonly draft: BytePath;
  readonly target: BytePath;
}

/** Files that are read or written in pieces, by number. */
export class OpenFiles {
  readonly #open = new Map<number, Reading | Writing>();
  #last = 0;

  async read(path: BytePath): Promise<{ handle: number; entry: TreeEntry }> {
    // With O_NONBLOCK, opening a FIFO or a device does not wait for somebody at its other end.
    const file = await open(toBytes(path), O_RDONLY | O_NONBLOCK);
    try {
      const found = await file.stat({ bigint: true });
      requireRegular(path, found);
      return { handle: this.#add({ file }), entry: entryOf(path, found) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  async chunk(handle: number, offset: number, bytes: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafe(Math.min(bytes, TREE_CHUNK_BYTES));
    const { bytesRead } = await this.#get(handle).file.read(buffer, 0, buffer.length, offset);
    return buffer.subarray(0, bytesRead);
  }

  /** Begins a draft beside its target, because a rename is one step only within a file system. */
  async create(path: BytePath, mode: number | null): Promise<number> {
    const parent = folderOf(path);
    await mkdir(toBytes(parent), { recursive: true });
    const target = await resolved(path);
    const before = await stat(toBytes(target)).catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    if (before !== null) requireRegular(path, before);
    const draft = `${folderOf(target)}/.${randomBytes(8).toString('hex')}.upload~`;
    const file = await open(toBytes(draft), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
    const handle = this.#add({ file, draft, target });
    try {
      await file.chmod(mode ?? (before === null ? DEFAULT_MODE : before.mode & 0o7777));
    } catch (error) {
      await this.close(handle);
      throw error;
    }
    return handle;
  }

  async append(handle: number, data: Buffer): Promise<void> {
    await this.#writing(handle).file.writeFile(data);
  }

  async commit(handle: number): Promise<TreeEntry> {
    const { file, draft, target } = this.#writing(handle);
    await file.sync();
    await rename(toBytes(draft), toBytes(target));
    this.#open.delete(handle);
    await file.close();
    const folder = await open(toBytes(folderOf(target)), O_RDONLY);
    // Some file systems refuse to flush a folder; the file is in place all the same.
    await folder.sync().catch(() => undefined);
    await folder.close();
    return entryAt(target);
  }

  async close(handle: number): Promise<void> {
    const found = this.#open.get(handle);
    if (found === undefined) return;
    this.#open.delete(handle);
    await found.file.close();
    if ('draft' in found) await rm(toBytes(found.draft), { force: true });
  }

  #add(entry: Reading | Writing): number {
    this.#last += 1;
    this.#open.set(this.#last, entry);
    return this.#last;
  }

  #get(handle: number): Reading | Writing {
    const found = this.#open.get(handle);
    if (found === undefined) throw new GuestFileError('EBADF', '', `no file is open under ${handle}`);
    return found;
  }

  #writing(handle: number): Writing {
    const found = this.#get(handle);
    if (!('draft' in found)) throw new GuestFileError('EBADF', '', `${handle} is open for reading`);
    return found;
  }
}

/** Follows symbolic links to the file that is there. A dangling link is itself what is replaced. */
async function resolved(path: BytePath): Promise<BytePath> {
  try {
    return toBytePath(await realpath(toBytes(path), 'buffer'));
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}

function requireRegular(path: BytePath, found: { isFile(): boolean; isDirectory(): boolean }): void {
  const shown = toBytes(path).toString('utf8');
  if (found.isDirectory()) throw new GuestFileError('EISDIR', shown, `${shown} is a directory`);
  if (!found.isFile()) throw new GuestFileError('EINVAL', shown, `${shown} is not a regular file`);
}

function folderOf(path: BytePath): BytePath {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}

function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}
