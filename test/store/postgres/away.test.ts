import { openStore, type Store, StoreUnavailableError } from '../../../store/index.ts';
import { openDatabase } from '../../../store/postgres/database.ts';
import { createListening } from '../../../store/postgres/listening.ts';
import { describeWithPrivatePostgres, privatePostgres } from '../../support/postgres.ts';
import { openedForAll } from '../../support/opened.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { newSession } from '../temporary-store.ts';
import { cutWay, READY } from './cut-way.ts';

const WRITERS = 12;
const SESSIONS = 3;

describeWithPrivatePostgres('a PostgreSQL server that goes away', () => {
  const server = openedForAll(() => privatePostgres());
  const dir = temporaryFolder();
  const opened: Store[] = [];
  afterAll(() => Promise.all(opened.map((store) => store.close())));

  const open = async (postgres: string, patienceMs?: number): Promise<Store> => {
    const store = await openStore({ dir, postgres, ...(patienceMs !== undefined && { patienceMs }) });
    opened.push(store);
    return store;
  };

  it('is told as what it is, with its address and without its password, and is used again when it is back', async () => {
    const url = (await server.database()).replace('postgres@', 'postgres:secret@');
    const store = await open(url, 100);
    const session = await newSession(store);
    await server.crash();
    const append = (): Promise<unknown> =>
      store.events.append({ session, key: 'k', events: [{ type: 't', payload: {} }] });
    await expect(append()).rejects.toThrow(StoreUnavailableError);
    await expect(store.sessions.get(session)).rejects.toThrow(
      /^postgres:\/\/127\.0\.0\.1:\d+\/sh_test_\w+ cannot be reached: /,
    );
    await expect(openStore({ dir, postgres: url })).rejects.toThrow(StoreUnavailableError);
    await server.start();
    await append();
    expect(await store.events.verify(session)).toMatchObject({ ok: true, length: 1 });
  });

  it('and goes as somebody begins to listen ends nothing: the next connection listens', async () => {
    const way = await cutWay(await server.database(), { request: 'LISTEN' });
    const notices = createListening(way.url);
    await new Promise<void>((gap) => notices.on('channel', { heard: () => undefined, gap }));
    expect(way.cuts()).toBe(1);
    await notices.close();
    way.close();
  });

  // A failure that nobody has awaited yet would end the process.
  it('and goes as somebody takes a lease ends nothing: the lease is taken by the next connection', async () => {
    const way = await cutWay(await server.database(), { request: 'UPDATE leases' });
    const { leases } = await open(way.url);
    expect(await leases?.take('a')).toBe(true);
    expect(way.cuts()).toBe(1);
    way.close();
  });

  it('and ends a connection with the very packet that opens it ends nothing: the query goes by the next one', async () => {
    const way = await cutWay(await server.database(), { answer: READY });
    const db = openDatabase(way.url);
    expect(await db.get('SELECT 1 AS one')).toEqual({ one: 1 });
    expect(way.cuts()).toBe(1);
    await db.close();
    way.close();
  });

  it('and crashes in the middle of appends loses nothing and has nothing twice', async () => {
    const url = await server.database();
    const both = [await open(url), await open(url)] as const;
    const sessions = await Promise.all(
      Array.from({ length: SESSIONS }, (_, n) => newSession(both[0], `sesn_${n}`)),
    );
    let isOver = false;
    const taken: string[][] = sessions.map(() => []);
    const write = async (writer: number): Promise<void> => {
      const [store, place] = [both[writer % 2] ?? both[0], writer % SESSIONS];
      for (let n = 0; !isOver; n += 1) {
        const key = `${writer}/${n}`;
        const { events } = await store.events.append({
          session: sessions[place] ?? '',
          key,
          events: [{ type: 't', payload: { key }, deliver: true }],
          update: ({ data }) => ({ data: { steps: Number(data['steps'] ?? 0) + 1 } }),
        });
        expect(events).toHaveLength(1);
        taken[place]?.push(key);
      }
    };
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
    const count = (): number => taken.flat().length;
    for (let crashes = 0; crashes < 3; crashes += 1) {
      const before = count();
      while (count() < before + 40) await new Promise((resolve) => setImmediate(resolve));
      await server.crash();
      await server.start();
    }
    isOver = true;
    await writing;
    for (const [place, session] of sessions.entries()) {
      const events = await both[0].events.read({ session });
      expect(events.map(({ key }) => key).toSorted()).toEqual(taken[place]?.toSorted());
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
      expect(await both[1].events.verify(session)).toMatchObject({ ok: true, length: events.length });
      expect((await both[0].sessions.get(session))?.data).toEqual({ steps: events.length });
      expect(await both[0].events.undelivered(session)).toHaveLength(events.length);
    }
  });

  it('and crashes while effects begin leaves none of them in doubt that did begin', async () => {
    const store = await open(await server.database());
    let isOver = false;
    let begun = 0;
    const begin = async (worker: number): Promise<void> => {
      for (let n = 0; !isOver; n += 1) {
        expect(await store.effects.begin('s', `${worker}/${n}`)).toEqual({ state: 'begun' });
        begun += 1;
      }
    };
    const working = Promise.all(Array.from({ length: 8 }, (_, worker) => begin(worker)));
    while (begun < 40) await new Promise((resolve) => setImmediate(resolve));
    await server.crash();
    await server.start();
    isOver = true;
    await working;
    expect(await store.effects.begin('s', '0/0')).toMatchObject({ state: 'unknown' });
  });
});
