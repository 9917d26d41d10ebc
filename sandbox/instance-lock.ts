import { readlinkSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { linkNumbered, newestNumbered, removeOlder } from './numbered-files.ts';
import { listPids, type ProcessIdentity, identify, isAlive } from './process-tree.ts';
import { isRecordOf, isObject, isText } from './record-file.ts';
import { writeSyncedSync } from './whole-file.ts';

/**
 * The process that owns a folder: the one named in the newest `daemon.<n>.json`, if it still runs. When several
 * processes try to follow it, only one of them can take the next number.
 */
export interface Instance {
  readonly number: number;
  readonly process: ProcessIdentity;
  /** The name of the daemon's socket inside the folder. */
  readonly socket: string;
}

const NAME = 'daemon';

/** The newest daemon of the folder, alive or not; null when there never was one. */
export function newestInstance(folder: string): Instance | null {
  const newest = newestNumbered(folder, NAME);
  return newest === null ? null : (parsed(newest.text) ?? foundByFolder(folder, newest.number));
}

function parsed(text: string): Instance | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecordOf(value, { process: isObject, socket: isText }) ? (value as Instance) : null;
  } catch {
    return null;
  }
}

/** Finds the daemon of a damaged record, which gives only the number: its working directory is its folder. */
function foundByFolder(folder: string, number: number): Instance {
  const at = realpathSync(folder);
  const found = listPids()
    .filter((pid) => isDaemonAt(pid, at))
    .flatMap((pid) => identify(pid) ?? [])
    // The daemon's children may have the same working directory, so the oldest process comes first.
    .sort((a, b) => Number(a.startTime) - Number(b.startTime));
  const process = found[0] ?? { pid: 0, startTime: '', machineBoot: '' };
  return { number, process, socket: socketOf(number) };
}

function isDaemonAt(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder && pid !== process.pid;
  } catch {
    return false;
  }
}

function socketOf(number: number): string {
  return `daemon.${number}.sock`;
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
    const instance: Instance = { number, process: own, socket: socketOf(number) };
    const draft = join(folder, `.daemon.${pid}.draft`);
    rmSync(draft, { force: true });
    writeSyncedSync(draft, JSON.stringify(instance));
    if (!linkNumbered(folder, NAME, number, draft)) continue;
    for (const older of removeOlder(folder, NAME, number))
      rmSync(join(folder, socketOf(older)), { force: true });
    return instance;
  }
}
