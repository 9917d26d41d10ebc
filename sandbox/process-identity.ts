import { readFileSync } from 'node:fs';
import { readProcess } from './process-tree.ts';

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
