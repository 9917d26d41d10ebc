import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Removes what lies at a path; nothing there is no error. What an agent made may be deeper than a path can say (4,096 bytes),
 * which the system's own programs get through and Node does not, and it may have taken rights from its own folders, which
 * matters where its user is ours.
 */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  } catch {
    // What it could not change shows in what remains.
    await run('chmod', ['-R', 'u+rwx', '--', path]).catch(() => undefined);
    await run('rm', ['-rf', '--', path]);
  }
}
