import { existsSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createStorageGuard, StorageFullError, StoreUnwritableError } from '../../store/index.ts';
import type { StorageGuard } from '../../store/disk/storage-guard.ts';
import { newSession, temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();
const MIB = 1024 * 1024;
const guards: StorageGuard[] = [];

afterAll(() => guards.forEach((guard) => guard.close()));

const failure = (code: string): Error => Object.assign(new Error(`${code} came`), { code });

function guarded(
  dir: string,
  reserveBytes = MIB,
): { guard: StorageGuard; disk: { free: number }; told: string[] } {
  const disk = { free: 100 * MIB };
  const told: string[] = [];
  const guard = createStorageGuard({
    dir,
    reserveBytes,
    freeBytes: () => disk.free,
    onChange: ({ status }) => told.push(status),
  });
  guards.push(guard);
  return { guard, disk, told };
}

it.each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL'])(
  '%s gives up the reserve, until there is room for a new one',
  async (code) => {
    const dir = stores.dir();
    const reserve = join(dir, 'storage.reserve');
    const { guard, disk, told } = guarded(dir);
    await guard.look();
    expect(statSync(reserve).size).toBe(MIB);
    disk.free = 5000;
    const error = guard.failed(failure(code));
    expect(error).toBeInstanceOf(StorageFullError);
    expect((error as Error).message).toBe(
      `the disk of ${dir} is full (4 KiB are free): free some room there`,
    );
    expect(existsSync(reserve)).toBe(false);
    expect(guard.state()).toEqual({ status: 'full', folder: dir, free_bytes: 5000 });
    expect(() => guard.requireRoom()).toThrow(StorageFullError);
    await guard.look();
    expect(guard.state().status).toBe('full');
    disk.free = 100 * MIB;
    await guard.look();
    expect(guard.state()).toEqual({ status: 'ok' });
    expect(statSync(reserve).size).toBe(MIB);
    guard.requireRoom();
    expect(told).toEqual(['full', 'ok']);
  },
);

it('is shared: another process sees by the missing reserve that the disk is full, and that it is not any more', async () => {
  const dir = stores.dir();
  const [one, other] = [guarded(dir), guarded(dir)];
  await one.guard.look();
  await other.guard.look();
  one.disk.free = other.disk.free = 1000;
  one.guard.failed(failure('ENOSPC'));
  await other.guard.look();
  expect(other.told).toEqual(['full']);
  one.disk.free = other.disk.free = 100 * MIB;
  await one.guard.look();
  await other.guard.look();
  expect([one.told, other.told]).toEqual([
    ['full', 'ok'],
    ['full', 'ok'],
  ]);
});

it('an error of the disk is one of its room when there is next to none, else it is told as what it is', () => {
  const dir = stores.dir();
  const { guard, disk, told } = guarded(dir, 0);
  const error = guard.failed(failure('SQLITE_IOERR_WRITE'));
  expect(error).toBeInstanceOf(StoreUnwritableError);
  expect(guard.state()).toEqual({
    status: 'unwritable',
    folder: dir,
    reason: 'SQLITE_IOERR_WRITE: SQLITE_IOERR_WRITE came',
  });
  guard.succeeded();
  expect(guard.state()).toEqual({ status: 'ok' });
  disk.free = 0;
  expect(guard.failed(failure('SQLITE_IOERR_SHMSIZE'))).toBeInstanceOf(StorageFullError);
  expect(told).toEqual(['unwritable', 'ok', 'full']);
  const mine = new TypeError('of the program');
  expect(guard.failed(mine)).toBe(mine);
});

it('a store without room refuses what is new, and takes what ends something', async () => {
  const dir = stores.dir();
  const { guard, disk } = guarded(dir);
  const store = await stores.open({ dir, guard });
  const session = await newSession(store);
  const known = await store.blobs.put(Buffer.from('known'));
  await guard.look();
  disk.free = 0;
  guard.failed(failure('SQLITE_FULL'));
  const refused = [
    () => store.blobs.put(Buffer.from('new')),
    () => store.events.append({ session, key: 'a', events: [{ type: 't', payload: {} }] }),
    () => newSession(store, 'sesn_2'),
    () => store.agents.put('agent_1', 1, {}),
    () => store.environments.insert('env_1', {}),
    () => store.batches.begin('msgbatch_1'),
    () => store.files.stage((async function* () {})(), 10),
    () => store.effects.begin(session, 'call'),
  ];
  for (const take of refused) await expect(take()).rejects.toThrow(StorageFullError);
  expect(await store.blobs.put(Buffer.from('known'))).toBe(known);
  const error = { type: 'session.error', payload: {} };
  await store.events.append({ session, key: 'b', events: [error], essential: true });
  expect(await store.sessions.delete(session)).toBe(true);
});

it('a write that fails in the middle tells of its cause and leaves nothing', async () => {
  const dir = stores.dir();
  const { guard } = guarded(dir);
  const store = await stores.open({ dir, guard });
  const session = await newSession(store);
  const append = store.events.append({
    session,
    key: 'a',
    events: [{ type: 't', payload: {} }],
    update: () => {
      throw failure('SQLITE_FULL');
    },
  });
  await expect(append).rejects.toThrow(StorageFullError);
  expect(await store.events.read({ session })).toEqual([]);
  rmSync(join(dir, 'storage.reserve'), { force: true });
});
