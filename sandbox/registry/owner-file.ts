import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../error-fields.ts';
import { DamagedFileError, readText } from '../record-file.ts';
import { syncFolderSync, writeSyncedSync } from '../whole-file.ts';

/**
 * The name by which machines distinguish the sandboxes of this data folder from those of others; it is made at the
 * first use. Throws DamagedFileError: under another name the existing machines and containers could not be found.
 */
export function ownerOf(dir: string): string {
  const path = join(dir, '.owner');
  const found = readOwner(path);
  if (found !== null) return found;
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}.draft`;
  writeSyncedSync(draft, `own_${randomBytes(12).toString('hex')}`);
  try {
    // The file is linked and not renamed, so that of two processes that make one both use the first.
    linkSync(draft, path);
    syncFolderSync(dir);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  return readOwner(path) ?? ownerOf(dir);
}

function readOwner(path: string): string | null {
  const text = readText(path);
  if (text === null || /^own_[0-9a-f]{24}$/.test(text)) return text;
  throw new DamagedFileError(path, 'it does not hold own_ and 24 hexadecimal digits');
}
