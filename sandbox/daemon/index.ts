/** A sandbox's daemon, for a process that runs one itself: `main.ts` is such a process. */
export { Daemon } from './daemon.ts';
export { createDaemonServer } from './http/server.ts';
export { interfaceOf } from './interface.ts';
