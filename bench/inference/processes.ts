import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process's time in ticks of 10 ms. */
const TICK_MS = 10;

/** CPU milliseconds that a process and all below it have used so far; those that ended meanwhile count with their parents. */
export function cpuMs(pid: number): number {
  const family = new Set([pid]);
  const stats = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const fields = statOf(Number(name));
        return fields === undefined ? [] : [[Number(name), fields] as const];
      }),
  );
  for (let before = -1; before !== family.size;) {
    before = family.size;
    for (const [child, { parent }] of stats) if (family.has(parent)) family.add(child);
  }
  return [...family].reduce((sum, member) => sum + (stats.get(member)?.ticks ?? 0), 0) * TICK_MS;
}

/** Resident memory of one process, in MiB. */
export function rssMiB(pid: number): number {
  const match = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? Number.NaN) / 1024;
}

function statOf(pid: number): { readonly parent: number; readonly ticks: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces: fields are counted behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    return { parent: Number(fields[1]), ticks };
  } catch {
    return undefined;
  }
}
