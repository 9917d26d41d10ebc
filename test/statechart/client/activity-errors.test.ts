import { ApplicationFailure } from '@temporalio/common';
import { activityErrors, decodeData } from '../../../statechart/client/index.ts';
import type { trying } from './machines.ts';
import { freshId, openWorkshop, type Workshop } from './support.ts';

let workshop: Workshop;
let attempts: Record<string, number>;

class CardDeclined extends Error {
  override readonly name = 'CardDeclined';
  readonly code = 'E_CARD';
  readonly amount = 12n;
  readonly at = new Date(5);
  readonly socket = (): void => undefined;
}

const thrown: Readonly<Record<string, () => unknown>> = {
  own: () => new CardDeclined('no money', { cause: new TypeError('empty', { cause: 'deep' }) }),
  final: () => ApplicationFailure.nonRetryable('for good', 'Blocked'),
  caused: () =>
    ApplicationFailure.create({
      message: 'wrapped',
      type: 'Outer',
      nonRetryable: true,
      cause: Object.assign(new RangeError('inner'), { code: 7 }),
    }),
  detailed: () => ApplicationFailure.nonRetryable('with details', 'Detailed', { shelf: 3 }),
  delayed: () => ApplicationFailure.create({ message: 'again', type: 'Later', nextRetryDelay: 1 }),
  text: () => 'only a text',
  nothing: () => undefined,
};

beforeAll(async () => {
  workshop = await openWorkshop({
    interceptors: { activity: [activityErrors] },
    activities: {
      fail(how: string) {
        attempts[how] = (attempts[how] ?? 0) + 1;
        throw thrown[how]?.();
      },
    },
  });
}, 180_000);

beforeEach(() => {
  attempts = {};
});

afterAll(async () => {
  await workshop.close();
}, 180_000);

async function errorFor(how: string): Promise<unknown> {
  const { client, taskQueue } = workshop.temporal;
  const options = { workflowId: freshId('trying'), taskQueue, args: [{ input: { how } }] as const };
  return decodeData(
    await client.workflow.execute<typeof trying>('trying', { ...options, args: [...options.args] }),
  );
}

test('an error arrives with its name, message, code, own fields and cause', async () => {
  const error = (await errorFor('own')) as Error & Record<string, unknown>;
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'CardDeclined', message: 'no money', code: 'E_CARD', amount: 12n });
  expect(error['at']).toEqual(new Date(5));
  expect(error.cause).toBeInstanceOf(TypeError);
  expect(error.cause).toMatchObject({ message: 'empty', cause: 'deep' });
  expect(error.stack).toContain('activity-errors.test.ts');
  // A field that cannot be kept is left out, alone.
  expect('socket' in error).toBe(false);
}, 60_000);

test('an ApplicationFailure stays final and keeps its type as the name', async () => {
  expect(await errorFor('final')).toMatchObject({ name: 'Blocked', message: 'for good' });
  expect(attempts['final']).toBe(1);
});

test('an ApplicationFailure keeps its cause, with fields', async () => {
  const error = (await errorFor('caused')) as Error;
  expect(error).toMatchObject({ name: 'Outer', message: 'wrapped', cause: { message: 'inner', code: 7 } });
  expect(error.cause).toBeInstanceOf(RangeError);
});

test('details of an ApplicationFailure stay where they are', async () => {
  expect(await errorFor('detailed')).toMatchObject({ name: 'Detailed', details: [{ shelf: 3 }] });
});

test('the delay that an ApplicationFailure asks for is the one before the next attempt', async () => {
  // The source's own policy would wait 10 seconds, and the second attempt be given up by then.
  const began = Date.now();
  expect(await errorFor('delayed')).toMatchObject({ name: 'Later', message: 'again' });
  expect(attempts['delayed']).toBe(3);
  expect(Date.now() - began).toBeLessThan(9000);
});

test('what is no error becomes one', async () => {
  const error = await errorFor('text');
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({ name: 'Error', message: 'only a text', cause: 'only a text' });
  expect(await errorFor('nothing')).toMatchObject({ message: 'undefined' });
}, 90_000);
