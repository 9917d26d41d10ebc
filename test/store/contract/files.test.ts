import { createHash, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { BytesTooManyError, NotStoredError, type FileRecord, type Store } from '../../../store/index.ts';
import type { NewFileRecord } from '../../../store/contract/files.ts';
import { fileNamesBelow } from '../../support/entries-below.ts';
import { madeForAll } from '../../support/opened.ts';
import { describeStores, newSession } from '../temporary-store.ts';

const LIMIT = 1024 * 1024;
const HOUR_MS = 60 * 60 * 1000;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const bytes = Buffer.from('the bytes of a file');

async function* pieces(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await new Promise((resolve) => setImmediate(resolve));
    yield part;
  }
}

async function put(
  store: Store,
  id: string,
  content: Uint8Array,
  more: Omit<NewFileRecord, 'id' | 'filename' | 'mime_type'> = {},
): Promise<FileRecord> {
  const staged = await store.files.stage(pieces(content), LIMIT);
  return staged.keep({ id, filename: `${id}.txt`, mime_type: 'text/plain', ...more });
}

describeStores((stores) => {
  const clocked = async (
    dir = stores.dir(),
  ): Promise<{ store: Store; onDisk: () => readonly string[]; pass: (ms: number) => Promise<void> }> => {
    let now = Date.parse('2026-11-21T12:00:00Z');
    const store = await stores.open({ dir, now: () => now });
    const folder = stores.kind === 'postgres' ? 'bytes' : 'files';
    return {
      store,
      onDisk: () => fileNamesBelow(`${dir}/${folder}`),
      pass: async (ms) => {
        now += ms;
        await store.sweep();
      },
    };
  };

  it('keeps snapshots with what they say of themselves, which are no orphans and no files of anybody', async () => {
    const { store, pass } = await clocked();
    const details = { entries: 1, skipped_paths: ['a'] };
    await put(store, 'snap_1', bytes, { origin: 'sbx_1', details });
    await put(store, 'snap_2', randomBytes(20), { origin: 'sbx_2', details });
    await put(store, 'file_1', bytes, { scope: 'sesn_none' });
    await pass(2 * HOUR_MS);
    expect(await store.files.get('file_1')).toBeUndefined();
    expect(await store.files.list({ limit: 9 })).toEqual([]);
    const [first, ...others] = await store.files.list({ limit: 9, snapshots: 'sbx_1' });
    expect(first).toMatchObject({ id: 'snap_1', size_bytes: bytes.length, details });
    expect(others).toEqual([]);
    expect(await store.files.list({ limit: 9, snapshots: true })).toHaveLength(2);
    expect(await store.files.list({ limit: 9, ids: ['snap_1'] })).toEqual([]);
    expect(Buffer.from(await store.files.read('snap_1'))).toEqual(bytes);
  });

  it('keeps record and bytes, and gives both back, also to the next process', async () => {
    const dir = stores.dir();
    const { store, onDisk } = await clocked(dir);
    const large = randomBytes(300_000);
    const staged = await store.files.stage(
      pieces(large.subarray(0, 7), large.subarray(7, 200_000), large.subarray(200_000)),
      LIMIT,
    );
    expect(staged.size).toBe(300_000);
    expect(Buffer.from(staged.head)).toEqual(large.subarray(0, 8192));
    const record = await staged.keep({
      id: 'file_1',
      filename: 'a\0b ☃.bin',
      mime_type: 'application/octet-stream',
    });
    expect(record).toMatchObject({
      id: 'file_1',
      created_at: '2026-11-21T12:00:00.000Z',
      expires_at: null,
      size_bytes: 300_000,
      scope: null,
      origin: null,
    });
    expect(record.filename).toMatch(/^a.b ☃\.bin$/u);
    expect(await store.files.get('file_1')).toEqual(record);
    expect(Buffer.from(await store.files.read('file_1'))).toEqual(large);
    expect(onDisk()).toHaveLength(1);
    await store.close();
    const again = await stores.open({ dir });
    const { size, hash, body } = await again.files.stream('file_1');
    expect([size, hash]).toEqual([300_000, sha256(large)]);
    expect((await buffer(body)).equals(large)).toBe(true);
  });

  it('a half upload leaves nothing: when the source breaks off, is too large, is not kept, or cannot be', async () => {
    const { store, onDisk } = await clocked();
    const gone = new Error('the client went away');
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(bytes);
      throw gone;
    }
    await expect(store.files.stage(broken(), LIMIT)).rejects.toBe(gone);
    await expect(store.files.stage(pieces(Buffer.alloc(5000), Buffer.alloc(1)), 5000)).rejects.toThrow(
      BytesTooManyError,
    );
    await (await store.files.stage(pieces(Buffer.alloc(5000)), 5000)).discard();
    expect(onDisk()).toEqual([]);
    expect(await store.files.list({ limit: 10 })).toEqual([]);
    await put(store, 'file_1', bytes);
    await expect(put(store, 'file_1', Buffer.from('others'))).rejects.toThrow(/UNIQUE|duplicate key/i);
    expect(Buffer.from(await store.files.read('file_1'))).toEqual(bytes);
  });

  it('equal bytes are stored once, and go after the last file that has them', async () => {
    const { store, onDisk, pass } = await clocked();
    await put(store, 'file_1', bytes);
    await put(store, 'file_2', bytes);
    await put(store, 'file_0', Buffer.alloc(0));
    await store.files.copy('file_2', { id: 'file_3', scope: 'sesn_1' });
    expect(onDisk()).toHaveLength(2);
    for (const id of ['file_1', 'file_2', 'file_0']) expect(await store.files.delete(id)).toBe(true);
    expect(await store.files.delete('file_1')).toBe(false);
    await newSession(store);
    await pass(2 * HOUR_MS);
    await expect(store.files.read('file_1')).rejects.toThrow(NotStoredError);
    await expect(store.files.copy('file_1', { id: 'file_9' })).rejects.toThrow(NotStoredError);
    expect(Buffer.from(await store.files.read('file_3'))).toEqual(bytes);
    expect(onDisk()).toHaveLength(1);
    await store.files.deleteScope('sesn_1');
    await pass(2 * HOUR_MS);
    expect(onDisk()).toEqual([]);
  });

  it('bytes of a session are not touched by a file with the same ones', async () => {
    const { store, pass } = await clocked();
    const session = await newSession(store);
    const hash = await store.blobs.put(bytes);
    const content = [{ type: 'image', source: { type: 'blob', sha256: hash } }];
    await store.events.append({ session, key: 'k', events: [{ type: 't', payload: { content } }] });
    await put(store, 'file_1', bytes);
    await store.files.delete('file_1');
    await pass(2 * HOUR_MS);
    expect(Buffer.from(await store.blobs.get(hash))).toEqual(bytes);
  });

  it('survive uploads, deletions and collections of the same ones at once, from two processes', async () => {
    const dir = stores.dir();
    let now = Date.parse('2026-11-21T12:00:00Z');
    const [one, two] = [
      await stores.open({ dir, now: () => now }),
      await stores.open({ dir, now: () => now }),
    ];
    for (let round = 0; round < 10; round += 1) {
      await put(one, 'file_a', bytes);
      now += 2 * HOUR_MS;
      await Promise.all([one.files.delete('file_a'), put(two, `file_b${round}`, bytes), one.sweep()]);
      expect(Buffer.from(await two.files.read(`file_b${round}`))).toEqual(bytes);
      await two.files.delete(`file_b${round}`);
    }
  });

  it('bytes of an expired file are gone for good, its record is kept for thirty days', async () => {
    const { store, pass, onDisk } = await clocked();
    expect(await put(store, 'file_1', bytes, { expiresInSeconds: 3600 })).toMatchObject({
      expires_at: '2026-11-21T13:00:00.000Z',
    });
    await pass(HOUR_MS - 1);
    expect((await store.files.read('file_1')).byteLength).toBe(bytes.length);
    await pass(1);
    await expect(store.files.stream('file_1')).rejects.toThrow(NotStoredError);
    await pass(2 * HOUR_MS);
    expect(onDisk()).toEqual([]);
    expect(await store.files.get('file_1')).toMatchObject({ id: 'file_1' });
    await pass(-3 * HOUR_MS);
    await expect(store.files.read('file_1')).rejects.toThrow(NotStoredError);
    await pass(31 * 24 * HOUR_MS);
    expect(await store.files.get('file_1')).toBeUndefined();
  });

  it('what was found again at the same place with the same bytes is the same file, also for two who find it at once', async () => {
    const dir = stores.dir();
    const both = [await stores.open({ dir }), await stores.open({ dir })] as const;
    await newSession(both[0]);
    const from = { scope: 'sesn_1', origin: '/a.txt' };
    const found = await Promise.all(
      both.map((store, n) => put(store, `file_${n}`, bytes, { ...from, stamp: `stamp ${n}` })),
    );
    expect(found[0]?.id).toBe(found[1]?.id);
    await put(both[0], 'file_2', bytes, { ...from, stamp: 'later' });
    expect(await both[1].files.newestFrom('sesn_1', '/a.txt')).toEqual({ id: found[0]?.id, stamp: 'later' });
    await put(both[0], 'file_3', Buffer.from('changed'), { ...from, stamp: 'last' });
    expect(await both[1].files.newestFrom('sesn_1', '/a.txt')).toEqual({ id: 'file_3', stamp: 'last' });
    expect(await both[1].files.newestFrom('sesn_1', '/b.txt')).toBeUndefined();
  });

  it('files of a session that never came to be go after an hour', async () => {
    const { store, pass } = await clocked();
    await newSession(store, 'sesn_1');
    await put(store, 'file_1', bytes, { scope: 'sesn_1' });
    await put(store, 'file_2', bytes, { scope: 'sesn_gone' });
    await pass(HOUR_MS + 1000);
    expect(await store.files.get('file_1')).toBeDefined();
    expect(await store.files.get('file_2')).toBeUndefined();
  });

  describe('a list', () => {
    const ids = ['file_1', 'file_2', 'file_3', 'file_4', 'file_5'];
    const store = madeForAll(() => stores.open());
    beforeAll(async () => {
      for (const id of ids) await put(store, id, Buffer.from(id));
    });

    it.each([
      [{ limit: 2 }, ['file_5', 'file_4']],
      [{ limit: 2, after: 'file_4' }, ['file_3', 'file_2']],
      [{ limit: 9, after: 'file_1' }, []],
      [{ limit: 2, before: 'file_2' }, ['file_4', 'file_3']],
      [{ limit: 9, before: 'file_5' }, []],
      [{ limit: 9, after: 'file_5', before: 'file_2' }, ['file_4', 'file_3']],
      [{ limit: 9, ids: ['file_3', 'file_9', 'file_1'] }, ['file_3', 'file_1']],
      [{ limit: 9, ids: [] }, []],
      // The id of a deleted file is still a place in the list.
      [{ limit: 9, after: 'file_25' }, ['file_2', 'file_1']],
    ])('%j holds %j', async (request, expected) => {
      expect((await store.files.list(request)).map(({ id }) => id)).toEqual(expected);
    });
  });
});
