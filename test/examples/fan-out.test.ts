import { batchMachine } from '../../examples/fan-out/machine.ts';
import { testActor } from '../../statechart/client/index.ts';
import { runningExample, send, waitFor } from '../support/example.ts';

const files = ['a', 'b', 'c', 'd', 'e'];
const attempts: string[] = [];
let gate: Promise<void> | undefined;
const example = runningExample('fan-out', {
  convert: async ({ file }: { file: string }) => {
    attempts.push(file);
    await gate;
    if (file === 'c') throw new Error('not a picture');
    return file.charCodeAt(0);
  },
});

beforeEach(() => {
  attempts.length = 0;
  gate = undefined;
});

test('no more than so many run at once, and a free place goes to the next', () => {
  const actor = testActor(batchMachine, { input: { files, atOnce: 2 } });
  const running = (): string[] => actor.running.map(({ path }) => path.join('/'));
  expect(running()).toEqual(['a', 'b']);
  actor.resolve('b', 2);
  expect(running()).toEqual(['a', 'c']);
  actor.continueAsNew();
  expect(running()).toEqual(['a', 'c']);
  actor.reject('c', new Error('not a picture'));
  expect(running()).toEqual(['a', 'd']);
  actor.send({ type: 'stop' });
  actor.resolve('a', 1);
  expect(running()).toEqual(['d']);
  actor.resolve('d', 4);
  expect(actor.output).toEqual({ done: { a: 1, b: 2, d: 4 }, failed: { c: 'Error: not a picture' } });
});

test('nothing to do is done at once', () => {
  expect(testActor(batchMachine, { input: { files: [], atOnce: 2 } }).output).toEqual({
    done: {},
    failed: {},
  });
});

test('all are converted, and one that fails, after two attempts, stops none of the others', async () => {
  const handle = await example.start('batch', { files, atOnce: 2 });
  expect(await handle.result()).toEqual({
    done: { a: 97, b: 98, d: 100, e: 101 },
    failed: { c: 'Error: not a picture' },
  });
  expect(attempts.toSorted()).toEqual(['a', 'b', 'c', 'c', 'd', 'e']);
});

test('who stops it gets what had been begun', async () => {
  let open = (): void => undefined;
  gate = new Promise((resolve) => (open = resolve));
  const handle = await example.start('batch', { files, atOnce: 2 });
  await waitFor(handle, { state: 'converting' });
  await send(handle, { type: 'stop' });
  open();
  expect(await handle.result()).toEqual({ done: { a: 97, b: 98 }, failed: {} });
});

test('all histories replay', async () => {
  expect(await example.replayAll()).toBe(2);
}, 180_000);
