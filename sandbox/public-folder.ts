import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface PublicFile {
  readonly text: string;
  readonly executable?: boolean;
}

/** Writes files by relative path. Everybody inside can read them, whatever this process's umask is. */
export function writePublicFolder(folder: string, files: Readonly<Record<string, PublicFile>>): void {
  const folders = new Set([folder]);
  for (const path of Object.keys(files)) {
    for (let parent = dirname(path); parent !== '.'; parent = dirname(parent))
      folders.add(join(folder, parent));
  }
  for (const path of [...folders].sort()) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o755);
  }
  for (const [path, { text, executable }] of Object.entries(files)) {
    writeFileSync(join(folder, path), text);
    chmodSync(join(folder, path), executable === true ? 0o755 : 0o644);
  }
}
