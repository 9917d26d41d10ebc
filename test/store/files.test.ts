import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import Database from 'libsql';
import {
  BytesTooManyError,
  CorruptError,
  NotStoredError,
  type FileRecord,
  type Store,
} from '../../store/index.ts';
import { temporaryStores } from './temporary-store.ts';
import { fileNamesBelow } from '../support/entries-below.ts';
import { madeForAll } from '../support/opened.ts';

const stores = temporaryStores();
const LIMIT = 1024 * 1024;
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

async function* pieces(...parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    await new Promise((resolve) => setImmediate(resolve));
    yield part;
  }
}

async function put(
  store: Store,
  id: string,
  bytes: Uint8Array,
  expiresInSeconds?: number,
): Promise<FileRecord> {
  const staged = await store.files.stage(pieces(bytes), LIMIT);
  return staged.keep({
    id,
    filename: `${id}.txt`,
    mime_type: 'text/plain',
    ...(expiresInSeconds !== undefined && { expiresInSeconds }),
  });
}

/** Every file under the folder of the uploads' bytes. */
const onDisk = (dir: string): string[] => fileNamesBelow(join(dir, 'files'));

const bytes = Buffer.from('the bytes of a file');

it('keeps record and bytes, and gives both back', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir, now: () => Date.parse('2026-11-21T12:00:00Z') });
  const large = randomBytes(300_000);
  const staged = await store.files.stage(
    pieces(large.subarray(0, 7), large.subarray(7, 200_000), large.subarray(200_000)),
    LIMIT,
  );
  expect(staged.size).toBe(300_000);
  expect(Buffer.from(staged.head)).toEqual(large.subarray(0, 8192));
  const record = await staged.keep({
    id: 'file_1',
    filename: 'a.bin',
    mime_type: 'application/octet-stream',
  });
  expect(record).toEqual({
    id: 'file_1',
    created_at: '2026-11-21T12:00:00.000Z',
    expires_at: null,
    filename: 'a.bin',
    mime_type: 'application/octet-stream',
    size_bytes: 300_000,
    scope: null,
    origin: null,
    details: null,
  });
  expect(await store.files.get('file_1')).toEqual(record);
  expect(Buffer.from(await store.files.read('file_1'))).toEqual(large);
  const { size, hash, body } = await store.files.stream('file_1');
  expect([size, hash]).toEqual([300_000, sha256(large)]);
  expect((await buffer(body)).equals(large)).toBe(true);
  expect(onDisk(dir)).toEqual([sha256(large)]);

  await store.close();
  const again = await stores.open({ dir });
  expect(Buffer.from(await again.files.read('file_1'))).toEqual(large);
});

it('holds no bytes of an empty file, but the file', async () => {
  const store = await stores.open();
  const staged = await store.files.stage(pieces(), LIMIT);
  await staged.keep({ id: 'file_0', filename: 'empty', mime_type: 'text/plain' });
  expect((await store.files.read('file_0')).byteLength).toBe(0);
});

describe('a half upload leaves nothing', () => {
  it('when the source breaks off', async () => {
    const dir = stores.dir();
    const { files } = await stores.open({ dir });
    const gone = new Error('the client went away');
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield* pieces(bytes);
      throw gone;
    }
    await expect(files.stage(broken(), LIMIT)).rejects.toBe(gone);
    expect(onDisk(dir)).toEqual([]);
    expect(await files.list({ limit: 10 })).toEqual([]);
  });

  it('when it is too large, told as soon as it is', async () => {
    const dir = stores.dir();
    const { files } = await stores.open({ dir });
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (;;) {
        taken += 1;
        yield* pieces(Buffer.alloc(1000));
      }
    }
    await expect(files.stage(endless(), 5000)).rejects.toThrow(BytesTooManyError);
    expect(taken).toBe(6);
    expect(onDisk(dir)).toEqual([]);
    const exact = await files.stage(pieces(Buffer.alloc(5000)), 5000);
    expect(exact.size).toBe(5000);
    await exact.discard();
    expect(onDisk(dir)).toEqual([]);
  });

  it('when its record cannot be made', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    await put(store, 'file_1', bytes);
    await expect(put(store, 'file_1', Buffer.from('others'))).rejects.toThrow(/UNIQUE|constraint/i);
    expect(onDisk(dir)).toEqual([sha256(bytes)]);
  });

  it('when the process died after the bytes and before the record', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    await put(store, 'file_1', bytes);
    const orphan = sha256(Buffer.from('orphan'));
    mkdirSync(join(dir, 'files', orphan.slice(0, 2)), { recursive: true });
    writeFileSync(join(dir, 'files', orphan.slice(0, 2), orphan), 'orphan');
    await store.close();
    await stores.open({ dir });
    expect(onDisk(dir)).toEqual([sha256(bytes)]);
  });
});

describe('bytes', () => {
  it('that are equal are stored once, and go with the last file that has them', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    await put(store, 'file_1', bytes);
    await put(store, 'file_2', bytes);
    expect(onDisk(dir)).toEqual([sha256(bytes)]);
    expect(await store.files.delete('file_1')).toBe(true);
    expect(await store.files.delete('file_1')).toBe(false);
    await expect(store.files.read('file_1')).rejects.toThrow(NotStoredError);
    expect(Buffer.from(await store.files.read('file_2'))).toEqual(bytes);
    expect(await store.files.delete('file_2')).toBe(true);
    expect(onDisk(dir)).toEqual([]);
  });

  it('of a session are not touched by a file with the same ones', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    const hash = await store.blobs.put(bytes);
    await put(store, 'file_1', bytes);
    await store.files.delete('file_1');
    expect(existsSync(join(dir, 'blobs', hash.slice(0, 2), hash))).toBe(true);
  });

  it('survive uploads and deletions of the same ones at once, from two processes', async () => {
    const dir = stores.dir();
    const [one, two] = [await stores.open({ dir }), await stores.open({ dir })];
    for (let round = 0; round < 10; round += 1) {
      await put(one, 'file_a', bytes);
      await Promise.all([one.files.delete('file_a'), put(two, `file_b${round}`, bytes)]);
      expect(Buffer.from(await two.files.read(`file_b${round}`))).toEqual(bytes);
      await two.files.delete(`file_b${round}`);
    }
    expect(onDisk(dir)).toEqual([]);
  });

  it('that changed on the disk are not given out as the file', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    await put(store, 'file_1', bytes);
    writeFileSync(join(dir, 'files', sha256(bytes).slice(0, 2), sha256(bytes)), 'other');
    await expect(store.files.read('file_1')).rejects.toThrow(CorruptError);
  });

  it('of an expired file are gone for good, its record is not', async () => {
    let now = Date.parse('2026-11-21T12:00:00Z');
    const dir = stores.dir();
    const store = await stores.open({ dir, now: () => now });
    expect(await put(store, 'file_1', bytes, 3600)).toMatchObject({ expires_at: '2026-11-21T13:00:00.000Z' });
    now += 3_599_999;
    expect((await store.files.read('file_1')).byteLength).toBe(bytes.length);
    now += 1;
    await expect(store.files.stream('file_1')).rejects.toThrow(NotStoredError);
    expect(onDisk(dir)).toEqual([]);
    expect(await store.files.get('file_1')).toMatchObject({ id: 'file_1' });
    now -= 10_000;
    await expect(store.files.read('file_1')).rejects.toThrow(NotStoredError);
    // After thirty days the next upload removes the record.
    now += 30 * 24 * 3_600_000 + 10_000;
    await put(store, 'file_2', bytes);
    expect(await store.files.get('file_1')).toBeUndefined();
  });
});

it('reads while another process writes', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  await put(store, 'file_1', bytes);
  const other = new Database(join(dir, 'store.db'));
  try {
    other.exec('BEGIN IMMEDIATE');
    expect((await store.files.read('file_1')).byteLength).toBe(bytes.length);
  } finally {
    other.close();
  }
});

describe('a list', () => {
  const ids = ['file_1', 'file_2', 'file_3', 'file_4', 'file_5'];
  const idsOf = (records: readonly FileRecord[]): string[] => records.map(({ id }) => id);
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
    expect(idsOf(await store.files.list(request))).toEqual(expected);
  });
});
