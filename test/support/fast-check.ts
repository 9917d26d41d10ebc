/**
 * fast-check for every property test here. Each run draws the same cases, so that the same code gives the same result;
 * `STEADYHAND_TEST_SEED=random` looks further, and `STEADYHAND_TEST_SEED=<integer>` draws those of a failure again.
 */
import fc from 'fast-check';
import { isThorough } from './sampled.ts';

export { default as fc } from 'fast-check';

const DEFAULT_SEED = 20_261_122;
const asked = process.env['STEADYHAND_TEST_SEED'];

if (asked !== 'random') {
  const seed = asked === undefined || asked === '' ? DEFAULT_SEED : Number(asked);
  if (!Number.isInteger(seed))
    throw new Error(`STEADYHAND_TEST_SEED is \`${asked}\`; it must be \`random\` or an integer`);
  fc.configureGlobal({ seed });
}

/** How many cases to draw, and how often to expect what each of them may show: a usual run, which draws the same ones every time, draws a third. */
export const draws = (runs: number): number =>
  isThorough || (asked !== undefined && asked !== '') ? runs : Math.ceil(runs / 3);

type Arbitraries<T> = { [K in keyof T]: fc.Arbitrary<T[K]> };

/** The predicate holds for `draws(runs)` draws from the arbitraries before it: it gives no `false` and throws nothing. */
export function assertProperty<T extends [unknown, ...unknown[]]>(
  runs: number,
  ...given: [...arbitraries: Arbitraries<T>, predicate: (...drawn: T) => boolean | void]
): void {
  fc.assert(fc.property<T>(...given), { numRuns: draws(runs) });
}

/** The same of a predicate that gives a promise. */
export async function assertAsyncProperty<T extends [unknown, ...unknown[]]>(
  runs: number,
  ...given: [...arbitraries: Arbitraries<T>, predicate: (...drawn: T) => Promise<boolean | void>]
): Promise<void> {
  await fc.assert(fc.asyncProperty<T>(...given), { numRuns: draws(runs) });
}
