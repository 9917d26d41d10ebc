import { closeSync, createReadStream, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { layoutOf } from '../layout.ts';
import type { DaemonPlace } from './daemon-place.ts';

/** The argument of a daemon that waits for its sandbox on its standard input. */
export const SPARE = '--spare';

/** What a daemon is told at its start. */
export interface DaemonTask {
  /** Of the sandbox. */
  readonly folder: string;
  readonly guestEntry: string;
  /** On a pool machine: where the daemon runs. */
  readonly place?: DaemonPlace | undefined;
}

/** Reads the arguments, or waits for what they would have said; null when that never comes because the asker is gone. */
export async function readTask([folder, guestEntry, place]: readonly string[]): Promise<DaemonTask | null> {
  if (folder === SPARE) return taskFromInput();
  if (folder === undefined || guestEntry === undefined)
    throw new Error('usage: sandbox-daemon <folder> <guest>');
  return { folder, guestEntry, ...(place === undefined ? {} : { place: JSON.parse(place) as DaemonPlace }) };
}

async function taskFromInput(): Promise<DaemonTask | null> {
  // The descriptor stays open, so that the log's descriptors can be replaced one by one.
  const given = await text(createReadStream('', { fd: 0, autoClose: false }));
  if (given === '') return null;
  const task = JSON.parse(given) as DaemonTask;
  logTo(layoutOf(task.folder).log);
  return task;
}

/** Points standard output and standard error at a file, where who starts a daemon for a folder points them, too. */
function logTo(file: string): void {
  for (const fd of [1, 2]) {
    closeSync(fd);
    // A new descriptor is the lowest that is free, which is the one just closed.
    if (openSync(file, 'a', 0o600) !== fd) throw new Error(`descriptor ${fd} could not be replaced`);
  }
}
