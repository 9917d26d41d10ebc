import {
  condition,
  defineSignal,
  executeChild,
  proxyActivities,
  setHandler,
  sleep,
} from '@temporalio/workflow';

const { longRunning, flaky } = proxyActivities<{
  longRunning(): Promise<string>;
  flaky(): Promise<number>;
}>({ startToCloseTimeout: '30 days', retry: { initialInterval: '1 day', backoffCoefficient: 1 } });

export const go = defineSignal('go');

export async function sleeper(): Promise<string> {
  await sleep('30 days');
  return 'slept';
}

/** The activity takes longer than the timer. */
export async function race(): Promise<string> {
  return await Promise.race([sleep('500 s').then(() => 'timer'), longRunning()]);
}

export async function retrying(): Promise<number> {
  return await flaky();
}

export async function parent(): Promise<string> {
  const answer = await executeChild(sleeper);
  await sleep('1 day');
  return `the child ${answer}`;
}

export async function waiting(): Promise<string> {
  let gone = false;
  setHandler(go, () => {
    gone = true;
  });
  return (await condition(() => gone, '2 days')) ? 'signalled' : 'timed out';
}
