import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { backUpStore, type Store } from '../../../store/index.ts';
import type { BackUpOptions } from '../../../store/transfer/back-up-store.ts';
import { entriesBelow } from '../../support/entries-below.ts';
import { newSession, temporaryStores } from '../temporary-store.ts';

/** A store is copied while others work with it. */

const stores = temporaryStores();

async function picture(store: Store, session: string, bytes: string): Promise<string> {
  const sha256 = await store.blobs.put(Buffer.from(bytes));
  const source = { type: 'blob', media_type: 'image/png', sha256 };
  await store.events.append({
    session,
    key: `seen/${sha256}`,
    events: [{ type: 'seen', payload: { source } }],
  });
  return sha256;
}

async function file(store: Store, id: string, text: string): Promise<void> {
  const staged = await store.files.stage(Readable.from([Buffer.from(text)]), 100);
  await staged.keep({ id, filename: id, mime_type: 'text/plain' });
}

async function copied(
  dir: string,
  more: Partial<BackUpOptions> = {},
): Promise<{ into: string } & Awaited<ReturnType<typeof backUpStore>>> {
  const into = join(stores.dir(), 'copy');
  const options = { dir, into, hasBytes: true, progress: () => undefined, ...more };
  return { into, ...(await backUpStore(options)) };
}

it('a copy that is made while events are appended has all that its rows name, and intact chains', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  const session = await newSession(store);
  await file(store, 'file_1', 'the file');
  let isOver = false;
  let appended = 0;
  const working = (async () => {
    while (!isOver) await picture(store, session, `picture ${appended++}`);
  })();
  while (appended < 20) await new Promise((resolve) => setImmediate(resolve));
  const copy = await copied(dir, {
    rowsCopied: async () => {
      const until = appended + 20;
      while (appended < until) await new Promise((resolve) => setImmediate(resolve));
    },
  });
  isOver = true;
  await working;
  expect(copy.events).toBeGreaterThanOrEqual(19);
  expect(copy.events).toBeLessThan(appended);
  expect(copy.objects).toBe(copy.events + 1);
  const restored = await stores.open({ dir: copy.into });
  expect(restored.installation).toBe(store.installation);
  expect(await restored.events.verify(session)).toMatchObject({ ok: true, length: copy.events });
  for (const { payload } of await restored.events.read({ session })) {
    const { sha256 } = payload['source'] as { sha256: string };
    expect(String(await restored.blobs.get(sha256))).toMatch(/^picture \d+$/);
  }
  expect(String(await restored.files.read('file_1'))).toBe('the file');
});

it('what is deleted between rows and bytes is not in the copy, and no bytes are of nobody', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  const [gone, stays] = [await newSession(store, 'sesn_gone'), await newSession(store, 'sesn_stays')];
  await picture(store, gone, 'gone');
  const hash = await picture(store, stays, 'stays');
  await file(store, 'file_gone', 'gone, too');
  let passes = 0;
  const copy = await copied(dir, {
    rowsCopied: async () => {
      passes += 1;
      if (passes > 1) return;
      await store.sessions.delete(gone);
      await store.files.delete('file_gone');
    },
  });
  expect(passes).toBe(2);
  expect(copy).toMatchObject({ sessions: 1, objects: 1, damaged: [] });
  const bytes = entriesBelow(copy.into).filter((name) => /[0-9a-f]{64}$/.test(name));
  expect(bytes).toEqual([join('blobs', hash.slice(0, 2), hash)]);
});

it('says what is missing or damaged in the store itself', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  const session = await newSession(store);
  const hashes = [await picture(store, session, 'one'), await picture(store, session, 'two')];
  const [missing = '', damaged = ''] = hashes;
  rmSync(join(dir, 'blobs', missing.slice(0, 2), missing));
  writeFileSync(join(dir, 'blobs', damaged.slice(0, 2), damaged), 'other');
  const copy = await copied(dir);
  expect(copy).toMatchObject({ objects: 0, damaged: hashes.toSorted() });
  expect(existsSync(join(copy.into, 'blobs', damaged.slice(0, 2), damaged))).toBe(false);
});

it('copies no bytes that are elsewhere, and nothing of a folder without a store', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  await picture(store, await newSession(store), 'one');
  const { into } = await copied(dir, { hasBytes: false });
  expect(entriesBelow(into)).toEqual(['store.db']);
  await expect(copied(stores.dir())).rejects.toThrow('store.db is not there: DATA_DIR holds no store');
});
