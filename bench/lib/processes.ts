import { readFileSync, readdirSync } from 'node:fs';

/** Linux counts a process's time in ticks of 10 ms. */
const TICK_MS = 10;

/** A process and everything that it has started. */
export function familyOf(pid: number): readonly number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const fields = fieldsOf(Number(name));
      return fields === null ? [] : [{ pid: Number(name), parent: Number(fields[1]) }];
    });
  const family = [pid];
  for (const member of family) {
    family.push(...parents.filter(({ parent }) => parent === member).map((child) => child.pid));
  }
  return family;
}

/** Milliseconds of processor time that a process has used so far, by the clock's ticks. */
export function processorMs(pid: number): number {
  const fields = fieldsOf(pid) ?? [];
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS;
}

/** The same of a process and all below it; those that ended meanwhile count with their parents. */
export function familyProcessorMs(pid: number): number {
  const ticksOf = (member: number): number =>
    (fieldsOf(member) ?? []).slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  return familyOf(pid).reduce((sum, member) => sum + ticksOf(member), 0) * TICK_MS;
}

/** MiB of memory of a process by the name of the figure: VmRSS for what is resident, VmHWM for the most so far. */
export function memoryMib(pid: number, figure: 'VmRSS' | 'VmHWM' | 'RssAnon' = 'VmRSS'): number {
  const match = new RegExp(`^${figure}:\\s+(\\d+) kB`, 'm').exec(textOf(`/proc/${pid}/status`));
  return Number(match?.[1] ?? 0) / 1024;
}

/** The fields of /proc/<pid>/stat from the state on; the name before them may hold blanks. */
function fieldsOf(pid: number): string[] | null {
  const text = textOf(`/proc/${pid}/stat`);
  return text === '' ? null : text.slice(text.lastIndexOf(')') + 2).split(' ');
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
