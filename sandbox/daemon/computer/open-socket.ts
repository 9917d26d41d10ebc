import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** From open(2); Node has no name for it. */
const O_PATH = 0o10000000;

/**
 * A short path that leads to that very socket. The folder is the agent's too: had we connected by name, a symbolic link put
 * there could lead us to a socket of the host's. And names above 107 bytes do not fit a socket address.
 */
export function openSocket(path: string): { readonly path: string; readonly close: () => void } {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW);
  if (!fstatSync(fd).isSocket()) {
    closeSync(fd);
    throw new Error(`${path} is no socket`);
  }
  return { path: `/proc/self/fd/${fd}`, close: () => closeSync(fd) };
}
