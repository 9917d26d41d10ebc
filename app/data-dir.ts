import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { fileFault } from '@steadyhand/store';
import type { Role } from './config/variables.ts';

/** The roles that have a folder. */
type FolderRole = Exclude<Role, 'inference'>;

/** Another process uses the folder. */
export class DataDirInUseError extends Error {
  override readonly name = 'DataDirInUseError';
  constructor(dir: string) {
    super(`DATA_DIR=${dir} is in use by another Steadyhand; stop that one or choose another folder`);
  }
}

/** Other users of the machine can read the folder, and this process may not change that. */
export class DataDirOpenError extends Error {
  override readonly name = 'DataDirOpenError';
  constructor(dir: string, mode: number) {
    super(
      `DATA_DIR=${dir} is open to other users (mode ${mode.toString(8).padStart(4, '0')}) and this process cannot close it: ` +
        'chmod 700 it as its owner, or choose a folder of your own, such as one below it',
    );
  }
}

/** A backup was being restored into the folder, and that did not end. */
export class DataDirUnfinishedError extends Error {
  override readonly name = 'DataDirUnfinishedError';
  constructor(dir: string) {
    super(`DATA_DIR=${dir} holds a backup that is restored in part: run the same restore again`);
  }
}

/** The folder below the data folder that is there while a backup is restored. */
export const RESTORING = '.restoring';

interface DataDir {
  readonly path: string;
  /** Lines for the log about changes of the folder's mode. */
  readonly warnings: readonly string[];
  /** Releases the locks and removes the pid file. */
  release(): void;
}

/**
 * The locks of each role: a folder has one server and one worker, which are one process or two. The lock `all` keeps out
 * versions that had no other.
 */
const PARTS: Readonly<Record<FolderRole, readonly string[]>> = {
  all: ['all', 'server', 'worker'],
  server: ['server'],
  worker: ['worker'],
};

/**
 * Makes the folder, readable by its owner only (one that is open to others is closed to them), and locks it for this process.
 * The locks are the kernel's on SQLite files, so they end with the process, however that ends. `server.pid` or `worker.pid`
 * holds the process's id.
 *
 * @throws DataDirInUseError, DataDirOpenError, DataDirUnfinishedError
 */
export function takeDataDir(
  dir: string,
  role: FolderRole,
  /** Whether the folder is taken for restoring a backup into it. */
  { restoring = false }: { readonly restoring?: boolean } = {},
): DataDir {
  let warnings: readonly string[] = [];
  const locks: Database.Database[] = [];
  const pidFile = path.join(dir, role === 'worker' ? 'worker.pid' : 'server.pid');
  const release = (): void => {
    for (const lock of locks) lock.close();
  };
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    warnings = closeToOthers(dir);
    for (const part of PARTS[role]) locks.push(lockOf(dir, part));
    if (!restoring && existsSync(path.join(dir, RESTORING))) throw new DataDirUnfinishedError(dir);
    writePid(pidFile);
  } catch (error) {
    release();
    throw fileFault(dir, error);
  }
  return {
    path: dir,
    warnings,
    release() {
      rmSync(pidFile, { force: true });
      release();
    },
  };
}

/** Writes the file and renames it, so that a reader sees a whole number. Only the holder of the lock writes it. */
function writePid(file: string): void {
  const draft = `${file}.draft`;
  const opened = openSync(draft, 'w');
  try {
    writeFileSync(opened, `${process.pid}\n`);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
  renameSync(draft, file);
}

function lockOf(dir: string, part: string): Database.Database {
  const lock = new Database(path.join(dir, `${part}.lock`));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new DataDirInUseError(dir);
    throw error;
  }
}

const OTHERS = 0o077;

/** Removes the rights of group and others from the folder, and from databases that were left open. */
function closeToOthers(dir: string): string[] {
  const mode = modeOf(dir);
  const warnings: string[] = [];
  if ((mode & OTHERS) !== 0) {
    try {
      chmodSync(dir, 0o700);
    } catch {
      throw new DataDirOpenError(dir, mode);
    }
    // Some file systems accept the call and do not store modes.
    if ((modeOf(dir) & OTHERS) !== 0) throw new DataDirOpenError(dir, mode);
    warnings.push(
      `DATA_DIR=${dir} was open to other users (mode ${mode.toString(8)}) and is now closed to them`,
    );
  }
  for (const part of ['engine', 'store']) closeFolder(path.join(dir, part));
  return warnings;
}

function closeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const entries = readdirSync(folder, { withFileTypes: true });
  chmodSync(folder, 0o700);
  for (const entry of entries) if (entry.isFile()) chmodSync(path.join(folder, entry.name), 0o600);
}

const modeOf = (file: string): number => statSync(file).mode & 0o7777;
