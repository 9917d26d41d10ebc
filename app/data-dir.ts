import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';
import { fileFault } from '../store/index.ts';
import type { Role } from './config/variables.ts';

/** Another process works on the folder. */
export class DataDirInUse extends Error {
  override readonly name = 'DataDirInUse';
  constructor(dir: string) {
    super(`DATA_DIR=${dir} is in use by another Steadyhand; stop that one or choose another folder`);
  }
}

export interface DataDir {
  readonly path: string;
  /** Gives the folder free and takes the pid file away. */
  release(): void;
}

/**
 * What each role takes: of a server and of a worker there is one each on a folder, be they one process or two. Releases that
 * took `all` alone are kept out by it.
 */
const PARTS: Readonly<Record<Role, readonly string[]>> = {
  all: ['all', 'server', 'worker'],
  server: ['server'],
  worker: ['worker'],
};

/**
 * Makes the folder, readable by its owner only, and takes it for this process. The locks are the kernel's on SQLite files:
 * they end with the process, however that ends. `server.pid` tells who holds it.
 */
export function takeDataDir(dir: string, role: Role): DataDir {
  const locks: Database.Database[] = [];
  const pidFile = path.join(dir, role === 'worker' ? 'worker.pid' : 'server.pid');
  const release = (): void => {
    for (const lock of locks) lock.close();
  };
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    for (const part of PARTS[role]) locks.push(lockOf(dir, part));
    writeFileSync(pidFile, `${process.pid}\n`);
  } catch (error) {
    release();
    throw fileFault(dir, error);
  }
  return {
    path: dir,
    release() {
      rmSync(pidFile, { force: true });
      release();
    },
  };
}

function lockOf(dir: string, part: string): Database.Database {
  const lock = new Database(path.join(dir, `${part}.lock`));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new DataDirInUse(dir);
    throw error;
  }
}
