import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

/**
 * Everything below a folder by its path from there: folders, files, sockets; links are not followed. What vanishes meanwhile
 * is left out. (`readdirSync` with `recursive` takes a socket for a folder in Node 20.3.)
 */
export function entriesBelow(folder: string): string[] {
  const found: string[] = [];
  const visit = (below: string): void => {
    for (const entry of entriesOf(path.join(folder, below))) {
      const name = path.join(below, entry.name);
      found.push(name);
      if (entry.isDirectory()) visit(name);
    }
  };
  visit('');
  return found;
}

/** The names of the files below a folder, without their folders. */
export function fileNamesBelow(folder: string): string[] {
  return entriesBelow(folder)
    .filter((name) => statSync(path.join(folder, name), { throwIfNoEntry: false })?.isFile() === true)
    .map((name) => path.basename(name));
}

function entriesOf(folder: string): ReturnType<typeof readEntries> {
  try {
    return readEntries(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

const readEntries = (folder: string) => readdirSync(folder, { withFileTypes: true });
