import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  defineUpdate,
  executeChild,
  proxyActivities,
  setHandler,
  sleep,
  ApplicationFailure,
} from '@temporalio/workflow';
import { machineWorkflow } from '../../../statechart/workflow/index.ts';
import { first } from '../../statechart/seeing/approval.ts';

const { fetch, fail } = proxyActivities<{ fetch(what: string): Promise<string>; fail(): Promise<void> }>({
  startToCloseTimeout: '1 minute',
  retry: { initialInterval: '1 hour', maximumAttempts: 3 },
});

const pay = defineSignal<[number]>('pay');
const finish = defineSignal('finish');
const total = defineQuery<number>('total');
const rename = defineUpdate<string, [string]>('rename');

/** Takes messages until it is told to end, and answers what was paid. */
export async function order(name: string, big = 0): Promise<{ name: string; paid: number; big: string }> {
  let paid = 0;
  let current = name;
  let ended = false;
  setHandler(pay, (amount) => void (paid += amount), { description: 'Pays an amount' });
  setHandler(finish, () => void (ended = true));
  setHandler(total, () => paid, { description: 'What was paid so far' });
  setHandler(
    rename,
    (to) => {
      const before = current;
      current = to;
      return before;
    },
    {
      validator: (to) => {
        if (to === '') throw new Error('a name is not empty');
      },
    },
  );
  await condition(() => ended);
  return { name: current, paid, big: 'x'.repeat(big) };
}

/** Waits at a timer, for a child, and for an activity that fails again and again. */
export async function waiting(): Promise<void> {
  await Promise.all([
    sleep('3 hours', { summary: 'until the shop opens' }),
    executeChild(order, { args: ['child'], workflowId: 'child-of-waiting' }),
    fail(),
    sleep('1 ms'),
  ]);
}

/** Ends with a failure that has causes. */
export async function failing(): Promise<void> {
  await fetch('nothing');
  throw ApplicationFailure.create({
    message: 'the order is lost',
    type: 'OrderLost',
    nonRetryable: true,
    details: [{ order: 7 }],
    cause: new Error('the shelf is empty'),
  });
}

export async function twice(left: number): Promise<string> {
  if (left > 0) await continueAsNew<typeof twice>(left - 1);
  return 'done';
}

export const approval = machineWorkflow(first);
