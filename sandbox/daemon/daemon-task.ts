import type { DaemonPlace } from './daemon-place.ts';

/** What a daemon is told at its start. */
export interface DaemonTask {
  /** Of the sandbox. */
  readonly folder: string;
  readonly guestEntry: string;
  /** On a pool machine: where the daemon runs. */
  readonly place?: DaemonPlace | undefined;
}

/** Reads the arguments. */
export function readTask([folder, guestEntry, place]: readonly string[]): DaemonTask {
  if (folder === undefined || guestEntry === undefined)
    throw new Error('usage: sandbox-daemon <folder> <guest>');
  return { folder, guestEntry, ...(place === undefined ? {} : { place: JSON.parse(place) as DaemonPlace }) };
}
