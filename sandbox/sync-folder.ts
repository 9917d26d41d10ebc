import { spawn } from 'node:child_process';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';

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
