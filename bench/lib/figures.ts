import { mkdirSync, writeFileSync } from 'node:fs';

/** Keeps a benchmark's result in `bench/results`. */
export function writeResult(name: string, result: object): void {
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(`bench/results/${name}.json`, `${JSON.stringify(result, null, 2)}\n`);
}

/** The sample below which the share `q` of all samples lies; NaN of none. */
export function quantile(samples: readonly number[], q: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN;
}

export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
}

/** The usual quantiles, as whole numbers. */
export function spread(samples: readonly number[]): Spread {
  const at = (q: number): number => Math.round(quantile(samples, q));
  return { p50: at(0.5), p95: at(0.95), max: at(1) };
}

/** A figure with three significant digits. */
export function round3(value: number): number {
  return Number(value.toPrecision(3));
}
