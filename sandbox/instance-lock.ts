import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { linkNumbered, newestNumbered, removeOlder } from './numbered-files.ts';
import { type ProcessIdentity, identify, isAlive } from './process-identity.ts';

/**
 * Which daemon owns a sandbox's folder: the one named in the newest `daemon.<n>.json`, if it still runs. Of several that would
 * follow it only one can take the next number.
 */
export interface Instance {
  readonly number: number;
  readonly process: ProcessIdentity;
  /** The daemon's socket, a name inside the folder. */
  readonly socket: string;
}

const NAME = 'daemon';

/** The newest daemon of the folder, alive or not; null when there never was one. */
export function newestInstance(folder: string): Instance | null {
  const newest = newestNumbered(folder, NAME);
  return newest === null ? null : (JSON.parse(newest.text) as Instance);
}

/** The daemon that runs on the folder now, or null. */
export function runningInstance(folder: string): Instance | null {
  const newest = newestInstance(folder);
  return newest !== null && isAlive(newest.process) ? newest : null;
}

/** Makes this process the folder's daemon; null when another runs. */
export function takeFolder(folder: string, pid: number = process.pid): Instance | null {
  const own = identify(pid);
  if (own === null) throw new Error(`process ${pid} does not run`);
  for (;;) {
    const newest = newestInstance(folder);
    if (newest !== null && isAlive(newest.process)) return null;
    const number = (newest?.number ?? 0) + 1;
    const instance: Instance = { number, process: own, socket: `daemon.${number}.sock` };
    const draft = join(folder, `.daemon.${pid}.draft`);
    writeFileSync(draft, JSON.stringify(instance), { mode: 0o600 });
    if (!linkNumbered(folder, NAME, number, draft)) continue;
    for (const older of removeOlder(folder, NAME, number))
      rmSync(join(folder, `daemon.${older}.sock`), { force: true });
    return instance;
  }
}
