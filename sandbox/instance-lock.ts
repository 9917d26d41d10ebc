import { linkSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ProcessIdentity, identify, isAlive } from './process-identity.ts';
import { errorCode } from './error-fields.ts';

/**
 * Which daemon owns a sandbox's folder: the one named in the `daemon.<n>.json` with the highest n, if it still runs. A new
 * daemon takes n + 1 by linking a finished file to that name, which only one of several can do; the highest file is never
 * removed, so a number is never given twice.
 */
export interface Instance {
  readonly number: number;
  readonly process: ProcessIdentity;
  /** The daemon's socket, a name inside the folder. */
  readonly socket: string;
}

const PATTERN = /^daemon\.(\d+)\.json$/;

/** The newest daemon of the folder, alive or not; null when there never was one. */
export function newestInstance(folder: string): Instance | null {
  for (;;) {
    const number = Math.max(0, ...numbersIn(folder));
    if (number === 0) return null;
    try {
      return JSON.parse(readFileSync(fileOf(folder, number), 'utf8')) as Instance;
    } catch (error) {
      // A still newer daemon has removed this file since it was listed: look again.
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }
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
    try {
      linkSync(draft, fileOf(folder, number));
    } catch (error) {
      if (errorCode(error) === 'EEXIST') continue;
      throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    removeOlder(folder, number);
    return instance;
  }
}

function removeOlder(folder: string, number: number): void {
  for (const older of numbersIn(folder).filter((candidate) => candidate < number)) {
    rmSync(join(folder, `daemon.${older}.sock`), { force: true });
    rmSync(fileOf(folder, older), { force: true });
  }
}

function numbersIn(folder: string): number[] {
  return namesIn(folder).flatMap((name) => {
    const match = PATTERN.exec(name);
    return match === null ? [] : [Number(match[1])];
  });
}

/** A folder that is gone has no daemons. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function fileOf(folder: string, number: number): string {
  return join(folder, `daemon.${number}.json`);
}
