import { pollingMachine } from '../../examples/polling/machine.ts';
import { testActor } from '../../statechart/client/index.ts';
import { runningExample, send, waitFor } from '../support/example.ts';

const input = { id: 'job-7', interval: 1000, maxInterval: 10_000, deadline: 60_000 };
/** What the next looks find; none is left when a job never ends. */
let answers: (string | Error | null)[] = [];
const example = runningExample('polling', {
  look: async () => {
    const answer = answers.shift() ?? null;
    if (answer instanceof Error) throw answer;
    return await Promise.resolve(answer);
  },
});

test('each wait is twice as long as the one before, up to the longest, until the deadline', () => {
  const looks: number[] = [];
  const actor = testActor(pollingMachine, {
    input,
    scripts: {
      look: () => {
        // The first look is at the beginning, before there is an actor to ask for the time.
        looks.push(looks.length === 0 ? 0 : actor.now);
        return null;
      },
    },
  });
  while (actor.status === 'active') actor.advanceToNext();
  expect(looks).toEqual([0, 1000, 3000, 7000, 15_000, 25_000, 35_000, 45_000, 55_000]);
  expect([actor.state, actor.now, actor.output]).toEqual(['lost', 60_000, { result: null, looks: 9 }]);
});

test('who hurries it gets a look at once, and short waits again', () => {
  const actor = testActor(pollingMachine, { input, scripts: { look: () => null } });
  actor.advance(20_000);
  expect(actor.context.looks).toBe(5);
  actor.send({ type: 'hurry' });
  expect(actor.context.looks).toBe(6);
  actor.advance(1000);
  expect(actor.context.looks).toBe(7);
});

test('it looks again after an error, and ends with the result', async () => {
  answers = [null, new Error('the service is away'), 'a report'];
  const handle = await example.start('polling', { ...input, interval: 20 });
  expect(await handle.result()).toEqual({ result: 'a report', looks: 3 });
});

test('a worker that goes away while it waits does not lose the job', async () => {
  answers = [null, 'a report'];
  const handle = await example.start('polling', { ...input, interval: 30_000 });
  await waitFor(handle, { state: 'open.waiting' });
  await example.restartWorker();
  expect(await send(handle, { type: 'hurry' })).toBe('open.looking');
  expect(await handle.result()).toEqual({ result: 'a report', looks: 2 });
});

test('all histories replay', async () => {
  expect(await example.replayAll()).toBe(2);
}, 180_000);
