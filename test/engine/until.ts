import { pacing } from '../support/pacing.ts';

/** Waits for a condition; for less than a test may take, so that it is told what did not come. */
export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 100_000): Promise<void> {
  const pause = pacing(100);
  for (const deadline = Date.now() + timeoutMs; !(await condition()); await pause()) {
    if (Date.now() > deadline) throw new Error(`not so within ${timeoutMs} ms`);
  }
}
