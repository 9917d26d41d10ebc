import { readFileSync } from 'node:fs';

/** What a file holds; nothing when it is not there any more, as that of a process or a thread that has ended. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
