import { SingleFlight } from '../../activities/single-flight.ts';

const never = new AbortController().signal;

test('attempts of one step share one run of its work', async () => {
  const flights = new SingleFlight<number>();
  let runs = 0;
  let finish = (_value: number): void => {};
  const work = (): Promise<number> => {
    runs++;
    return new Promise((resolve) => (finish = resolve));
  };
  const both = Promise.all([flights.run('a', never, work), flights.run('a', never, work)]);
  finish(7);
  expect(await both).toEqual([7, 7]);
  expect(runs).toBe(1);
});

test('one that leaves does not stop the work that another waits for', async () => {
  const flights = new SingleFlight<string>();
  const leaving = new AbortController();
  let aborted = false;
  let finish = (_value: string): void => {};
  const work = (signal: AbortSignal): Promise<string> => {
    signal.addEventListener('abort', () => (aborted = true));
    return new Promise((resolve) => (finish = resolve));
  };
  const first = flights.run('a', leaving.signal, work);
  const second = flights.run('a', never, work);
  leaving.abort(new Error('gone'));
  await expect(first).rejects.toThrow('gone');
  expect(aborted).toBe(false);
  finish('done');
  expect(await second).toBe('done');
});

test('when the last one leaves the work is aborted, and the next one begins anew', async () => {
  const flights = new SingleFlight<string>();
  const leaving = new AbortController();
  const aborted = new Promise<void>((resolve) => {
    const run = flights.run('a', leaving.signal, async (signal) => {
      await new Promise((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
      return 'never';
    });
    run.catch(() => resolve());
  });
  leaving.abort(new Error('gone'));
  await aborted;
  expect(await flights.run('a', never, () => Promise.resolve('anew'))).toBe('anew');
});

test('a failure reaches everybody and is not kept', async () => {
  const flights = new SingleFlight<string>();
  const failing = (): Promise<string> => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([flights.run('a', never, failing), flights.run('a', never, failing)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await flights.run('a', never, () => Promise.resolve('yes'))).toBe('yes');
});
