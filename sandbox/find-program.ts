import { accessSync, constants } from 'node:fs';
import { isAbsolute, join } from 'node:path';

/** The first executable of that name on a search path (default: this process's PATH); null when there is none. */
export function findProgram(name: string, searchPath: string = process.env['PATH'] ?? ''): string | null {
  const candidates = isAbsolute(name) ? [name] : searchPath.split(':').map((folder) => join(folder, name));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
