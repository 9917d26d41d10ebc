import { closeSync, readFileSync, readdirSync } from 'node:fs';

const O_CLOEXEC = 0o2000000;

/**
 * Closes what whoever started this process left open: files that would be handed on to the programs inside. Node marks its
 * own to be closed on exec, and the first few that it inherits; what carries no such mark is somebody else's.
 */
export function closeInheritedFiles(): void {
  for (const name of readdirSync('/proc/self/fd')) {
    const fd = Number(name);
    if (fd <= 2 || isClosedOnExec(fd)) continue;
    try {
      closeSync(fd);
    } catch {
      // The listing's own.
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
