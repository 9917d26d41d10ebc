import { linkSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './error-fields.ts';
import { readText } from './record-file.ts';

/**
 * A record that several processes may replace: the newest of `<name>.<n>.json` in a folder. Who replaces it takes n + 1 by
 * linking a finished file to that name, which only one of several can do; the newest file is never removed.
 */
export interface Numbered {
  /** From 1. */
  readonly number: number;
  readonly path: string;
  readonly text: string;
}

/** Null when there never was one. */
export function newestNumbered(folder: string, name: string): Numbered | null {
  for (;;) {
    const number = Math.max(0, ...numbersOf(folder, name));
    if (number === 0) return null;
    const path = fileOf(folder, name, number);
    const text = readText(path);
    // Null: a still newer one has been made, and this one removed, since they were listed. Look again.
    if (text !== null) return { number, path, text };
  }
}

/**
 * Makes the draft, a file of this folder, the record of that number, and takes the draft away. False when another process was
 * quicker.
 */
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
  // The number was free because it had been given and followed since.
  rmSync(file, { force: true });
  return false;
}

/** Removes what came before a number; answers which those were. */
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

/** A folder that is gone has none. */
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
