import {
  append,
  interruptedResult,
  loadMessages,
  type NewEvent,
  readLog,
  replyEvents,
} from '../../sessions/index.ts';
import { Conversations } from '../../sessions/log/conversation.ts';
import { type ProjectedMessage, projectLog } from '../../sessions/log/project.ts';
import { readCounter } from '../support/read-counter.ts';
import { newSession, temporaryStores } from '../store/temporary-store.ts';
import { sampleSession, uses } from './sample-session.ts';
import { toolResult, fromUser } from '../support/blocks.ts';
import { appendTo } from './append-to.ts';

const stores = temporaryStores();

const said = (text: string): NewEvent => ({
  type: 'user.message',
  body: { content: [{ type: 'text', text }] },
});

describe('the conversations of sessions', () => {
  it('are those of their logs, whoever has appended since, and only that is read', async () => {
    const dir = stores.dir();
    const { store, reads } = readCounter(await stores.open({ dir }));
    const there = await stores.open({ dir });
    const { sessions, session } = await sampleSession(store);
    await appendTo(
      there,
      session,
      'long',
      Array.from({ length: 1234 }, (_, n) => said(`${n}`)),
    );
    const conversations = new Conversations(store);
    let othersRan = false;
    setImmediate(() => (othersRan = true));
    expect((await conversations.of(session)).cursor).toBe(1234);
    expect(othersRan).toBe(true);
    for (let turn = 0; turn < 3; turn++) {
      const [bash = ''] = await uses(there, sessions, session, 'bash');
      const asked = turn === 1 ? [said('wait')] : [];
      await append(there, { session, key: `r/${turn}`, events: [...asked, interruptedResult(bash)] });
      const before = reads.events;
      const { messages, cursor } = await conversations.of(session);
      expect(reads.events - before).toBe(3 + asked.length);
      const log = await readLog(there, session);
      expect(messages).toEqual(projectLog(log));
      expect(cursor).toBe(log.length);
    }
  });

  it('are whole where several ask at once', async () => {
    const store = await stores.open();
    const { session } = await sampleSession(store);
    const conversations = new Conversations(store);
    for (let round = 0; round < 3; round++) {
      await appendTo(
        store,
        session,
        `more/${round}`,
        Array.from({ length: 700 }, (_, n) => said(`${round} ${n}`)),
      );
      const answers = await Promise.all([1, 2, 3].map(() => conversations.of(session)));
      const whole = projectLog(await readLog(store, session));
      for (const { messages, cursor } of answers) {
        expect(cursor).toBe(700 * (round + 1));
        expect(messages).toEqual(whole);
      }
    }
  });

  it('keep what is settled as the same objects, so that what was found out about it holds', async () => {
    const store = await stores.open();
    const { session } = await sampleSession(store);
    const conversations = new Conversations(store);
    let cursor = 0;
    const turn = async (n: number): Promise<void> => {
      await append(store, { session, key: `u/${n}`, events: [said(`${n}`)] });
      ({ cursor } = await conversations.of(session));
      const content = [{ type: 'text' as const, text: `a${n}`, citations: null }];
      await appendTo(store, session, `a/${n}`, replyEvents({ id: `m${n}`, content }, cursor, []));
    };
    for (let n = 0; n < 4; n++) await turn(n);
    const before = (await conversations.of(session)).messages;
    await turn(4);
    const after = (await conversations.of(session)).messages;
    expect(after).toHaveLength(before.length + 2);
    before.slice(0, -1).forEach((message, index) => expect(after[index]).toBe(message));
  });

  it('begin anew with another log under the same name, and are empty without one', async () => {
    const store = await stores.open();
    const session = await newSession(store, 'sesn_again');
    const add = (key: string, text: string): Promise<unknown> =>
      store.events.append({
        session,
        key,
        events: [{ type: 'user.message', payload: { content: [{ type: 'text', text }] } }],
      });
    const conversations = new Conversations(store);
    await add('a', 'first');
    await add('b', 'second');
    expect((await conversations.of(session)).messages[0]?.content).toHaveLength(2);
    await store.sessions.delete(session);
    expect(await conversations.of(session)).toEqual({ messages: [], cursor: 0 });
    await newSession(store, session);
    await add('c', 'third');
    expect((await conversations.of(session)).messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'third' }] },
    ]);
    await store.sessions.delete(session);
    await newSession(store, session);
    await add('d', 'fourth');
    await add('e', 'fifth');
    expect((await conversations.of(session)).messages).toEqual([
      fromUser([
        { type: 'text', text: 'fourth' },
        { type: 'text', text: 'fifth' },
      ]),
    ]);
  });

  it('are kept up to a bound, those asked for lately; the last one whatever its length', async () => {
    const store = await stores.open();
    const sessions = await Promise.all([1, 2, 3].map(() => sampleSession(store)));
    const [one = '', two = '', three = ''] = sessions.map(({ session }) => session);
    for (const session of [one, two, three]) {
      await append(store, { session, key: 'k', events: [said('x'.repeat(10_000))] });
    }
    const conversations = new Conversations(store, 25_000);
    for (const session of [one, two, one, three]) await conversations.of(session);
    expect(conversations.kept).toEqual([one, three]);
    await append(store, { session: two, key: 'long', events: [said('x'.repeat(50_000))] });
    expect((await conversations.of(two)).cursor).toBe(2);
    expect(conversations.kept).toEqual([two]);
    await conversations.of(one);
    expect(conversations.kept).toEqual([one]);
  });
});

test('messages without bytes are loaded as the same objects', async () => {
  const source = { type: 'blob' as const, sha256: 'a'.repeat(64), media_type: 'image/png' };
  const bytes = { type: 'base64' as const, media_type: 'image/png', data: 'AA==' };
  const result = (content: object[]): object => toolResult('t', content, { is_error: false });
  const messages = [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    { role: 'user', content: [{ type: 'image', source }] },
    { role: 'user', content: [result([{ type: 'text', text: 'done' }]), { type: 'text', text: 'go' }] },
    { role: 'user', content: [result([{ type: 'image', source }])] },
  ] as ProjectedMessage[];
  const loaded = await loadMessages(messages, () => Promise.resolve(bytes));
  expect(loaded[0]).toBe(messages[0]);
  expect(loaded[1]).toEqual({ role: 'user', content: [{ type: 'image', source: bytes }] });
  expect(loaded[2]).toBe(messages[2]);
  expect(loaded[3]).toEqual({ role: 'user', content: [result([{ type: 'image', source: bytes }])] });
});
