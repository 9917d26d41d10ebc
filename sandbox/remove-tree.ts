import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Removes a file or a tree; a missing path is no error. A tree that an agent made may be deeper than a path can be long
 * (4,096 bytes), which the system's own programs can handle and Node cannot. The agent may also have taken rights from
 * its own folders, which matters when its user is the same as ours.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch {
    // A chmod that fails shows in the removal that follows.
    await run('chmod', ['-R', 'u+rwx', '--', path]).catch(() => undefined);
    await run('rm', ['-rf', '--', path]);
  }
}
