import { describeStores, newSession } from '../temporary-store.ts';

describeStores((stores) => {
  it('sessions are counted by status, without those that are archived or deleted, and the outbox with its oldest event', async () => {
    const store = await stores.open();
    expect(await store.figures()).toEqual({ sessions: {}, outbox: { events: 0, oldest_at: null } });
    for (const id of ['a', 'b', 'c', 'd']) await newSession(store, id);
    const { status } = (await store.sessions.get('a')) ?? {};
    await store.sessions.update('b', () => ({ status: 'running' }));
    await store.sessions.update('c', () => ({ archived_at: '2026-01-01T00:00:00.000Z' }));
    await store.sessions.beginDeletion('d');
    const events = [1, 2].map((n) => ({ type: 'user.message', payload: { n }, deliver: true }));
    const { events: first } = await store.events.append({ session: 'b', key: 'one', events });
    await store.events.append({ session: 'a', key: 'two', events: events.slice(1) });
    expect(await store.figures()).toEqual({
      sessions: { [String(status)]: 1, running: 1 },
      outbox: { events: 3, oldest_at: first[0]?.created_at },
    });
    await store.events.markDelivered(first);
    expect((await store.figures()).outbox.events).toBe(1);
  });
});
