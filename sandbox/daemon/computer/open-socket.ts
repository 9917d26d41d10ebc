import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/** This flag of open(2) has no name in Node. */
const O_PATH = 0o10000000;

/**
 * A short path that leads to this socket and no other. The agent can write to the folder: if we connected by name, a
 * symbolic link there could lead us to a socket of the host's. A socket address also has no room for paths above 107
 * bytes.
 */
export function openSocket(path: string): { readonly path: string; readonly close: () => void } {
  const fd = openSync(path, O_PATH | constants.O_NOFOLLOW);
  if (!fstatSync(fd).isSocket()) {
    closeSync(fd);
    throw new Error(`${path} is no socket`);
  }
  return { path: `/proc/self/fd/${fd}`, close: () => closeSync(fd) };
}
