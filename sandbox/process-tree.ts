import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Clock ticks since boot. Together with the pid it identifies a process. */
  readonly startTime: string;
  /** One letter as in proc(5); `Z` is a zombie. */
  readonly state: string;
  /** The first 15 characters of the program's name. */
  readonly name: string;
}

/** Returns all process ids of this pid namespace. */
export function listPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Reads a process's entry in /proc; null when there is none. */
export function readProcess(pid: number): ProcessEntry | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The program's name is in parentheses and may contain anything, even spaces and parentheses.
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , session] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return { pid, parent: Number(parent), session: Number(session), startTime, state, name };
}

/** Returns the living processes (without zombies) below `root` or in its session, without `root` itself. */
export function processesOf(root: number): ProcessEntry[] {
  const all = listPids()
    .map(readProcess)
    .filter((entry) => entry !== null);
  const family = new Set([root]);
  // Parents may be listed after their children, so this repeats until nothing is added.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const entry of all) if (family.has(entry.parent)) family.add(entry.pid);
  }
  return all.filter(
    (entry) => entry.pid !== root && entry.state !== 'Z' && (family.has(entry.pid) || entry.session === root),
  );
}

/**
 * Returns the processes that were started with `STEADYHAND_SANDBOX=<name>` in their environment, without this one. They
 * identify a sandbox without a pid namespace.
 */
export function markedProcesses(name: string): ProcessEntry[] {
  const mark = `STEADYHAND_SANDBOX=${name}`;
  return listPids()
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(mark))
    .map(readProcess)
    .filter((entry): entry is ProcessEntry => entry !== null && entry.state !== 'Z');
}

/**
 * Returns the processes of a user id, without this one. They are the agent's where a sandbox has a container to itself.
 */
export function processesOfUser(uid: number): ProcessEntry[] {
  return listPids()
    .filter((pid) => pid !== process.pid && userOf(pid) === uid)
    .map(readProcess)
    .filter((entry): entry is ProcessEntry => entry !== null && entry.state !== 'Z');
}

/**
 * Returns the real user. The owner of /proc/<pid> is not used, because it is root when the process may not be traced.
 */
export function userOf(pid: number): number | null {
  try {
    const uid = /^Uid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return uid === undefined ? null : Number(uid);
  } catch {
    return null;
  }
}

export function environmentOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0');
  } catch {
    return [];
  }
}

/** Sends a signal (name or number). A process that is gone is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals | number): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process is gone or not ours to end.
  }
}

/**
 * Ends what `select` finds with SIGKILL, again while new processes appear (a fork may race with the listing), for at
 * most a second. With `graceMs` SIGINT comes first, as from Ctrl-C, and SIGTERM halfway.
 */
export async function endProcesses(select: () => readonly ProcessEntry[], graceMs: number): Promise<void> {
  for (const signal of graceMs > 0 ? (['SIGINT', 'SIGTERM'] as const) : []) {
    for (const entry of select()) sendSignal(entry.pid, signal);
    const deadline = performance.now() + graceMs / 2;
    while (performance.now() < deadline && select().length > 0) await pause(10);
  }
  let found = select();
  for (let round = 0; found.length > 0 && round < 100; round += 1) {
    for (const entry of found) sendSignal(entry.pid, 'SIGKILL');
    await pause(10);
    found = select();
  }
}

/**
 * A process of this machine. Its start time and the machine's boot distinguish it from a later one with the same pid.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to its start, field 22 of /proc/<pid>/stat. */
  readonly startTime: string;
  /** /proc/sys/kernel/random/boot_id */
  readonly machineBoot: string;
}

/** Returns the identity of a running process; null when there is none, or a zombie. */
export function identify(pid: number): ProcessIdentity | null {
  const found = readProcess(pid);
  if (found === null || found.state === 'Z' || found.state === 'X') return null;
  const { startTime } = found;
  try {
    return { pid, startTime, machineBoot: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() };
  } catch {
    return null;
  }
}

/** Whether this very process still runs. */
export function isAlive(process: ProcessIdentity): boolean {
  const found = identify(process.pid);
  return found?.startTime === process.startTime && found.machineBoot === process.machineBoot;
}
