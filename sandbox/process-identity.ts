import { readFileSync } from 'node:fs';

/**
 * A process of this machine; its start time and the machine's boot distinguish it from a later one with the same pid.
 */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks from boot to its start, field 22 of /proc/<pid>/stat. */
  readonly startTime: string;
  /** /proc/sys/kernel/random/boot_id */
  readonly machineBoot: string;
}

/** The identity of a running process; null when there is none, or a zombie. */
export function identify(pid: number): ProcessIdentity | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const startTime = fields[19];
    if (startTime === undefined || fields[0] === 'Z' || fields[0] === 'X') return null;
    return { pid, startTime, machineBoot: readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim() };
  } catch {
    return null;
  }
}

/** Whether the process still runs and its pid was not reused. */
export function isAlive(process: ProcessIdentity): boolean {
  const found = identify(process.pid);
  return found?.startTime === process.startTime && found.machineBoot === process.machineBoot;
}
