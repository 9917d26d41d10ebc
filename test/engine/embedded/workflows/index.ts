import * as wf from '@temporalio/workflow';
import type { TestActivities } from '../support/activities.ts';

const act = wf.proxyActivities<TestActivities>({
  startToCloseTimeout: '30s',
  retry: { initialInterval: '100ms', backoffCoefficient: 1 },
});

export const add = wf.defineSignal<[number]>('add');
export const finish = wf.defineSignal('finish');
export const total = wf.defineQuery<number>('total');
export const bump = wf.defineUpdate<number, [number]>('bump');

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

/** Asks the activity once for each number that was added, and answers with what it said. */
export async function relay(): Promise<string[]> {
  const answers: string[] = [];
  let wanted = 0;
  let isFinished = false;
  wf.setHandler(add, (n) => {
    wanted += n;
  });
  wf.setHandler(finish, () => {
    isFinished = true;
  });
  wf.setHandler(total, () => answers.length);
  for (;;) {
    await wf.condition(() => wanted > answers.length || isFinished);
    if (wanted <= answers.length) return answers;
    answers.push(await act.echo(''));
  }
}

/** A child, and then a run that follows this one. */
export async function heir(generation: number): Promise<number> {
  if (generation > 0) return generation;
  await wf.executeChild(empty, { workflowId: `${wf.workflowInfo().workflowId}/child` });
  return await wf.continueAsNew<typeof heir>(generation + 1);
}

/** Asks the activity, continues as new once it is told to, and answers what the activity said in both runs. */
export async function upgradingHeir(
  initialVersioningBehavior: 'AUTO_UPGRADE' | 'USE_RAMPING_VERSION',
  said: string[] = [],
): Promise<string[]> {
  const answers = [...said, await act.echo('')];
  if (said.length > 0) return answers;
  let isFinished = false;
  wf.setHandler(finish, () => {
    isFinished = true;
  });
  await wf.condition(() => isFinished);
  const next = wf.makeContinueAsNewFunc<typeof upgradingHeir>({ initialVersioningBehavior });
  return await next(initialVersioningBehavior, answers);
}

/** Fails once it is told to in its first attempt, and answers in the next one what the activity said. */
export async function secondTry(): Promise<string> {
  let isFinished = false;
  wf.setHandler(finish, () => {
    isFinished = true;
  });
  const said = await act.echo('');
  if (wf.workflowInfo().attempt > 1) return said;
  await wf.condition(() => isFinished);
  throw wf.ApplicationFailure.retryable('the first attempt fails');
}

/** Answers what a child does that is tried again. */
export async function parentOfSecondTry(): Promise<string> {
  return await wf.executeChild(secondTry, {
    workflowId: `${wf.workflowInfo().workflowId}/child`,
    retry: { initialInterval: '100ms' },
  });
}

/** Continues as new where a ramp leads, fails there, and ends in the next attempt. */
export async function rampingHeir(generation: number): Promise<void> {
  if (generation === 0) {
    const next = wf.makeContinueAsNewFunc<typeof rampingHeir>({
      initialVersioningBehavior: 'USE_RAMPING_VERSION',
    });
    await next(1);
  }
  if (wf.workflowInfo().attempt === 1) throw wf.ApplicationFailure.retryable('the first attempt fails');
}

export async function steps(n: number): Promise<number> {
  for (let i = 0; i < n; i++) await act.noop();
  return n;
}

export async function fanOut(n: number): Promise<number> {
  const all = await Promise.all(Array.from({ length: n }, (_, i) => act.echo(`${i}`)));
  return all.length;
}

export async function sleeper(ms: number): Promise<string> {
  await wf.sleep(ms);
  return 'awake';
}

export async function manyTimers(n: number): Promise<number> {
  await Promise.all(Array.from({ length: n }, (_, i) => wf.sleep(10 + (i % 50))));
  return n;
}

/** Adds what signals and updates bring until it is told to finish. */
export async function counter(): Promise<number> {
  let sum = 0;
  let done = false;
  wf.setHandler(add, (n) => {
    sum += n;
  });
  wf.setHandler(finish, () => {
    done = true;
  });
  wf.setHandler(total, () => sum);
  wf.setHandler(
    bump,
    async (n) => {
      if (n > 100) await wf.sleep(n);
      if (n === 13) throw wf.ApplicationFailure.nonRetryable('unlucky', 'Unlucky');
      sum += n;
      return sum;
    },
    {
      validator: (n) => {
        if (n < 0) throw wf.ApplicationFailure.nonRetryable('negative', 'Negative');
      },
    },
  );
  await wf.condition(() => done && wf.allHandlersFinished());
  return sum;
}

/** Closes as soon as it has accepted an update that never completes. */
export async function closesOverUpdate(): Promise<string> {
  let accepted = false;
  wf.setHandler(bump, async () => {
    accepted = true;
    await wf.condition(() => false);
    return 0;
  });
  await wf.condition(() => accepted);
  return 'closed';
}

export async function gated(label: string): Promise<string> {
  return await act.gate(label);
}

export async function flakyStep(label: string, times: number, intervalMs: number): Promise<number> {
  const flaky = wf.proxyActivities<TestActivities>({
    startToCloseTimeout: '30s',
    retry: { initialInterval: intervalMs, backoffCoefficient: 1 },
  });
  return await flaky.flaky(label, times);
}

/** Runs one activity with the given options and tells how it ended. */
export async function withOptions(
  options: wf.ActivityOptions,
  name: keyof TestActivities,
  args: unknown[],
): Promise<string> {
  const proxy = wf.proxyActivities<Record<string, (...args: unknown[]) => Promise<unknown>>>(options);
  const activity = proxy[name];
  if (!activity) throw wf.ApplicationFailure.nonRetryable(`no activity ${name}`);
  try {
    return `ok ${JSON.stringify(await activity(...args))}`;
  } catch (error) {
    return describe(error);
  }
}

function describe(error: unknown): string {
  const parts: string[] = [];
  for (let e: unknown = error; e instanceof Error; e = e.cause) {
    const { timeoutType, type, retryState } = e as {
      timeoutType?: string;
      type?: string;
      retryState?: string;
    };
    parts.push([e.name, timeoutType, type, retryState].filter(Boolean).join(' '));
  }
  return parts.join(' < ');
}

/** Starts an activity, cancels it after `ms`, and tells how it ended. */
export async function cancelsActivity(label: string, ms: number): Promise<string> {
  const proxy = wf.proxyActivities<TestActivities>({
    startToCloseTimeout: '30s',
    heartbeatTimeout: '10s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
  const scope = new wf.CancellationScope();
  const running = scope.run(() => proxy.untilCancelled(label));
  running.catch(() => undefined);
  await wf.sleep(ms);
  scope.cancel();
  try {
    return await running;
  } catch (error) {
    return describe(error);
  }
}

/** Cancels an activity that nobody takes. */
export async function cancelsUnstarted(): Promise<string> {
  const proxy = wf.proxyActivities<TestActivities>({
    taskQueue: 'nobody',
    startToCloseTimeout: '30s',
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
  });
  const scope = new wf.CancellationScope();
  const running = scope.run(() => proxy.noop());
  running.catch(() => undefined);
  await wf.sleep(50);
  scope.cancel();
  try {
    await running;
    return 'ran';
  } catch (error) {
    return describe(error);
  }
}

export async function localStep(text: string): Promise<string> {
  const local = wf.proxyLocalActivities<TestActivities>({ startToCloseTimeout: '5s' });
  return await local.echo(text);
}

export async function parentOf(childId: string, ms: number): Promise<string> {
  return await wf.executeChild(sleeper, { workflowId: childId, args: [ms] });
}

export async function abandonsChild(childId: string): Promise<void> {
  await wf.startChild(sleeper, { workflowId: childId, args: [500], parentClosePolicy: 'ABANDON' });
}

export async function parentOfRetriedChild(childId: string): Promise<number> {
  return await wf.executeChild(succeedsOnAttempt, {
    workflowId: childId,
    args: [2],
    retry: { initialInterval: '50ms', maximumAttempts: 3 },
  });
}

export async function parentOfContinuedChild(childId: string): Promise<string> {
  return await wf.executeChild(continues, { workflowId: childId, args: [1] });
}

export async function succeedsOnAttempt(n: number): Promise<number> {
  const { attempt } = wf.workflowInfo();
  if (attempt < n) throw wf.ApplicationFailure.retryable(`attempt ${attempt}`, 'Again');
  return attempt;
}

export async function continues(n: number): Promise<string> {
  if (n > 0) await wf.continueAsNew<typeof continues>(n - 1);
  return `run ${wf.workflowInfo().continuedFromExecutionRunId === undefined ? 'first' : 'continued'}`;
}
