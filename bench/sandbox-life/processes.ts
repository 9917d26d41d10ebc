import { readdirSync } from 'node:fs';
import { textOf } from '../lib/processes.ts';

/** Kibibytes of memory by program, pages shared with others counted in part (PSS). */
export function memoryOf(pids: readonly number[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const pid of pids) {
    const rollup = textOf(`/proc/${pid}/smaps_rollup`);
    const name = textOf(`/proc/${pid}/cmdline`).split('\0').slice(0, 2).join(' ');
    const program = /sandbox-daemon/.test(name)
      ? 'daemon'
      : /guest\.cjs/.test(name)
        ? 'guest'
        : (name.split(' ')[0] ?? '').replace(/^.*\//, '');
    sums[program] = (sums[program] ?? 0) + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
  }
  return sums;
}

/** Milliseconds of processor time that these have taken so far, with all their threads; clock ticks would be too coarse. */
export function processorMsOf(pids: readonly number[]): number {
  return pids.reduce(
    (sum, pid) =>
      namesIn(`/proc/${pid}/task`).reduce(
        (ofThreads, thread) =>
          ofThreads + Number(textOf(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0]) / 1e6,
        sum,
      ),
    0,
  );
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
