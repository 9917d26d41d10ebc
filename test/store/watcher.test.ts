import { newSession, temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();

describe('listeners', () => {
  it('rings for what another process appends and deletes, and only for the sessions meant', async () => {
    const dir = stores.dir();
    const here = await stores.open({ dir, pollMs: 5 });
    const there = await stores.open({ dir, pollMs: 5 });
    const rung: string[] = [];
    const next = (): Promise<void> =>
      new Promise((resolve) => {
        waiting = resolve;
      });
    let waiting = (): void => undefined;
    for (const id of ['sesn_1', 'sesn_2', 'sesn_3']) await newSession(here, id);
    for (const id of ['sesn_1', 'sesn_2']) {
      here.events.subscribe(id, () => {
        rung.push(id);
        waiting();
      });
    }
    const append = (session: string, key: string): Promise<unknown> =>
      there.events.append({ session, key, events: [{ type: 't', payload: {} }] });
    let ring = next();
    await append('sesn_3', 'a');
    await append('sesn_2', 'a');
    await ring;
    ring = next();
    await append('sesn_1', 'a');
    await ring;
    ring = next();
    await there.sessions.delete('sesn_2');
    await ring;
    expect(rung).toEqual(['sesn_2', 'sesn_1', 'sesn_2']);
  });

  it('hear nothing once they have stopped listening, and each listener is its own', async () => {
    const store = await stores.open({ pollMs: 5 });
    const session = await newSession(store);
    const rung: string[] = [];
    const listener = (): void => void rung.push('same');
    const [first, second] = [
      store.events.subscribe(session, listener),
      store.events.subscribe(session, listener),
    ];
    const append = async (key: string): Promise<void> => {
      await store.events.append({ session, key, events: [{ type: 't', payload: {} }] });
      await new Promise(setImmediate);
    };
    await append('a');
    expect(rung).toHaveLength(2);
    first();
    first();
    await append('b');
    expect(rung).toHaveLength(3);
    // A step that was recorded before changes nothing, so no listener is called.
    await append('b');
    expect(rung).toHaveLength(3);
    second();
    await append('c');
    expect(rung).toHaveLength(3);
    store.events.subscribe(session, listener);
    await append('d');
    expect(rung).toHaveLength(4);
  });
});
