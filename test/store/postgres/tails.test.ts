import pg from 'pg';
import type { Store } from '../../../store/index.ts';
import { planAppend } from '../../../store/common/append-plan.ts';
import { describeWithPostgres } from '../../support/postgres.ts';
import { newSession, temporaryStores } from '../temporary-store.ts';

const NEVER_MS = 2 ** 30;

describeWithPostgres('tails on PostgreSQL', () => {
  const stores = temporaryStores('postgres');
  const clients: pg.Client[] = [];
  afterAll(() => Promise.all(clients.map((client) => client.end())));

  const connect = async (dir: string): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString: await stores.url(dir) });
    clients.push(client);
    // The server ends before the client.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };

  const append = (store: Store, session: string, key: string): Promise<unknown> =>
    store.events.append({ session, key, events: [{ type: 't', payload: {}, deliver: true }] });

  /** Appends as a process would that dies before it tells anybody, and answers what commits it. */
  const appendUnheard = async (
    store: Store,
    client: pg.Client,
    session: string,
  ): Promise<() => Promise<unknown>> => {
    const found = await store.sessions.get(session);
    if (found === undefined) throw new Error(`no session ${session}`);
    const request = { session, key: 'unheard', events: [{ type: 't', payload: {} }] };
    const { events, record } = planAppend(found, request, '2026-01-01T00:00:00.000Z');
    await client.query('BEGIN');
    for (const event of events) {
      await client.query('INSERT INTO outbox (session, seq) VALUES ($1, $2)', [session, event.seq]);
      await client.query(
        `INSERT INTO events (session, seq, id, type, payload, key, idx, hash, created_at)
         VALUES ($1, $2, $3, 't', '{}', 'unheard', 0, $4, $5)`,
        [session, event.seq, event.id, event.hash, event.created_at],
      );
    }
    await client.query('UPDATE sessions SET cursor = $1, head = $2 WHERE id = $3', [
      record.cursor,
      record.head,
      session,
    ]);
    return () => client.query('COMMIT');
  };

  /** Counts the calls for a session, and waits for the next one. */
  const listen = (store: Store, session: string): { next: () => Promise<void>; calls: () => number } => {
    let calls = 0;
    let waiting = (): void => undefined;
    store.events.subscribe(session, () => {
      calls += 1;
      waiting();
    });
    return { next: () => new Promise((resolve) => (waiting = resolve)), calls: () => calls };
  };

  it('hear of another process by notification, and of no other session', async () => {
    const dir = stores.dir();
    const [here, there] = [await stores.open({ dir, pollMs: NEVER_MS }), await stores.open({ dir })];
    for (const id of ['a', 'b', 'c']) await newSession(here, id);
    const [a, b] = [listen(here, 'a'), listen(here, 'b')];
    // Once the connection is made, everybody is called, because something may have been missed.
    await Promise.all([a.next(), b.next()]);
    await append(there, 'c', '1');
    let rung = b.next();
    await append(there, 'b', '1');
    await rung;
    expect([a.calls(), b.calls()]).toEqual([1, 2]);
    rung = b.next();
    await there.sessions.delete('b');
    await rung;
    expect([a.calls(), b.calls()]).toEqual([1, 3]);
  });

  it('hear at once of their own process, without the server', async () => {
    const store = await stores.open({ pollMs: NEVER_MS });
    const session = await newSession(store);
    const tail = listen(store, session);
    await tail.next();
    const rung = tail.next();
    await append(store, session, '1');
    await rung;
    await append(store, session, '1');
    expect((await store.events.read({ session })).length).toBe(1);
    expect(tail.calls()).toBe(2);
  });

  it('see a commit that comes after later ones, which nobody told of', async () => {
    const dir = stores.dir();
    const [here, there] = [await stores.open({ dir, pollMs: 20 }), await stores.open({ dir })];
    for (const id of ['a', 'b']) await newSession(here, id);
    const [a, b] = [listen(here, 'a'), listen(here, 'b')];
    const client = await connect(dir);
    const commit = await appendUnheard(there, client, 'a');
    // This one gets a higher number in the outbox, commits first, and is seen.
    const first = b.next();
    await append(there, 'b', '1');
    await first;
    while ((await here.events.undelivered()).length === 0);
    expect((await here.events.undelivered()).map(({ session }) => session)).toEqual(['b']);
    const calls = a.calls();
    await commit();
    while (a.calls() === calls) await new Promise((resolve) => setImmediate(resolve));
    expect((await here.events.read({ session: 'a' })).map(({ key }) => key)).toEqual(['unheard']);
    expect((await here.events.undelivered()).map(({ session }) => session)).toEqual(['a', 'b']);
    expect(await here.events.verify('a')).toMatchObject({ ok: true, length: 1 });
  });

  it('are all called when the connection that listens was lost, and hear again afterwards', async () => {
    const dir = stores.dir();
    const [here, there] = [await stores.open({ dir, pollMs: NEVER_MS }), await stores.open({ dir })];
    await newSession(here, 'a');
    const a = listen(here, 'a');
    await a.next();
    const client = await connect(dir);
    const again = a.next();
    const lost = await client.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    expect(lost.rowCount).toBe(1);
    await (
      await appendUnheard(there, client, 'a')
    )();
    await again;
    while ((await here.events.read({ session: 'a' })).length === 0);
    const heard = a.next();
    await append(there, 'a', '2');
    await heard;
  });
});
