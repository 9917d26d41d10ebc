import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { spawn } from 'node:child_process';

/**
 * Writes a small file so that a crash or a power cut leaves the old file or the new one, whole: a temporary file beside
 * it is written, synced and renamed, and then the name is synced.
 */
export async function writeWhole(path: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  const draft = draftOf(path);
  try {
    await writeSynced(draft, data, mode);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Does the same as `writeWhole` for callers that cannot await it. */
export function writeWholeSync(path: string, data: string, mode = 0o600): void {
  const draft = draftOf(path);
  try {
    writeSyncedSync(draft, data, mode);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  syncFolderSync(dirname(path));
}

/** Writes a new file and syncs its content; the caller renames or links it and syncs the folder. */
export async function writeSynced(path: string, data: string | Uint8Array, mode = 0o600): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    await file.writeFile(data);
    await file.sync();
  } finally {
    await file.close();
  }
}

export function writeSyncedSync(path: string, data: string, mode = 0o600): void {
  const file = openSync(path, 'wx', mode);
  try {
    writeFileSync(file, data);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes files durable that were written without a sync. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  await Promise.all(paths.map((path) => syncFolder(path)));
}

/** What `draftOf` names. */
const DRAFT = /^\..+\.[0-9a-f]{12}\.draft$/;

/** Removes what killed processes were writing into a folder, at least `ageMs` ago. */
export async function removeDrafts(folder: string, ageMs: number): Promise<void> {
  for (const name of (await readdir(folder)).filter((each) => DRAFT.test(each))) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && Date.now() - found.mtimeMs >= ageMs) await rm(path, { force: true });
  }
}

function draftOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.draft`);
}

/** Makes names that were created or renamed in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Does the same as `syncFolder` for callers that cannot await it. */
export function syncFolderSync(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes all that was written to the folder's file system durable, in one step however many files that is. */
export async function syncFileSystem(folder: string): Promise<void> {
  const child = spawn('sync', ['--file-system', '--', folder], {
    stdio: 'ignore',
    env: { PATH: '/usr/bin:/bin' },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`sync ended with code ${code}`);
}
