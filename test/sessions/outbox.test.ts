import {
  append,
  deniedResult,
  markDelivered,
  pendingToolUses,
  statusIdle,
  END_TURN,
  toolResult,
  undelivered,
} from '../../sessions/index.ts';
import { awaitingConfirmation } from '../../sessions/log/pending.ts';
import { statusTerminated } from '../../sessions/events/builders.ts';
import { temporaryStores } from '../store/temporary-store.ts';
import { confirm, sampleSession, says, uses } from './sample-session.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();

describe('the outbox', () => {
  it('holds what users sent, in order over all sessions, until it is delivered, also for who opens the folder anew', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    const one = await sampleSession(store, {
      initial_events: [{ type: 'user.message', content: 'at the start' }],
    });
    const two = await sampleSession(store);
    await two.sessions.events.send(two.session, says('a'));
    await one.sessions.events.send(one.session, { events: [{ type: 'user.interrupt' }] });
    await two.sessions.events.send(two.session, says('b'));
    await append(store, { session: one.session, key: 'k', events: [statusIdle(END_TURN)] });

    const again = await stores.open({ dir });
    const waiting = await undelivered(again);
    expect(waiting.map(({ session, seq, type }) => [session, seq, type])).toEqual([
      [one.session, 1, 'user.message'],
      [two.session, 1, 'user.message'],
      [one.session, 3, 'user.interrupt'],
      [two.session, 3, 'user.message'],
    ]);
    await markDelivered(again, [
      { session: two.session, seq: 1 },
      { session: one.session, seq: 1 },
    ]);
    await markDelivered(again, [{ session: two.session, seq: 1 }]);
    expect((await undelivered(store)).map(({ session, seq }) => [session, seq])).toEqual([
      [one.session, 3],
      [two.session, 3],
    ]);
    expect(await undelivered(store, two.session)).toHaveLength(1);
  });

  it('takes a repeated request once, even when the session has moved on since', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    const [editor = ''] = await uses(store, sessions, session, 'str_replace_editor');
    const first = await sessions.events.send(session, confirm(editor, 'allow'), 'request-1');
    await append(store, { session, key: 'end', events: [statusTerminated()] });
    expect(await sessions.events.send(session, confirm(editor, 'allow'), 'request-1')).toEqual(first);
    expect(await undelivered(store)).toHaveLength(1);
    await expect(sessions.events.send(session, says('x'), 'request-1')).rejects.toMatchObject({
      status: 409,
      message: 'The idempotency key was used for another request',
    });
    await expect(sessions.events.send(session, says('x'))).rejects.toMatchObject({
      status: 409,
      message: `Session ${session} is terminated`,
    });
  });

  it('takes nothing for an archived session', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    await sessions.archive(session);
    await expect(sessions.events.send(session, says('x'))).rejects.toMatchObject({
      status: 409,
      message: `Session ${session} is archived`,
    });
    await expect(sessions.update(session, { title: 'x' })).rejects.toMatchObject({ status: 409 });
  });
});

describe('an answer to a tool use', () => {
  it('is taken for what waits for it, once', async () => {
    const store = await stores.open();
    const { sessions, session } = await sampleSession(store);
    const [bash = '', editor = '', weather = '', other = ''] = await uses(
      store,
      sessions,
      session,
      'bash',
      'str_replace_editor',
      'weather',
      'str_replace_editor',
    );
    const ids = (uses: readonly { readonly id: string }[]): readonly string[] => uses.map(({ id }) => id);
    expect(ids(await pendingToolUses(store, session))).toEqual([bash, editor, weather, other]);
    expect(ids(await awaitingConfirmation(store, session))).toEqual([editor, other]);

    await expect(sessions.events.send(session, confirm(bash, 'allow'))).rejects.toMatchObject({
      status: 400,
    });
    await expect(sessions.events.send(session, confirm(weather, 'allow'))).rejects.toMatchObject({
      status: 400,
    });
    await sessions.events.send(session, confirm(editor, 'deny', { deny_message: 'no' }));
    await expect(sessions.events.send(session, confirm(editor, 'allow'))).rejects.toMatchObject({
      message: `events.0.tool_use_id: No tool use ${editor} is waiting for confirmation`,
    });
    const result = {
      type: 'user.custom_tool_result',
      custom_tool_use_id: weather,
      content: [{ type: 'text', text: '20' }],
    };
    await expect(sessions.events.send(session, { events: [result, result] })).rejects.toMatchObject({
      message: `events.1.custom_tool_use_id: No custom tool use ${weather} is waiting for a result`,
    });
    await sessions.events.send(session, { events: [result] });
    await appendTo(store, session, 'results', [
      toolResult(bash, { content: 'x', is_error: false }),
      deniedResult(editor, 'no'),
    ]);
    expect(ids(await pendingToolUses(store, session))).toEqual([other]);
    expect(ids(await awaitingConfirmation(store, session))).toEqual([other]);
  });

  it('is taken from one of many who give it at once', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    const { sessions, session } = await sampleSession(store);
    const [editor = ''] = await uses(store, sessions, session, 'str_replace_editor');
    const tries = await Promise.allSettled(
      ['allow', 'deny', 'allow', 'deny'].map((result) =>
        sessions.events.send(session, confirm(editor, result === 'allow' ? 'allow' : 'deny')),
      ),
    );
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await undelivered(store)).toHaveLength(1);
  });
});
