import { closeSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { EngineUnavailableError } from '../../connection/engine-unavailable-error.ts';
import { refuseForeign } from './database.ts';
import { unusableDatabase } from './unusable-database.ts';

/**
 * Copies an engine's database into a new file while the engine goes on: what was committed when the copy began, and
 * nothing of what came later. The copy is checked, on the disk, and there whole or not at all; the owner alone may read it.
 *
 * @returns the size of the copy in bytes
 * @throws EngineUnavailableError when there is no such database, or a file at `copy` already
 */
export function backupDatabase(path: string, copy: string): number {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true)
    throw new EngineUnavailableError(
      'embedded',
      `${path} is not there: name the engine's file, such as engine.db.`,
    );
  const exists = (): EngineUnavailableError =>
    new EngineUnavailableError('embedded', `${copy} exists: name a file that does not.`);
  if (statSync(copy, { throwIfNoEntry: false }) !== undefined) throw exists();
  const draft = `${copy}.${process.pid}.draft`;
  // SQLite writes into an empty file, which keeps its mode.
  closeSync(openSync(draft, 'wx', 0o600));
  try {
    copyInto(path, draft);
    sync(draft);
    linkSync(draft, copy);
    sync(dirname(copy));
    return statSync(copy).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw exists();
    throw unusableDatabase(path, error);
  } finally {
    rmSync(draft, { force: true });
  }
}

function copyInto(path: string, draft: string): void {
  const db = new Database(path);
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    refuseForeign(db);
    db.prepare('VACUUM INTO ?').run(draft);
  } finally {
    db.close();
  }
  const made = new Database(draft);
  try {
    const { integrity_check } = made.prepare('PRAGMA integrity_check').get() as { integrity_check: string };
    if (integrity_check !== 'ok') throw Object.assign(new Error(integrity_check), { code: 'SQLITE_CORRUPT' });
  } finally {
    made.close();
  }
}

function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
