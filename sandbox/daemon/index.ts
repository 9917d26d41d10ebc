/**
 * A sandbox's daemon, for a process that runs one itself, as `main.ts` does.
 *
 * @example
 * const daemon = await Daemon.start({ folder, config, nodePath: process.execPath, guestEntry, log, onShutdown });
 * createDaemonServer(interfaceOf(daemon)).listen(socket);
 */
export { Daemon } from './daemon.ts';
export { interfaceOf } from './daemon-interface.ts';
export { createDaemonServer } from './http/server.ts';
