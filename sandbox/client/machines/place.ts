import { readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../error-fields.ts';
import { syncFolder } from '../../sync-folder.ts';

/**
 * Which machine has a sandbox, kept in its folder. Written before the machine is asked, so that a claim whose answer was lost
 * is made of the same machine again; `held` once it was answered: from then on the sandbox is there or lost, never elsewhere.
 */
export interface Place {
  readonly machine: string;
  readonly held: boolean;
}

export function readPlace(folder: string): Place | null {
  try {
    return JSON.parse(readFileSync(join(folder, 'place.json'), 'utf8')) as Place;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

export async function writePlace(folder: string, place: Place): Promise<void> {
  const draft = join(folder, `.place.${process.pid}.draft`);
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(JSON.stringify(place));
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(draft, join(folder, 'place.json'));
  await syncFolder(folder);
}
