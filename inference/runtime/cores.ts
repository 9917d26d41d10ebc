import { readFileSync } from 'node:fs';
import os from 'node:os';

/**
 * Answers the CPU cores that this process may use, by its affinity and its control group's quota rounded up; at least
 * 1.
 */
export function availableCores(): number {
  return Math.max(1, Math.min(os.availableParallelism(), quota() ?? Infinity));
}

function quota(): number | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return quotaOf(readFileSync('/sys/fs/cgroup/cpu.max', 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Answers the quota in a `cpu.max` file, rounded up: `150000 100000` means 1.5 cores. Undefined for `max`, which is no
 * limit.
 */
export function quotaOf(cpuMax: string): number | undefined {
  const [limit, period] = cpuMax.trim().split(/\s+/).map(Number);
  if (limit === undefined || period === undefined || !(limit > 0) || !(period > 0)) return undefined;
  return Math.ceil(limit / period);
}
