import { setTimeout as pause } from 'node:timers/promises';
import { Context } from '@temporalio/activity';
import type { Leases } from '@steadyhand/store';

const LOOK_MS = 200;

/**
 * Works under a lease, so that two attempts of one step in two processes do not do the same work side by side: a later attempt waits while the
 * process of an earlier one lives and works, and finds then what that one recorded. The first attempt has nobody to wait for, so it
 * does not even wait for its lease.
 *
 * @param leases null where all attempts are in this process
 */
export async function alone<T>(
  leases: Leases | null,
  key: string,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  if (leases === null) return work();
  const { attempt } = Context.current().info;
  // Without the store the work fails by itself, where it needs the store; a lease only saves money.
  const taken = leases.take(key).catch(() => true);
  if (attempt > 1) {
    for (let has = await taken; !has; has = await leases.take(key).catch(() => true)) {
      await pause(LOOK_MS, undefined, { signal });
    }
  }
  try {
    return await work();
  } finally {
    void taken.then(() => leases.release(key)).catch(() => undefined);
  }
}
