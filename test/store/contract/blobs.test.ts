import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { BlobMissingError, NotStoredError, type Store } from '../../../store/index.ts';
import { seeded } from '../../support/seeded.ts';
import { describeStores, newSession, type TemporaryStores } from '../temporary-store.ts';

const HOUR_MS = 60 * 60 * 1000;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const picture = (n: number): Buffer => Buffer.from(`picture ${n}`.repeat(50));
const naming = (hash = ''): { content: { type: string; source: { type: string; sha256: string } }[] } => ({
  content: [{ type: 'image', source: { type: 'blob', sha256: hash } }],
});
const append = (store: Store, session: string, key: string, hash: string | undefined): Promise<unknown> =>
  store.events.append({ session, key, events: [{ type: 't', payload: naming(hash) }] });

/** A store with a clock that tests advance. */
async function clocked(
  stores: TemporaryStores,
  dir = stores.dir(),
): Promise<{ store: Store; other: Store; pass: (ms: number) => void }> {
  let now = Date.now();
  const [store, other] = [
    await stores.open({ dir, now: () => now }),
    await stores.open({ dir, now: () => now }),
  ];
  return { store, other, pass: (ms) => void (now += ms) };
}

describeStores((stores) => {
  it('blobs are named by their content and come back whole', async () => {
    const { blobs } = await stores.open();
    const bytes = Buffer.from('some bytes');
    const hash = sha256(bytes);
    expect(await blobs.has(hash)).toBe(false);
    expect(await blobs.put(bytes)).toBe(hash);
    expect(await blobs.put(bytes)).toBe(hash);
    expect(await blobs.has(hash)).toBe(true);
    expect(Buffer.from(await blobs.get(hash))).toEqual(bytes);
    const { size, body } = await blobs.stream(hash);
    expect(size).toBe(bytes.byteLength);
    expect(await buffer(body)).toEqual(bytes);
    expect(await blobs.put(new Uint8Array())).toBe(sha256(new Uint8Array()));
    expect(new Set(await Promise.all(Array.from({ length: 20 }, () => blobs.put(picture(1)))))).toEqual(
      new Set([sha256(picture(1))]),
    );
  });

  it.each(['0'.repeat(64), '../../etc/passwd', '', `${'a'.repeat(63)}G`, `${'a'.repeat(64)}/..`])(
    'there is no blob %j',
    async (name) => {
      const { blobs } = await stores.open();
      expect(await blobs.has(name)).toBe(false);
      await expect(blobs.get(name)).rejects.toThrow(NotStoredError);
      await expect(blobs.stream(name)).rejects.toThrow(`no blob ${name}`);
    },
  );

  it('the pictures of a deleted session go within their time of grace, but for those that another one shows', async () => {
    const { store, pass } = await clocked(stores);
    for (const id of ['sesn_a', 'sesn_b']) await newSession(store, id);
    const [own = '', shared = '', result = ''] = await Promise.all(
      [1, 2, 3].map((n) => store.blobs.put(picture(n))),
    );
    await append(store, 'sesn_a', 'own', own);
    for (const id of ['sesn_a', 'sesn_b']) await append(store, id, 'shared', shared);
    await store.effects.begin('sesn_a', 'call');
    await store.effects.finish('sesn_a', 'call', naming(result));
    pass(2 * HOUR_MS);
    await store.sweep();
    const there = async (): Promise<readonly boolean[]> =>
      Promise.all([own, shared, result].map((hash) => store.blobs.has(hash)));
    expect(await there()).toEqual([true, true, true]);
    await store.sessions.delete('sesn_a');
    pass(2 * HOUR_MS);
    await store.sweep();
    expect(await there()).toEqual([false, true, false]);
    await expect(store.blobs.stream(own)).rejects.toThrow(NotStoredError);
    expect((await store.blobs.get(shared)).byteLength).toBe(picture(2).byteLength);
    await store.sessions.delete('sesn_b');
    pass(2 * HOUR_MS);
    await store.sweep();
    expect(await there()).toEqual([false, false, false]);
    expect(await store.blobs.put(picture(1))).toBe(own);
    expect(Buffer.from(await store.blobs.get(own))).toEqual(picture(1));
  });

  it('what was put and not named yet is left alone for an hour, and what equals it is put again', async () => {
    const { store, pass } = await clocked(stores);
    const session = await newSession(store);
    const hash = await store.blobs.put(picture(1));
    await store.sweep();
    expect(await store.blobs.has(hash)).toBe(true);
    pass(HOUR_MS - 1000);
    await store.blobs.put(picture(1));
    pass(HOUR_MS - 1000);
    await store.sweep();
    await append(store, session, 'k', hash);
    pass(2 * HOUR_MS);
    await store.sweep();
    expect(await store.blobs.has(hash)).toBe(true);
  });

  it('an event that names what is not there is refused, so that its writer puts it again', async () => {
    const { store, pass } = await clocked(stores);
    const session = await newSession(store);
    const hash = await store.blobs.put(picture(1));
    pass(2 * HOUR_MS);
    await store.sweep();
    await expect(append(store, session, 'k', hash)).rejects.toThrow(BlobMissingError);
    await store.effects.begin(session, 'call');
    await expect(store.effects.finish(session, 'call', naming(hash))).rejects.toThrow(BlobMissingError);
    expect(await store.effects.get(session, 'call')).toMatchObject({ state: 'unknown' });
    expect(await store.events.read({ session })).toEqual([]);
    await store.blobs.put(picture(1));
    await append(store, session, 'k', hash);
    expect(await store.events.read({ session })).toHaveLength(1);
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

  // SQLite's own test does this in one process after the other: there the clock also tells what is half written.
  if (stores.kind === 'sqlite') return;
  it.each([1, 2, 3])(
    'who puts, names, deletes and collects at once loses no named blob and keeps no other (seed %i)',
    async (seed) => {
      const { store, other, pass } = await clocked(stores);
      const random = seeded(seed);
      const pick = (count: number): number => Math.floor(random() * count);
      const either = (): Store => (pick(2) === 0 ? store : other);
      const pictures = [0, 1, 2, 3, 4, 5].map(picture);
      const current = ['sesn_0', 'sesn_1', 'sesn_2'];
      for (const id of current) await newSession(store, id);
      const show = async (by: Store, place: number, key: string, bytes: Buffer): Promise<void> => {
        for (let attempt = 0; ; attempt += 1) {
          const hash = await by.blobs.put(bytes);
          try {
            return void (await append(by, current[place] ?? '', key, hash));
          } catch (error) {
            // The collector came in between, so the writer puts the bytes again; or the session was deleted.
            if (error instanceof BlobMissingError) continue;
            if (!(error instanceof NotStoredError)) throw error;
            current[place] = await newSession(by, `sesn_${key}/${attempt}`);
          }
        }
      };
      for (let round = 0; round < 12; round += 1) {
        const steps = Array.from({ length: 6 }, (_, n) => {
          const [by, place, bytes, step] = [either(), pick(3), pictures[pick(6)] ?? picture(0), pick(4)];
          if (step === 0) return by.sessions.delete(current[place] ?? '');
          if (step === 1) return by.sweep();
          return show(by, place, `${round}/${n}`, bytes);
        });
        // Other processes' clocks may be ahead of the one that puts: then the collector is at its heels.
        pass(2 * HOUR_MS);
        await Promise.all(steps);
        for (const hash of await shown(store)) await store.blobs.get(hash);
      }
      pass(2 * HOUR_MS);
      await store.sweep();
      pass(2 * HOUR_MS);
      await other.sweep();
      const named = await shown(store);
      const there = await Promise.all(pictures.map((bytes) => store.blobs.has(sha256(bytes))));
      expect(there).toEqual(pictures.map((bytes) => named.has(sha256(bytes))));
    },
  );
});

/** The hashes that the logs of all sessions name. */
async function shown(store: Store): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const { id } of await store.sessions.list({ limit: 100 })) {
    for (const { payload } of await store.events.read({ session: id })) {
      for (const { source } of (payload as ReturnType<typeof naming>).content) found.add(source.sha256);
    }
  }
  return found;
}
