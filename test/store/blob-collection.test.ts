import Database from 'libsql';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BlobMissingError, NotStoredError, type Store } from '../../store/index.ts';
import { MIGRATIONS } from '../../store/sqlite/migrations.ts';
import { sampled } from '../support/sampled.ts';
import { seeded } from '../support/seeded.ts';
import { bundle, start } from './child-process.ts';
import { newSession, temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();
const HOUR_MS = 60 * 60 * 1000;

const picture = (n: number): Buffer => Buffer.from(`picture ${n}`.repeat(50));
const naming = (
  sha256: string,
): { content: { type: string; source: { type: string; sha256: string } }[] } => ({
  content: [{ type: 'image', source: { type: 'blob', sha256 } }],
});

/** The names of all blobs in a store's folder. */
function kept(dir: string): string[] {
  const blobs = join(dir, 'blobs');
  return readdirSync(blobs)
    .filter((name) => name.length === 2)
    .flatMap((name) => readdirSync(join(blobs, name)))
    .toSorted();
}

/** The blobs that the sessions' events and effects refer to, read from the rows. */
function named(dir: string): string[] {
  const db = new Database(join(dir, 'store.db'));
  const rows = db
    .prepare(
      `SELECT payload AS content FROM events UNION ALL
       SELECT outcome FROM effects WHERE outcome IS NOT NULL AND scope IN (SELECT id FROM sessions)`,
    )
    .all() as { content: string }[];
  db.close();
  const hashes = rows.flatMap(({ content }) =>
    [...content.matchAll(/"sha256":"([0-9a-f]{64})"/g)].map(([, hash = '']) => hash),
  );
  return [...new Set(hashes)].toSorted();
}

it('the pictures of a deleted session go with it, but for those that another one shows', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  const [a, b] = [await newSession(store, 'sesn_a'), await newSession(store, 'sesn_b')];
  const [own, shared, result] = await Promise.all([1, 2, 3].map((n) => store.blobs.put(picture(n))));
  const events = [own, shared].map((hash = '') => ({ type: 't', payload: naming(hash) }));
  await store.events.append({ session: a, key: 'k', events });
  await store.events.append({ session: b, key: 'k', events: events.slice(1) });
  await store.effects.begin(a, 'call');
  await store.effects.finish(a, 'call', naming(result ?? ''));
  await store.sessions.delete(a);
  expect(kept(dir)).toEqual([shared]);
  await expect(store.blobs.stream(own ?? '')).rejects.toThrow(NotStoredError);
  await store.sessions.delete(b);
  expect(kept(dir)).toEqual([]);
});

it('a picture that a session shows twice goes with it, too', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  const session = await newSession(store, 'sesn_a');
  for (const key of ['one', 'two']) {
    const payload = naming(await store.blobs.put(picture(1)));
    await store.events.append({ session, key, events: [{ type: 't', payload }] });
  }
  await store.sessions.delete(session);
  expect(kept(dir)).toEqual([]);
});

it('what was put and not named yet is left alone for an hour, and what equals it is put again', async () => {
  const dir = stores.dir();
  let now = Date.now();
  const store = await stores.open({ dir, now: () => now });
  const session = await newSession(store);
  const hash = await store.blobs.put(picture(1));
  await store.sweep();
  expect(kept(dir)).toEqual([hash]);
  now += HOUR_MS - 1000;
  await store.blobs.put(picture(1));
  now += HOUR_MS - 1000;
  await store.sweep();
  await store.events.append({ session, key: 'k', events: [{ type: 't', payload: naming(hash) }] });
  now += 2 * HOUR_MS;
  await store.sweep();
  expect(kept(dir)).toEqual([hash]);
});

it('an event that names what is not there is refused, so that its writer puts it again', async () => {
  const store = await stores.open();
  const session = await newSession(store);
  const payload = naming('0'.repeat(64));
  const append = store.events.append({ session, key: 'k', events: [{ type: 't', payload }] });
  await expect(append).rejects.toThrow(BlobMissingError);
  expect(await store.events.read({ session })).toEqual([]);
});

it('a deletion that was begun hides the session, keeps its last word, and is found by the next process', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  const session = await newSession(store);
  await store.events.append({ session, key: 'a', events: [{ type: 't', payload: {}, deliver: true }] });
  await store.sessions.beginDeletion(session, { key: 'end', events: [{ type: 'last', payload: {} }] });
  expect(await store.sessions.get(session)).toBeUndefined();
  expect(await store.sessions.list({ limit: 10, includeArchived: true })).toEqual([]);
  expect(await store.events.undelivered()).toEqual([]);
  await expect(store.events.append({ session, key: 'b', events: [] })).rejects.toThrow(NotStoredError);
  expect((await store.events.read({ session })).map(({ type }) => type)).toEqual(['t', 'last']);
  const next = await stores.open({ dir });
  expect(await next.sessions.deleting()).toEqual([{ id: session, data: {} }]);
  expect(await next.sessions.delete(session)).toBe(true);
  expect(await next.sessions.deleting()).toEqual([]);
  expect(await next.events.read({ session })).toEqual([]);
  expect(await next.sessions.delete(session)).toBe(false);
});

it.each(sampled([1, 2, 3, 4, 5, 6], 2))(
  'two processes that put, name, delete and sweep in any order lose no named blob and keep no other (seed %i)',
  async (seed) => {
    const dir = stores.dir();
    const random = seeded(seed);
    const pick = (count: number): number => Math.floor(random() * count);
    let now = Date.now();
    const both = [await stores.open({ dir, now: () => now }), await stores.open({ dir, now: () => now })];
    /** Bytes that a writer has put and not referred to yet. */
    const held: { store: Store; sha256: string }[] = [];
    for (let n = 0; n < 250; n += 1) {
      const store = both[pick(2)] as Store;
      const session = `sesn_${pick(3)}`;
      const step = pick(10);
      if (step < 3) held.push({ store, sha256: await store.blobs.put(picture(pick(8))) });
      else if (step < 6 && held.length > 0) {
        const [{ store: holder, sha256 }] = held.splice(pick(held.length), 1) as [(typeof held)[number]];
        const write = (async () => {
          if (pick(2) === 0) {
            if ((await holder.sessions.get(session)) === undefined) {
              await holder.sessions.delete(session);
              await newSession(holder, session);
            }
            const events = [{ type: 't', payload: naming(sha256) }];
            await holder.events.append({ session, key: `k${n}`, events });
          } else {
            await holder.effects.begin(session, `k${n}`);
            await holder.effects.finish(session, `k${n}`, naming(sha256));
          }
        })();
        // A refusal is correct, as the writer puts the bytes again. A reference to missing bytes is not.
        await write.catch((error: unknown) => {
          if (!(error instanceof BlobMissingError)) throw error;
        });
      } else if (step === 6) await store.sessions.beginDeletion(session);
      else if (step === 7) await store.sessions.delete(session);
      else if (step === 8) await Promise.all(both.map((each) => each.sweep()));
      else now += pick(2 * HOUR_MS);
      const there = kept(dir);
      expect(named(dir).filter((hash) => !there.includes(hash))).toEqual([]);
    }
    now += 2 * HOUR_MS;
    await both[0]?.sweep();
    expect(kept(dir)).toEqual(named(dir));
  },
  60_000,
);

it('a process killed at any moment leaves nothing that the next sweep does not find', async () => {
  const dir = stores.dir();
  const program = await bundle('store/collector.ts', stores.dir());
  for (let round = 1; round <= 6; round += 1) {
    const child = start(program, dir, String(round));
    for (let n = 0; n < 3 * round; n += 1) await child.lines.next();
    child.process.kill('SIGKILL');
    await child.ended;
    const there = kept(dir);
    expect(named(dir).filter((hash) => !there.includes(hash))).toEqual([]);
  }
  const store = await stores.open({ dir, part: 'all', now: () => Date.now() + 2 * HOUR_MS });
  expect(readdirSync(join(dir, 'blobs', 'incoming'))).toEqual([]);
  for (const { id } of await store.sessions.deleting()) await store.sessions.delete(id);
  await store.sweep();
  expect(kept(dir)).toEqual(named(dir));
}, 120_000);

it('the uses of a store from before there were any are read from its rows, and until then nothing goes', async () => {
  const dir = stores.dir();
  const db = new Database(join(dir, 'store.db'));
  MIGRATIONS.slice(0, 5).forEach((migration) => db.exec(migration));
  db.exec('PRAGMA user_version = 5');
  const at = '2026-01-01T00:00:00.000Z';
  db.prepare('INSERT INTO sessions VALUES (?, ?, 1, ?, ?, ?, NULL, 0, 300, ?, ?)').run(
    'sesn_old',
    'agent_1',
    'idle',
    at,
    at,
    '',
    '{}',
  );
  const hashes = Array.from({ length: 300 }, (_, n) => n.toString(16).padStart(64, '0'));
  const insert = db.prepare(
    `INSERT INTO events (session, seq, id, type, payload, key, idx, hash, created_at)
     VALUES ('sesn_old', ?, ?, 't', ?, ?, 0, '', '${at}')`,
  );
  db.exec('BEGIN');
  hashes.forEach((hash, n) => insert.run(n + 1, `e${n}`, JSON.stringify(naming(hash)), `k${n}`));
  db.exec('COMMIT');
  db.close();
  const old = new Date(Date.now() - 2 * HOUR_MS);
  for (const hash of [...hashes, 'b'.repeat(64)]) {
    const path = join(dir, 'blobs', hash.slice(0, 2), hash);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, 'bytes');
    utimesSync(path, old, old);
  }
  const store = await stores.open({ dir });
  await newSession(store, 'sesn_new');
  await store.sessions.delete('sesn_new');
  expect(kept(dir)).toHaveLength(301);
  await store.sweep();
  expect(kept(dir)).toEqual(hashes.toSorted());
  await store.sessions.delete('sesn_old');
  expect(kept(dir)).toEqual([]);
});

it("a killed process's half-written bytes go at the next start of its part, and old ones of anybody", async () => {
  const dir = stores.dir();
  const incoming = ['blobs', 'files'].map((name) => join(dir, name, 'incoming'));
  const write = (name: string): void => {
    for (const folder of incoming) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, name), 'half');
    }
  };
  const there = (name: string): boolean => incoming.some((folder) => existsSync(join(folder, name)));
  for (const owner of ['server', 'worker', 'all', 'somebody']) write(`${owner}.1`);
  await (await stores.open({ dir, part: 'server' })).close();
  expect(['server.1', 'all.1', 'worker.1', 'somebody.1'].map(there)).toEqual([false, false, true, true]);
  let now = Date.now();
  const store = await stores.open({ dir, part: 'all', now: () => now });
  expect(['worker.1', 'somebody.1'].map(there)).toEqual([false, true]);
  now += HOUR_MS + 1000;
  await store.sweep();
  expect(there('somebody.1')).toBe(false);
});
