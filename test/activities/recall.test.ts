import { createActivities } from '../../activities/index.ts';
import type { RecallOutcome } from '../../contracts/session-activities.ts';
import {
  append,
  END_TURN,
  requiresAction,
  statusIdle,
  statusRunning,
  toolResult,
} from '../../sessions/index.ts';
import { eventId } from '../../store/index.ts';
import { inActivity, message, openBench } from './support.ts';
import { openedForEach } from '../support/opened.ts';
import { appendTo } from '../sessions/append-to.ts';

const bench = openedForEach(openBench);

const recall = (session: string, epoch = 1): Promise<RecallOutcome> =>
  inActivity(() => createActivities(bench.deps).recall({ session, epoch, generation: epoch }, { step: 1 }));

const use = (evaluated_permission: 'allow' | 'ask') =>
  ({ type: 'agent.tool_use', body: { name: 'bash', input: {}, evaluated_permission } }) as const;

/** A reply with tool uses, to all that was said; answers their ids. */
async function replied(session: string, key: string, ...uses: ReturnType<typeof use>[]): Promise<string[]> {
  const cursor = (await bench.store.sessions.get(session))?.cursor ?? 0;
  const events = uses.map((event) => ({ ...event, internal: { reply: { id: 'msg_1', cursor } } }));
  await append(bench.store, { session, key, epoch: 1, events: [statusRunning(), ...events] });
  return uses.map((_, index) => eventId(session, key, index + 1));
}

test('the tool uses without a result are told in order, as they were decided', async () => {
  const session = await bench.session();
  const said = await bench.user(session, message('go'));
  const [first = '', second = '', third = '', fourth = ''] = await replied(
    session,
    'reply',
    use('allow'),
    use('ask'),
    use('ask'),
    use('allow'),
  );
  const done = toolResult(first, { content: 'done', is_error: false });
  const waiting = statusIdle(requiresAction([second, third]));
  await append(bench.store, { session, key: 'result', epoch: 1, events: [done, waiting] });
  await bench.user(session, { type: 'user.tool_confirmation', body: { tool_use_id: third, result: 'deny' } });
  expect(await recall(session)).toEqual({
    epoch: 2,
    rest: false,
    interrupted: false,
    message: said,
    seen: said,
    calls: [
      { id: second, decision: 'ask' },
      { id: third, decision: 'deny' },
      { id: fourth, decision: 'allow' },
    ],
  });
  // It still waits for a person, and says so.
  expect((await bench.store.sessions.get(session))?.status).toBe('idle');
});

test('who wrote the log before appends nothing any more, and each recall takes over from the one before', async () => {
  const session = await bench.session();
  await bench.user(session, message('go'));
  await replied(session, 'reply', use('allow'));
  expect((await recall(session, 2)).epoch).toBe(2);
  const late = { session, key: 'late', epoch: 1, events: [statusIdle(END_TURN)] };
  await expect(append(bench.store, late)).rejects.toThrow(/epoch/i);
  expect((await recall(session, 2)).epoch).toBe(3);
});

test('a session at rest stays so; one that was spoken to since does not', async () => {
  const session = await bench.session();
  await bench.user(session, message('go'));
  await replied(session, 'reply', use('allow'));
  const [open = ''] = (await recall(session)).calls.map(({ id }) => id);
  const events = [toolResult(open, { content: '', is_error: false }), statusIdle(END_TURN)];
  await append(bench.store, { session, key: 'end', epoch: 9, events });
  expect(await recall(session)).toMatchObject({ rest: true, calls: [] });
  const cursor = (await bench.store.sessions.get(session))?.cursor;
  await recall(session);
  expect((await bench.store.sessions.get(session))?.cursor).toBe(cursor);
  const said = await bench.user(session, message('again'));
  expect(await recall(session)).toMatchObject({ rest: false, message: said });
  expect((await bench.store.sessions.get(session))?.status).toBe('running');
});

test('an interrupt that ended nothing yet is told', async () => {
  const session = await bench.session();
  const said = await bench.user(session, message('go'));
  await replied(session, 'reply', use('allow'));
  const seen = await bench.user(session, { type: 'user.interrupt', body: {} });
  expect(await recall(session)).toMatchObject({ rest: false, interrupted: true, message: said, seen });
});

test('a session that has ended is at rest and is not taken over, whatever it had begun', async () => {
  const session = await bench.session();
  const said = await bench.user(session, message('go'));
  await replied(session, 'reply', use('allow'));
  await appendTo(bench.store, session, 'end', [{ type: 'session.status_terminated', body: {} }]);
  const before = await bench.store.sessions.get(session);
  expect(await recall(session)).toEqual({
    epoch: 1,
    rest: true,
    interrupted: false,
    calls: [],
    message: said,
    seen: said,
  });
  expect(await bench.store.sessions.get(session)).toEqual(before);
});

test('a session that is deleted is not found', async () => {
  const session = await bench.session();
  await bench.store.sessions.beginDeletion(session);
  await expect(recall(session)).rejects.toMatchObject({ type: 'NotStoredError' });
});
