import Database from 'libsql';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CorruptError } from '../../store/index.ts';
import { newSession, temporaryStores } from './temporary-store.ts';
import { requireIntact } from '../../sessions/index.ts';

const stores = temporaryStores();

/** Changes the file behind the store's back. */
function tamper(dir: string, sql: string): void {
  const db = new Database(join(dir, 'store.db'));
  db.exec('DROP TRIGGER IF EXISTS events_never_change');
  db.exec(sql);
  db.close();
}

async function filled(
  events: number,
): Promise<{ dir: string; store: Awaited<ReturnType<typeof stores.open>> }> {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  await newSession(store);
  for (let n = 0; n < events; n += 500) {
    const lot = Array.from({ length: Math.min(500, events - n) }, (_, i) => ({
      type: 't',
      payload: { n: n + i },
    }));
    await store.events.append({ session: 'sesn_1', key: `k${n}`, events: lot });
  }
  return { dir, store };
}

it('a long log is walked in pieces between which others come in', async () => {
  const { store } = await filled(10_000);
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  const found = await store.events.verify('sesn_1');
  isDone = true;
  expect(found).toMatchObject({ ok: true, length: 10_000 });
  expect(turns).toBeGreaterThan(100);
});

it('at first all of it is checked, afterwards what is new, and a break is found wherever it is new', async () => {
  const { dir, store } = await filled(120);
  expect(await store.events.verifyNew('sesn_1')).toMatchObject({ ok: true, length: 120 });
  await store.events.append({ session: 'sesn_1', key: 'a', events: [{ type: 't', payload: {} }] });
  expect(await store.events.verifyNew('sesn_1')).toMatchObject({ ok: true, length: 121 });
  await store.events.append({ session: 'sesn_1', key: 'b', events: [{ type: 't', payload: {} }] });
  tamper(dir, `UPDATE events SET payload = '{"n":-1}' WHERE seq = 122`);
  const reason = 'the hash does not match the content and the hash before it';
  expect(await store.events.verifyNew('sesn_1')).toEqual({ ok: false, broken_at: 122, reason });
  expect(await store.events.broken()).toEqual([{ id: 'sesn_1', broken_at: 122, reason }]);
  await expect(requireIntact(store, 'sesn_1')).rejects.toThrow(
    new CorruptError(`the log of session sesn_1 is broken at event 122: ${reason}`),
  );
  const next = await stores.open({ dir });
  expect(await next.events.broken()).toHaveLength(1);
});

it('a row that cannot be read breaks no list and no start, and is named', async () => {
  const { dir, store } = await filled(3);
  for (const id of ['sesn_2', 'sesn_3', 'sesn_4']) await newSession(store, id);
  for (const session of ['sesn_2', 'sesn_4'])
    await store.events.append({ session, key: 'a', events: [{ type: 't', payload: {}, deliver: true }] });
  tamper(dir, `UPDATE sessions SET data = '{"torn' WHERE id = 'sesn_3'`);
  tamper(dir, `UPDATE events SET payload = '{"torn' WHERE session IN ('sesn_1', 'sesn_2')`);
  const again = await stores.open({ dir });
  const ids = async (limit: number): Promise<string[]> =>
    (await again.sessions.list({ limit, order: 'asc' })).map(({ id }) => id);
  expect(await ids(10)).toEqual(['sesn_1', 'sesn_2', 'sesn_4']);
  expect(await ids(3)).toEqual(['sesn_1', 'sesn_2', 'sesn_4']);
  expect((await again.events.undelivered()).map(({ session }) => session)).toEqual(['sesn_4']);
  await expect(again.sessions.get('sesn_3')).rejects.toThrow('sesn_3: the stored data cannot be read');
  for (const id of ['sesn_1', 'sesn_2', 'sesn_3', 'sesn_4']) await again.events.verify(id);
  expect(await again.events.broken()).toEqual([
    { id: 'sesn_1', broken_at: 1, reason: 'the event cannot be read' },
    { id: 'sesn_2', broken_at: 1, reason: 'the event cannot be read' },
    { id: 'sesn_3', broken_at: 0, reason: 'sesn_3: the stored data cannot be read' },
  ]);
  expect(await again.sessions.delete('sesn_3')).toBe(true);
  expect(await again.sessions.delete('sesn_1')).toBe(true);
  expect(await again.events.broken()).toHaveLength(1);
});

it('a flipped page of the file breaks the session whose events were on it, and no other', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  for (const session of ['sesn_1', 'sesn_2']) {
    await newSession(store, session);
    const events = Array.from({ length: 200 }, (_, n) => ({
      type: 't',
      payload: { mark: `${session}/${n}/`, text: 'x'.repeat(200) },
    }));
    await store.events.append({ session, key: 'k', events });
  }
  await store.close();
  tamper(dir, 'PRAGMA wal_checkpoint(TRUNCATE)');
  const file = join(dir, 'store.db');
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  const page = Math.floor(bytes.indexOf('sesn_1/100/') / pageSize) * pageSize;
  // It is a page of events alone, of this session alone.
  expect(bytes.subarray(page, page + pageSize).includes('sesn_2')).toBe(false);
  bytes.fill(0x5a, page, page + 8);
  writeFileSync(file, bytes);

  const again = await stores.open({ dir });
  expect((await again.sessions.list({ limit: 10 })).map(({ id }) => id).toSorted()).toEqual([
    'sesn_1',
    'sesn_2',
  ]);
  const reason = expect.stringMatching(/malformed/) as unknown;
  expect(await again.events.verify('sesn_1')).toEqual({ ok: false, broken_at: 0, reason });
  expect(await again.events.verify('sesn_2')).toMatchObject({ ok: true, length: 200 });
  expect(await again.events.broken()).toEqual([{ id: 'sesn_1', broken_at: 0, reason }]);
  await expect(requireIntact(again, 'sesn_1')).rejects.toThrow(CorruptError);
  await again.events.append({ session: 'sesn_2', key: 'more', events: [{ type: 't', payload: {} }] });
  expect(await again.events.verify('sesn_2')).toMatchObject({ ok: true, length: 201 });
});

it('a flipped page of the list of sessions breaks those on it, which are named, and no other', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  const ids = Array.from({ length: 60 }, (_, n) => `sesn_${String(n).padStart(2, '0')}_${'x'.repeat(20)}`);
  for (const id of ids) {
    await newSession(store, id);
    await store.sessions.update(id, () => ({ data: { text: 'y'.repeat(500) } }));
  }
  await store.close();
  const file = join(dir, 'store.db');
  const db = new Database(file);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const { rootpage } = db.prepare(`SELECT rootpage FROM sqlite_schema WHERE name = 'sessions'`).get() as {
    rootpage: number;
  };
  db.close();
  const bytes = readFileSync(file);
  const pageSize = bytes.readUInt16BE(16);
  const root = (rootpage - 1) * pageSize;
  // Of an inner page, the third cell's place, and there the number of the page below.
  const page = (bytes.readUInt32BE(root + bytes.readUInt16BE(root + 12 + 4)) - 1) * pageSize;
  bytes.fill(0x5a, page, page + 8);
  writeFileSync(file, bytes);

  const again = await stores.open({ dir });
  const lost: string[] = [];
  for (const id of ids) await again.sessions.get(id).catch(() => lost.push(id));
  const whole = ids.filter((id) => !lost.includes(id));
  expect([lost.length > 1, whole.length > 50]).toEqual([true, true]);
  const listed = async (request: object): Promise<string[]> =>
    (await again.sessions.list({ limit: 100, order: 'asc', ...request })).map(({ id }) => id);
  expect(await listed({})).toEqual(whole);
  expect(await listed({ limit: 20 })).toEqual(whole.slice(0, 20));
  expect(await listed({ order: 'desc', limit: 50, statuses: ['idle'] })).toEqual(
    whole.toReversed().slice(0, 50),
  );
  expect(await listed({ agentId: 'nobody' })).toEqual([]);
  const reason = `${lost[0]}: a page of the store's file is damaged`;
  await expect(again.sessions.get(lost[0] ?? '')).rejects.toThrow(reason);

  const checked: string[] = [];
  const before = new Date(Date.now() - 60_000).toISOString();
  for (let id = await again.events.leastChecked(before); id !== undefined;) {
    checked.push(id);
    await again.events.verify(id);
    id = await again.events.leastChecked(before);
  }
  expect(checked.toSorted()).toEqual(ids);
  expect((await again.events.broken()).map(({ id }) => id)).toEqual(lost);
  await newSession(again, 'sesn_new');
  await again.events.append({ session: 'sesn_new', key: 'k', events: [{ type: 't', payload: {} }] });
  expect(await listed({})).toEqual([...whole, 'sesn_new']);
  expect((await again.figures()).sessions).toEqual({});
});
