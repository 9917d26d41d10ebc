import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../error-fields.ts';

/** The name by which machines tell the sandboxes of this data folder from those of others; made at the first use. */
export function ownerOf(dir: string): string {
  const path = join(dir, '.owner');
  const found = readOwner(path);
  if (found !== null) return found;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.draft`;
  writeFileSync(draft, `own_${randomBytes(12).toString('hex')}`, { mode: 0o600 });
  try {
    // Linked, not renamed: of two processes that make one, both have the first.
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readFileSync(path, 'utf8');
}

function readOwner(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
