import { rmSync } from 'node:fs';
import { desktopFiles } from '../desktop/desktop-files.ts';
import { findProgram } from '../find-program.ts';
import { SYSTEM_PATH } from './backend.ts';
import { type PublicFile, writePublicFolder } from '../public-folder.ts';

/**
 * Writes the desktop's configuration for the programs that are installed now. `inside` is the folder's path as programs
 * see it, and `more` are files beside the configuration.
 */
export function writeDesktopFolder(
  folder: string,
  inside: string,
  more: Readonly<Record<string, PublicFile>> = {},
): void {
  rmSync(folder, { recursive: true, force: true });
  writePublicFolder(folder, {
    ...desktopFiles((program) => findProgram(program, SYSTEM_PATH) !== null, inside),
    ...more,
  });
}
