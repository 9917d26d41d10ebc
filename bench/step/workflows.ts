import { proxyActivities } from '@temporalio/workflow';

const { noop } = proxyActivities<{ noop(i: number): Promise<number> }>({ startToCloseTimeout: '1 minute' });

/** The smallest step an agent can take, over and over: one activity that does nothing. */
export async function steps(count: number): Promise<void> {
  for (let i = 0; i < count; i += 1) await noop(i);
}
