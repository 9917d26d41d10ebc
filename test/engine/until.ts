import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition, looking every 20 ms; for less than a test may take, so that it is told what did not come. */
export async function until(condition: () => Promise<boolean> | boolean, timeoutMs = 100_000): Promise<void> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(20)) {
    if (await condition()) return;
    if (Date.now() > deadline) throw new Error(`not so within ${timeoutMs} ms`);
  }
}
