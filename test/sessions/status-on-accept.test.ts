import { append, readLog, requiresAction, statusIdle } from '../../sessions/index.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { confirm, sampleSession, says, uses } from './sample-session.ts';

const stores = temporaryStores();

/** A session that waits for an answer to two tool uses. */
async function waiting(): Promise<Awaited<ReturnType<typeof sampleSession>> & { one: string; two: string }> {
  const store = await stores.open();
  const sample = await sampleSession(store);
  const { sessions, session } = sample;
  const tools = ['str_replace_editor', 'str_replace_editor'];
  const [one = '', two = ''] = await uses(store, sessions, session, ...tools);
  await append(store, { session, key: 'ask', events: [statusIdle(requiresAction([one, two]))] });
  return { ...sample, one, two };
}

describe('a session is running from the moment at which what starts its turn is accepted', () => {
  it('a message, and the log tells of it right behind the message', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    await sessions.events.send(session, says('a'));
    expect((await sessions.retrieve(session)).status).toBe('running');
    await sessions.events.send(session, says('b'));
    expect((await readLog(store, session)).map(({ type }) => type)).toEqual([
      'user.message',
      'session.status_running',
      'user.message',
    ]);
  });

  it('the last of the answers; before it, those that are left are told', async () => {
    const { sessions, session, one, two } = await waiting();
    await sessions.events.send(session, confirm(one, 'allow'));
    expect(await sessions.retrieve(session)).toMatchObject({
      status: 'idle',
      stop_reason: { type: 'requires_action', event_ids: [two] },
    });
    await sessions.events.send(session, confirm(two, 'deny'));
    expect(await sessions.retrieve(session)).toMatchObject({ status: 'running', stop_reason: null });
  });

  it('not an interrupt, nor a message that waits behind answers', async () => {
    const idle = await sampleSession(await stores.open());
    await idle.sessions.events.send(idle.session, { events: [{ type: 'user.interrupt' }] });
    expect((await idle.sessions.retrieve(idle.session)).status).toBe('idle');
    const { sessions, session } = await waiting();
    await sessions.events.send(session, says('hurry'));
    expect((await sessions.retrieve(session)).status).toBe('idle');
    const stop = { type: 'user.message', content: 'stop' };
    await sessions.events.send(session, { events: [{ type: 'user.interrupt' }, stop] });
    expect((await sessions.retrieve(session)).status).toBe('running');
  });

  it('a retry of the request adds nothing', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    const first = await sessions.events.send(session, says('a'), 'key');
    expect(await sessions.events.send(session, says('a'), 'key')).toEqual(first);
    expect(await readLog(store, session)).toHaveLength(2);
    await expect(sessions.events.send(session, says('b'), 'key')).rejects.toMatchObject({
      type: 'conflict_error',
    });
  });
});
