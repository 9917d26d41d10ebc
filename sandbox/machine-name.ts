import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';

/**
 * Returns the name of a sandbox among all sandboxes of its machine, from its folder: two data folders may hold sandboxes
 * of one id, as when both got the same idempotency key.
 */
export function machineName(folder: string): string {
  const real = realOf(folder);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 12);
  return `${basename(real)}-${hash}`;
}

function realOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}
