import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { linkNumbered, newestNumbered, removeOlder } from '../numbered-files.ts';
import { isRecordOf, isText, parseRecord } from '../record-file.ts';
import { syncFolder } from '../sync-folder.ts';
import { writeSynced } from '../whole-file.ts';

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

const isPlace = (value: unknown): value is Place =>
  isRecordOf(value, { machine: isText, held: (held) => typeof held === 'boolean' });

/** Throws DamagedFileError: without it nobody knows where the sandbox's files are. */
export function readPlace(folder: string): FoundPlace | null {
  const found = newestNumbered(folder, NAME);
  if (found === null) return null;
  return { ...parseRecord(found.path, found.text, isPlace), number: found.number };
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
  await writeSynced(draft, JSON.stringify({ machine, held }));
  const number = (before?.number ?? 0) + 1;
  if (!linkNumbered(folder, NAME, number, draft)) return null;
  removeOlder(folder, NAME, number);
  await syncFolder(folder);
  return { machine, held, number };
}
