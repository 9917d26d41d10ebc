import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Database from 'libsql';

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
 * Makes the folder, readable by its owner only, and takes it for this process. The lock is the kernel's on an SQLite file:
 * it ends with the process, however that ends. `server.pid` tells who holds it.
 */
export function takeDataDir(dir: string, role: string): DataDir {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const lock = new Database(path.join(dir, `${role}.lock`));
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new DataDirInUse(dir);
    throw error;
  }
  const pidFile = path.join(dir, role === 'worker' ? 'worker.pid' : 'server.pid');
  writeFileSync(pidFile, `${process.pid}\n`);
  return {
    path: dir,
    release() {
      rmSync(pidFile, { force: true });
      lock.close();
    },
  };
}
