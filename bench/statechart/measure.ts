import { quantile, round3 } from '../lib/figures.ts';

/** What a piece of work took, in milliseconds: on the clock, and of the processor by this process with all its threads. */
export interface Taken {
  readonly wall: number;
  readonly cpu: number;
}

export async function take(work: () => Promise<unknown>): Promise<Taken> {
  const start = process.cpuUsage();
  const began = performance.now();
  await work();
  const { user, system } = process.cpuUsage(start);
  return { wall: performance.now() - began, cpu: (user + system) / 1000 };
}

/** Processor time of synchronous work in microseconds. */
export function cpuOf(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** One figure beside another, both as medians of the samples, and the first as a multiple of the second. */
export interface Compared {
  readonly ours: number;
  readonly other: number;
  readonly ratio: number;
}

export function compare(ours: readonly number[], other: readonly number[]): Compared {
  const [a, b] = [quantile(ours, 0.5), quantile(other, 0.5)];
  return { ours: round3(a), other: round3(b), ratio: round3(a / b) };
}

/** Runs both works so often, each first in every other round, after one round that does not count. */
export async function alternate<T>(
  rounds: number,
  ours: () => T | Promise<T>,
  other: () => T | Promise<T>,
): Promise<{ readonly ours: T[]; readonly other: T[] }> {
  const taken: { ours: T[]; other: T[] } = { ours: [], other: [] };
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of round % 2 === 0 ? (['ours', 'other'] as const) : (['other', 'ours'] as const)) {
      const sample = await (side === 'ours' ? ours() : other());
      if (round > 0) taken[side].push(sample);
    }
  }
  return taken;
}
