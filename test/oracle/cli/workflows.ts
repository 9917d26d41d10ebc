import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  defineUpdate,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';

const { held } = proxyActivities<{ held(name: string): Promise<string> }>({ startToCloseTimeout: '1 hour' });

export const go = defineSignal<[number]>('go');
export const state = defineQuery<number, [number?]>('state');
export const bump = defineUpdate<number, [number]>('bump');

/** Waits for the signal `go`, adds what updates say, and answers the sum. */
export async function waits(start = 0): Promise<number> {
  let sum = start;
  let isOver = false;
  setHandler(go, (by = 0) => {
    sum += by;
    isOver = true;
  });
  setHandler(state, (plus = 0) => sum + plus);
  setHandler(bump, (by) => (sum += by), {
    validator(by) {
      if (by < 0) throw new Error('only upwards');
    },
  });
  await condition(() => isOver);
  return sum;
}

/** Has an activity that is answered from outside. */
export async function holds(name: string): Promise<string> {
  return await held(name);
}

export async function quick(value: unknown): Promise<unknown> {
  return await Promise.resolve(value);
}

export async function fails(): Promise<void> {
  await Promise.reject(ApplicationFailure.nonRetryable('it broke', 'Broken', { code: 7 }));
}
