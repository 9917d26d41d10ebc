import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { layoutOf } from '../layout.ts';
import { syncFolder } from '../sync-folder.ts';

/**
 * Marks the action of a key as interrupted: from now on, in every process, it is not begun, and its recorded outcome is
 * returned. Each mark is an empty file in the folder of the sandbox and is removed with it.
 */
export async function markInterrupted(folder: string, key: string): Promise<void> {
  const path = markOf(folder, key);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await (await open(path, 'a', 0o600)).close();
  await syncFolder(dirname(path));
}

export function isInterrupted(folder: string, key: string): boolean {
  return existsSync(markOf(folder, key));
}

function markOf(folder: string, key: string): string {
  return join(layoutOf(folder).interrupts, createHash('sha256').update(key).digest('hex').slice(0, 32));
}
