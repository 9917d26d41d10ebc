import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** Clock ticks since boot: with the pid, the identity of a process. */
  readonly startTime: string;
  /** One letter, as in proc(5); `Z` is a zombie. */
  readonly state: string;
  /** The program's name, 15 characters of it. */
  readonly name: string;
}

/** All process ids of this pid namespace. */
export function listPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** What /proc says of a process, or null when there is none. */
export function readProcess(pid: number): ProcessEntry | null {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The program's name stands in parentheses and may hold anything, even spaces and parentheses.
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, , session] = fields;
  const startTime = fields[19];
  if (state === undefined || startTime === undefined) return null;
  return { pid, parent: Number(parent), session: Number(session), startTime, state, name };
}

/** Living processes (zombies left out) below `root` or in its session, `root` itself not among them. */
export function processesOf(root: number): ProcessEntry[] {
  const all = listPids()
    .map(readProcess)
    .filter((entry) => entry !== null);
  const family = new Set([root]);
  // Parents may be listed after their children, so go on until nothing is added.
  for (let size = 0; size !== family.size;) {
    size = family.size;
    for (const entry of all) if (family.has(entry.parent)) family.add(entry.pid);
  }
  return all.filter(
    (entry) => entry.pid !== root && entry.state !== 'Z' && (family.has(entry.pid) || entry.session === root),
  );
}

/**
 * Processes that carry `STEADYHAND_SANDBOX=<id>` in the environment they were started with, this one left out. How a sandbox
 * without a pid namespace is told from the rest of the machine.
 */
export function markedProcesses(id: string): ProcessEntry[] {
  const mark = `STEADYHAND_SANDBOX=${id}`;
  return listPids()
    .filter((pid) => pid !== process.pid && environmentOf(pid).includes(mark))
    .map(readProcess)
    .filter((entry): entry is ProcessEntry => entry !== null && entry.state !== 'Z');
}

/** Processes of a user, by number, this one left out. How a sandbox that has a container to itself is told from its daemon. */
export function processesOfUser(uid: number): ProcessEntry[] {
  return listPids()
    .filter((pid) => pid !== process.pid && userOf(pid) === uid)
    .map(readProcess)
    .filter((entry): entry is ProcessEntry => entry !== null && entry.state !== 'Z');
}

/** The real user. Not the owner of /proc/<pid>: that is root when the process may not be traced. */
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

/** Sends a signal (name or number); a process that is gone is no error. */
export function sendSignal(pid: number, signal: NodeJS.Signals | number): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone, or not ours to end.
  }
}

/**
 * Ends what `select` finds with SIGKILL, again and again while new ones appear (a fork may race with the listing), at most
 * for a second. With `graceMs` SIGINT comes first, as from Ctrl-C, and SIGTERM halfway.
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
