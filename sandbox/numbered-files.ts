import { linkSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './error-fields.ts';
import { readText } from './record-file.ts';

/**
 * A record that several processes may replace: it is the newest of `<name>.<n>.json` in a folder. A process replaces it
 * by linking a finished file to the name with n + 1, which only one of several can do; the newest file is never
 * removed.
 */
interface Numbered {
  /** Numbers begin with 1. */
  readonly number: number;
  readonly path: string;
  readonly text: string;
}

/** The newest record; null when there never was one. */
export function newestNumbered(folder: string, name: string): Numbered | null {
  for (;;) {
    const number = Math.max(0, ...numbersOf(folder, name));
    if (number === 0) return null;
    const path = fileOf(folder, name, number);
    const text = readText(path);
    // The file is gone when a newer record was made after the listing. The loop then looks again.
    if (text !== null) return { number, path, text };
  }
}

/** Makes the draft, a file of this folder, the record of that number. False when another process was faster. */
export function linkNumbered(folder: string, name: string, number: number, draft: string): boolean {
  const file = fileOf(folder, name, number);
  try {
    linkSync(draft, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
  if (Math.max(...numbersOf(folder, name)) === number) return true;
  // The number was free because its file had been replaced by a newer one and removed.
  rmSync(file, { force: true });
  return false;
}

/** Removes the records before a number and returns their numbers. */
export function removeOlder(folder: string, name: string, number: number): readonly number[] {
  const older = numbersOf(folder, name).filter((candidate) => candidate < number);
  for (const each of older) rmSync(fileOf(folder, name, each), { force: true });
  return older;
}

function numbersOf(folder: string, name: string): number[] {
  return namesIn(folder).flatMap((file) => {
    const number = file.startsWith(`${name}.`) && /^(\d+)\.json$/.exec(file.slice(name.length + 1))?.[1];
    return typeof number === 'string' ? [Number(number)] : [];
  });
}

/** The names in a folder; none when the folder is gone. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function fileOf(folder: string, name: string, number: number): string {
  return join(folder, `${name}.${number}.json`);
}
