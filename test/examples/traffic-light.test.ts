import { lightMachine } from '../../examples/traffic-light/machine.ts';
import { testActor } from '../../statechart/client/index.ts';
import type { MachineSnapshotView } from '../../statechart/workflow/index.ts';
import { runningExample, send, waitFor } from '../support/example.ts';

const input = { green: 300, yellow: 100, red: 200 };
const example = runningExample('traffic-light', {});

test('a thousand cycles take ten minutes, in however many runs', () => {
  const actor = testActor(lightMachine, { input });
  for (let run = 0; run < 10; run += 1) {
    actor.advance(60_000);
    actor.continueAsNew();
  }
  expect(actor.context.cycles).toBe(1000);
  expect(actor.state).toBe('working.green');
});

test('after a failure it goes on with the colour that it had, also in a new run', () => {
  const actor = testActor(lightMachine, { input });
  actor.advance(350);
  expect(actor.state).toBe('working.yellow');
  actor.send({ type: 'fail' });
  actor.continueAsNew();
  expect(actor.advance(60_000)).toBe('blinking');
  expect(actor.send({ type: 'repair' })).toBe('working.yellow');
});

test('it goes on over runs and workers', async () => {
  const handle = await example.start('light', { green: 60, yellow: 20, red: 40 });
  const { runId: first } = await handle.describe();
  await waitFor(handle, { state: 'working.yellow' });
  await example.restartWorker();
  let runId = first;
  while (runId === first) {
    await waitFor(handle, { state: 'working.red' });
    await waitFor(handle, { state: 'working.green' });
    ({ runId } = await handle.describe());
  }
  expect(await send(handle, { type: 'fail' })).toBe('blinking');
  const { context, delays } = await handle.query<MachineSnapshotView>('snapshot');
  expect((context as { cycles: number }).cycles).toBeGreaterThan(0);
  expect(delays).toEqual([]);
  expect(await send(handle, { type: 'repair' })).toMatch(/^working\./);
  await handle.terminate();
});

test('all histories replay', async () => {
  expect(await example.replayAll()).toBeGreaterThan(1);
}, 180_000);
