import { Matching } from '../../../engine/embedded/queues/matching.ts';
import { type Poller, type QueuedTask, TaskQueue } from '../../../engine/embedded/queues/task-queue.ts';

let now = 1_000_000;
const clock = (): number => now;
const poller = (identity = 'p', isGone = false): Poller => ({
  identity,
  buildId: undefined,
  version: undefined,
  sdk: { name: '', version: '' },
  isGone,
});
const task = (result: string | undefined): QueuedTask<string> => ({ addedAt: now, start: () => result });

test('a task goes to the poller that waited longest, and a poller that has gone is passed over', () => {
  const queue = new TaskQueue<string>('q', clock);
  const got: string[] = [];
  queue.wait(poller('gone', true), (result) => got.push(`gone ${result}`));
  queue.wait(poller('first'), (result) => got.push(`first ${result}`));
  queue.wait(poller('second'), (result) => got.push(`second ${result}`));
  queue.add(task('a'));
  expect(got).toEqual(['gone undefined', 'first a']);
});

test('a task that is no longer wanted costs no poller its turn', () => {
  const queue = new TaskQueue<string>('q', clock);
  const got: (string | undefined)[] = [];
  queue.wait(poller(), (result) => got.push(result));
  queue.add(task(undefined));
  expect(got).toEqual([]);
  queue.add(task('wanted'));
  expect(got).toEqual(['wanted']);
});

test('a task whose start fails costs no poller its turn', () => {
  const queue = new TaskQueue<string>('q', clock);
  const got: (string | undefined)[] = [];
  queue.wait(poller(), (result) => got.push(result));
  const failing: QueuedTask<string> = {
    addedAt: now,
    start: () => {
      throw new Error('broken');
    },
  };
  expect(() => queue.add(failing)).toThrow('broken');
  queue.add(task('next'));
  expect(got).toEqual(['next']);
});

test('tasks wait in order and stale ones are skipped', () => {
  const queue = new TaskQueue<string>('q', clock);
  for (const result of ['a', undefined, 'b']) queue.add(task(result));
  expect([queue.take(poller()), queue.take(poller()), queue.take(poller())]).toEqual(['a', 'b', undefined]);
  expect(queue.backlog).toBe(0);
});

test('a queue is served while polled, a while after, and not once its worker left', () => {
  const queue = new TaskQueue<string>('q', clock);
  expect(queue.isServed).toBe(false);
  queue.notePoll(poller());
  expect(queue.isServed).toBe(true);
  now += 11_000;
  expect(queue.isServed).toBe(false);
  queue.notePoll(poller());
  queue.shutDown();
  expect(queue.isServed).toBe(false);
});

test('a queue that somebody is about to use is not thrown away for another one', () => {
  const matching = new Matching(clock);
  const queue = matching.workflowQueue('n', 'first');
  matching.workflowQueue('n', 'second');
  expect(matching.workflowQueue('n', 'first')).toBe(queue);
  now += 301_000;
  matching.workflowQueue('n', 'third');
  expect(matching.workflowQueue('n', 'first')).not.toBe(queue);
});
