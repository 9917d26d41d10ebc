import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/**
 * Returns the name of a sandbox among all sandboxes of its machine, from its folder: two data folders may hold sandboxes
 * of one id, as when both got the same idempotency key.
 */
export function machineName(folder: string): string {
  const hash = createHash('sha256').update(realOf(folder)).digest('hex').slice(0, 12);
  return `${basename(folder)}-${hash}`;
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
