import { approvalMachine } from '../../examples/approval/machine.ts';
import { testActor } from '../../statechart/client/index.ts';
import { runningExample, send, waitFor } from '../support/example.ts';

const HOUR = 3_600_000;
const input = { document: 'budget', needed: 2, remindEvery: 24 * HOUR, giveUpAfter: 60 * HOUR };
const reminders: unknown[] = [];
const example = runningExample('approval', {
  remind: async (about: unknown) => {
    reminders.push(about);
    return await Promise.resolve(null);
  },
});

test('people are reminded every day, and after the time nobody is asked any more', () => {
  const actor = testActor(approvalMachine, { input, scripts: { remind: () => null } });
  actor.advance(24 * HOUR);
  actor.send({ type: 'approve', by: 'ann' });
  actor.advance(24 * HOUR);
  expect(actor.trace.filter(({ type }) => type === 'start')).toEqual([
    { type: 'start', source: 'remind', input: { document: 'budget', missing: 2 } },
    { type: 'start', source: 'remind', input: { document: 'budget', missing: 1 } },
  ]);
  expect(actor.advance(11 * HOUR)).toBe('open.waiting');
  expect(actor.advance(HOUR)).toBe('expired');
  expect(actor.output).toEqual({ approvedBy: ['ann'], refusedBy: null, reminders: 2 });
});

test('a reminder that fails does not end the request', () => {
  const actor = testActor(approvalMachine, { input });
  actor.advance(24 * HOUR);
  expect(actor.reject('remind', new Error('no mail'))).toBe('open.waiting');
});

test('a reminder goes out, two people approve, and the same one counts once', async () => {
  const handle = await example.start('approval', { ...input, remindEvery: 50 });
  await waitFor(handle, { state: 'open.reminding' });
  await send(handle, { type: 'approve', by: 'ann' });
  await expect(send(handle, { type: 'approve', by: 'ann' })).rejects.toMatchObject({
    cause: { type: 'EventNotAccepted' },
  });
  expect(await send(handle, { type: 'approve', by: 'bob' })).toBe('approved');
  expect(await handle.result()).toMatchObject({ approvedBy: ['ann', 'bob'], refusedBy: null });
  expect(reminders[0]).toEqual({ document: 'budget', missing: 2 });
});

test('one refusal decides, also by signal', async () => {
  const handle = await example.start('approval', input);
  await handle.signal('send', { type: 'refuse', by: 'eve' });
  expect(await handle.result()).toEqual({ approvedBy: [], refusedBy: 'eve', reminders: 0 });
});

test('the end of the time survives a worker that goes away', async () => {
  const handle = await example.start('approval', { ...input, giveUpAfter: 1500 });
  await waitFor(handle, { state: 'open' });
  await example.restartWorker();
  expect(await handle.result()).toEqual({ approvedBy: [], refusedBy: null, reminders: 0 });
});

test('all histories replay', async () => {
  expect(await example.replayAll()).toBe(3);
}, 180_000);
