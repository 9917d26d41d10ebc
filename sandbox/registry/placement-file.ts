import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { linkNumbered, newestNumbered, removeOlder } from '../numbered-files.ts';
import { isRecordOf, isText, parseRecord } from '../record-file.ts';
import { syncFolder, writeSynced } from '../whole-file.ts';
import type { FoundPlacement, Placement } from './registry.ts';

const NAME = 'place';

const isPlacement = (value: unknown): value is Placement =>
  isRecordOf(value, { machine: isText, held: (held) => typeof held === 'boolean' });

/** The newest placement in a sandbox's folder, or null. Throws DamagedFileError: without it nobody knows where the sandbox's files are. */
export function readPlacement(folder: string): FoundPlacement | null {
  const found = newestNumbered(folder, NAME);
  if (found === null) return null;
  return { ...parseRecord(found.path, found.text, isPlacement), number: found.number };
}

/**
 * Writes the placement that follows one that was read, or the first. Null when another process of the data folder was
 * faster: its placement is valid then, so that no sandbox is placed twice.
 */
export async function followPlacement(
  folder: string,
  before: FoundPlacement | null,
  { machine, held }: Placement,
): Promise<FoundPlacement | null> {
  const draft = join(folder, `.placement.${randomUUID()}.draft`);
  await writeSynced(draft, JSON.stringify({ machine, held }));
  const number = (before?.number ?? 0) + 1;
  if (!linkNumbered(folder, NAME, number, draft)) return null;
  removeOlder(folder, NAME, number);
  await syncFolder(folder);
  return { machine, held, number };
}
