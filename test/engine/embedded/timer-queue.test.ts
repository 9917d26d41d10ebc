import { TimerQueue } from '../../../engine/embedded/queues/timer-queue.ts';

const ref = (runId: string) => ({ namespace: 'n', workflowId: 'w', runId });

beforeEach(() => {
  jest.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  jest.useRealTimers();
});

function queue(): { timers: TimerQueue; fired: string[] } {
  const fired: string[] = [];
  return {
    timers: new TimerQueue(Date.now, (_key, { runId }) => fired.push(`${runId}@${Date.now()}`)),
    fired,
  };
}

test('fires in order of time, once each', () => {
  const { timers, fired } = queue();
  timers.set(1, ref('late'), 1_000_300);
  timers.set(2, ref('early'), 1_000_100);
  timers.set(3, ref('past'), 999_000);
  jest.advanceTimersByTime(1000);
  expect(fired).toEqual(['past@1000000', 'early@1000100', 'late@1000300']);
  expect(timers.size).toBe(0);
});

test('a run that changes is woken at its new time only, or never', () => {
  const { timers, fired } = queue();
  timers.set(1, ref('moved'), 1_000_100);
  timers.set(1, ref('moved'), 1_000_200);
  timers.set(2, ref('dropped'), 1_000_100);
  timers.set(2, ref('dropped'), undefined);
  jest.advanceTimersByTime(1000);
  expect(fired).toEqual(['moved@1000200']);
});

test('a timer of a year fires after a year, not at once', () => {
  const { timers, fired } = queue();
  const year = 365 * 24 * 3600 * 1000;
  timers.set(1, ref('year'), 1_000_000 + year);
  jest.advanceTimersByTime(year - 1);
  expect(fired).toEqual([]);
  jest.advanceTimersByTime(1);
  expect(fired).toEqual([`year@${1_000_000 + year}`]);
});

test('after a halt of the process what has come meanwhile counts before what was due meanwhile', () => {
  const { timers, fired } = queue();
  timers.set(1, ref('beaten'), 1_000_100);
  timers.set(2, ref('due'), 1_000_100);
  jest.setSystemTime(1_005_000);
  jest.advanceTimersByTime(100);
  expect(fired).toEqual([]);
  timers.set(1, ref('beaten'), 1_007_000);
  jest.advanceTimersByTime(100);
  expect(fired).toEqual(['due@1005150']);
  jest.advanceTimersByTime(2000);
  expect(fired).toEqual(['due@1005150', 'beaten@1007000']);
});

test('a run that alternates between a near and a far time does not pile up entries', () => {
  const { timers, fired } = queue();
  for (let i = 0; i < 20_000; i++) timers.set(1, ref('busy'), i % 2 === 0 ? 1_000_050 : 9_000_000);
  expect(timers.entries).toBeLessThan(3000);
  timers.set(1, ref('busy'), 1_000_050);
  jest.advanceTimersByTime(100);
  expect(fired).toEqual(['busy@1000050']);
});
