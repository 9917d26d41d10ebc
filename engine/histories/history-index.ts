import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SearchAttributeType } from '../search-attributes.ts';
import { writeWhole } from '../whole-file.ts';

/** The file beside the histories that says what they are. */
export const INDEX_FILE = 'index.json';
const FORMAT = 'steadyhand-histories';
const VERSION = 1;

/** A run whose history stands in a file of its own. */
export interface IndexedRun {
  /** The name of its file in the folder. */
  readonly file: string;
  readonly workflowId: string;
  readonly runId: string;
  readonly type: string;
  readonly taskQueue: string;
  /** Temporal's name without its prefix, such as `RUNNING`. */
  readonly status: string;
  /** ISO 8601. */
  readonly startTime: string;
  /** ISO 8601; null of an open run. */
  readonly closeTime: string | null;
  readonly events: number;
}

export interface HistoryIndex {
  readonly format: typeof FORMAT;
  readonly version: number;
  readonly namespace: string;
  readonly serverVersion: string;
  readonly exportedAt: string;
  /** The custom search attributes of the namespace: their types by their names. */
  readonly searchAttributes: Readonly<Record<string, SearchAttributeType>>;
  /** The oldest first. */
  readonly runs: readonly IndexedRun[];
}

/** A folder or a file that holds no histories; the message names it and says what was expected. */
export class HistoryFileError extends Error {
  override readonly name = 'HistoryFileError';
}

export async function writeIndex(
  folder: string,
  index: Omit<HistoryIndex, 'format' | 'version'>,
): Promise<void> {
  const whole: HistoryIndex = { format: FORMAT, version: VERSION, ...index };
  await writeWhole(join(folder, INDEX_FILE), `${JSON.stringify(whole, null, 2)}\n`);
}

/** @throws HistoryFileError when the folder has no index, or one of a newer release */
export async function readIndex(folder: string): Promise<HistoryIndex> {
  const path = join(folder, INDEX_FILE);
  let index: unknown;
  try {
    index = JSON.parse(await readFile(path, 'utf8'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new HistoryFileError(`${folder} has no ${INDEX_FILE}: name a folder that "export" has written`);
    if (!(error instanceof SyntaxError)) throw error;
    throw new HistoryFileError(`${path} is not JSON (${error.message}): export again`);
  }
  const { format, version } = Object(index) as Partial<HistoryIndex>;
  if (format !== FORMAT) throw new HistoryFileError(`${path} is not an index that "export" has written`);
  if (version !== VERSION)
    throw new HistoryFileError(`${path} has version ${version}, and this release reads ${VERSION} alone`);
  return index as HistoryIndex;
}
