import { randomUUID } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { linkNumbered, newestNumbered, removeOlder } from '../../numbered-files.ts';
import { syncFolder } from '../../sync-folder.ts';

/**
 * Which machine has a sandbox, kept in its folder. Written before the machine is asked, so that a claim whose answer was lost
 * is made of the same machine again; `held` once it was answered: from then on the sandbox is there or lost, never elsewhere.
 */
export interface Place {
  readonly machine: string;
  readonly held: boolean;
}

/** A place as it was found; `number` counts the places that the sandbox has had. */
export interface FoundPlace extends Place {
  readonly number: number;
}

const NAME = 'place';

export function readPlace(folder: string): FoundPlace | null {
  const found = newestNumbered(folder, NAME);
  return found === null ? null : { ...(JSON.parse(found.text) as Place), number: found.number };
}

/**
 * Writes the place that follows one that was found, or the first. Null when another process of the data folder was quicker:
 * what that one wrote holds, so that no sandbox is placed twice.
 */
export async function followPlace(
  folder: string,
  before: FoundPlace | null,
  { machine, held }: Place,
): Promise<FoundPlace | null> {
  const draft = join(folder, `.place.${randomUUID()}.draft`);
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify({ machine, held }));
    await file.datasync();
  } finally {
    await file.close();
  }
  const number = (before?.number ?? 0) + 1;
  if (!linkNumbered(folder, NAME, number, draft)) return null;
  removeOlder(folder, NAME, number);
  await syncFolder(folder);
  return { machine, held, number };
}
