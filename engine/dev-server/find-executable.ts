import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** Finds the file that a shell would run for a command's name; undefined when no folder of `path` has it. */
export async function findExecutable(name: string, path: string): Promise<string | undefined> {
  for (const folder of path.split(delimiter).filter((f) => f !== '')) {
    const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    try {
      await access(file, constants.X_OK);
      if ((await stat(file)).isFile()) return file;
    } catch {
      // This folder does not have it, but the next one may.
    }
  }
  return undefined;
}
