import { closeSync, readFileSync, readdirSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Closes files that the process that started this one left open, which would be inherited by the programs inside. Node
 * marks its own files, and the first few that it inherits, to be closed on exec; a file without this mark is foreign.
 */
export function closeInheritedFiles(): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd <= 2 || isClosedOnExec(fd)) continue;
    try {
      closeSync(fd);
    } catch {
      // This was the descriptor of the listing itself.
    }
  }
}

function isClosedOnExec(fd: number): boolean {
  try {
    const flags = /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'latin1'))?.[1] ?? '0';
    return (parseInt(flags, 8) & O_CLOEXEC) !== 0;
  } catch {
    return true;
  }
}
