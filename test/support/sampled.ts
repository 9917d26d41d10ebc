/** `STEADYHAND_TEST_ALL=1` runs what is drawn from large tables in full, which takes many minutes more. */
export const isThorough = process.env['STEADYHAND_TEST_ALL'] === '1';

/** Each `nth` one of these, or all of them when asked for. */
export function sampled<T>(all: readonly T[], nth: number): readonly T[] {
  return isThorough ? all : all.filter((_, index) => index % nth === 0);
}
