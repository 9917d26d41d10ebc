import * as wf from '@temporalio/workflow';
import type { TestActivities } from '../support/activities.ts';

const act = wf.proxyActivities<TestActivities>({ startToCloseTimeout: '30s' });

export const add = wf.defineSignal<[number]>('add');

export async function empty(): Promise<void> {}

/** One activity, one timer, one signal. */
export async function basics(name: string): Promise<string> {
  let sum = 0;
  wf.setHandler(add, (n) => {
    sum += n;
  });
  const echoed = await act.echo(name);
  await wf.sleep(20);
  await wf.condition(() => sum >= 3);
  return `${echoed} ${sum}`;
}

export async function steps(n: number): Promise<number> {
  for (let i = 0; i < n; i++) await act.noop();
  return n;
}
