import { spawn } from 'node:child_process';
import { type BigIntStats, constants } from 'node:fs';
import {
  chmod,
  copyFile,
  type FileHandle,
  lchown,
  link,
  lstat,
  lutimes,
  mkdir,
  open,
  readdir,
  readlink,
  symlink,
} from 'node:fs/promises';
import { errorCode } from '../error-fields.ts';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, COPYFILE_EXCL, COPYFILE_FICLONE } = constants;
/** Each level keeps two folders open, so the depth is limited. */
const MAX_DEPTH = 250;
const MAX_SKIPPED_PATHS = 100;
/** The bits of a mode that are kept: set-user-id bits must not stand on another user's file outside. */
const KEPT_MODE = 0o1777n;
/** The errors of an entry that changes or vanishes during the walk; it is then left out. */
const CHANGED_MEANWHILE = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'ENXIO', 'EACCES', 'EPERM', 'ESTALE']);

interface CopyOptions {
  /** User and group of the copies; null means this process's own. */
  readonly owner: number | null;
  /** The largest number of entries that are copied. */
  readonly maxEntries: number;
  /** Returns a file with the same content that the tree's owner cannot reach; it is linked instead of copied. */
  readonly same?: (path: string, found: BigIntStats) => Buffer | null;
  /** Called for each regular file that was copied or linked. */
  readonly onFile?: (path: string, found: BigIntStats) => void;
}

interface CopyReport {
  entries: number;
  /** Bytes of regular files. */
  bytes: number;
  /** The number of entries left out: FIFOs, sockets, devices, unreadable files, and entries that changed their kind. */
  skipped: number;
  /** The relative paths of the first of them. */
  readonly skippedPaths: string[];
}

export class TreeTooLargeError extends Error {
  override readonly name = 'TreeTooLargeError';
}

/**
 * Copies a folder into a new one, `to`, which nobody else may reach. The source may be hostile and change during the
 * walk: every step goes from an open folder to a name in it and never through a symbolic link, so nothing outside the
 * tree is ever read, and only regular files are opened. The copy keeps modes (see KEPT_MODE), times, symbolic links,
 * hard links within the tree, and holes; a file system that can share blocks shares them. Paths in callbacks are bytes
 * in latin1.
 */
export async function copyTree(from: string, to: string, options: CopyOptions): Promise<CopyReport> {
  const report: CopyReport = { entries: 0, bytes: 0, skipped: 0, skippedPaths: [] };
  const source = await open(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    await mkdir(to, { mode: 0o700 });
    const target = await open(to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      await new Walk(to, options, report).folder(source, target, '', 0);
    } finally {
      await target.close();
    }
    await setAttributes(Buffer.from(to), await source.stat({ bigint: true }), options.owner);
  } finally {
    await source.close();
  }
  return report;
}

class Walk {
  readonly #options: CopyOptions;
  readonly #report: CopyReport;
  readonly #root: Buffer;
  /** The first path of each file with several names, by inode. */
  readonly #firstNames = new Map<bigint, string>();

  constructor(root: string, options: CopyOptions, report: CopyReport) {
    this.#root = Buffer.from(`${root}/`);
    this.#options = options;
    this.#report = report;
  }

  async folder(source: FileHandle, target: FileHandle, path: string, depth: number): Promise<void> {
    const names = await readdir(descriptorPath(source), { encoding: 'buffer' });
    for (const name of names) {
      const child = path + name.toString('latin1');
      if (this.#report.entries >= this.#options.maxEntries)
        throw new TreeTooLargeError(`it has more than ${this.#options.maxEntries} entries`);
      try {
        const copied = await this.#entry(
          descriptorPath(source, name),
          descriptorPath(target, name),
          child,
          depth,
        );
        if (copied) this.#report.entries += 1;
        else this.#skip(child);
      } catch (error) {
        if (!CHANGED_MEANWHILE.has(errorCode(error) ?? '')) throw error;
        this.#skip(child);
      }
    }
  }

  /** Copies an entry; false when it is left out. */
  async #entry(from: Buffer, to: Buffer, path: string, depth: number): Promise<boolean> {
    const found = await lstat(from, { bigint: true });
    if (found.isSymbolicLink()) {
      await symlink(await readlink(from, 'buffer'), to);
      await setAttributes(to, found, this.#options.owner);
      return true;
    }
    if (found.isDirectory()) return depth < MAX_DEPTH && this.#directory(from, to, path, depth);
    return found.isFile() && this.#file(from, to, path);
  }

  async #directory(from: Buffer, to: Buffer, path: string, depth: number): Promise<boolean> {
    const source = await open(from, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    try {
      await mkdir(to, { mode: 0o700 });
      const target = await open(to, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
      try {
        await this.folder(source, target, `${path}/`, depth + 1);
      } finally {
        await target.close();
      }
      // The attributes are set last: a folder may be read-only, and each new entry changes its time.
      await setAttributes(to, await source.stat({ bigint: true }), this.#options.owner);
      return true;
    } finally {
      await source.close();
    }
  }

  async #file(from: Buffer, to: Buffer, path: string): Promise<boolean> {
    // The entry may have been replaced meanwhile; opening a FIFO must not block.
    const file = await open(from, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      const found = await file.stat({ bigint: true });
      if (!found.isFile()) return false;
      const same = this.#options.same?.(path, found) ?? null;
      const linked = (same !== null && (await tryLink(same, to))) || (await this.#hardLink(found, to, path));
      if (!linked) {
        await copyContent(file, found, to);
        await setAttributes(to, found, this.#options.owner);
      }
      this.#report.bytes += Number(found.size);
      this.#options.onFile?.(path, found);
      return true;
    } finally {
      await file.close();
    }
  }

  /** Links to the copy of another name of the same file, if there is one already. */
  async #hardLink(found: BigIntStats, to: Buffer, path: string): Promise<boolean> {
    if (found.nlink < 2n) return false;
    const first = this.#firstNames.get(found.ino);
    if (first === undefined) this.#firstNames.set(found.ino, path);
    return (
      first !== undefined && (await tryLink(Buffer.concat([this.#root, Buffer.from(first, 'latin1')]), to))
    );
  }

  #skip(path: string): void {
    this.#report.skipped += 1;
    if (this.#report.skippedPaths.length < MAX_SKIPPED_PATHS)
      this.#report.skippedPaths.push(Buffer.from(path, 'latin1').toString('utf8'));
  }
}

/** The path of a name in an open folder, or of the folder itself, which is right even when the folder was renamed. */
function descriptorPath(folder: FileHandle, name?: Buffer): Buffer {
  const path = Buffer.from(`/proc/self/fd/${folder.fd}`);
  return name === undefined ? path : Buffer.concat([path, Buffer.from('/'), name]);
}

async function copyContent(file: FileHandle, found: BigIntStats, to: Buffer): Promise<void> {
  if (found.blocks * 512n < found.size) await copySparse(file, to);
  else await copyFile(`/proc/self/fd/${file.fd}`, to, COPYFILE_EXCL | COPYFILE_FICLONE);
}

/** Copies a file with its holes, which Node cannot find. `cp` can, and gets the open files. */
async function copySparse(file: FileHandle, to: Buffer): Promise<void> {
  const target = await open(to, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    const args = ['--sparse=always', '--reflink=auto', '/proc/self/fd/3', '/proc/self/fd/4'];
    const child = spawn('cp', args, {
      stdio: ['ignore', 'ignore', 'pipe', file.fd, target.fd],
      env: { PATH: '/usr/bin:/bin' },
    });
    const said: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => said.push(chunk));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    if (code === 0) return;
    const text = Buffer.concat(said).toString('utf8').trim();
    const full = /No space left|Disk quota/.test(text) ? { code: 'ENOSPC' } : {};
    throw Object.assign(new Error(`cp: ${text}`), full);
  } finally {
    await target.close();
  }
}

/** Makes a hard link; false when that fails, for instance because the file has too many names or is gone. */
async function tryLink(existing: Buffer, to: Buffer): Promise<boolean> {
  return link(existing, to).then(
    () => true,
    () => false,
  );
}

async function setAttributes(path: Buffer, found: BigIntStats, owner: number | null): Promise<void> {
  if (owner !== null) await lchown(path, owner, owner);
  if (!found.isSymbolicLink()) await chmod(path, Number(found.mode & KEPT_MODE));
  await lutimes(path, seconds(found.atimeNs), seconds(found.mtimeNs));
}

function seconds(nanoseconds: bigint): number {
  return Number(nanoseconds) / 1e9;
}
