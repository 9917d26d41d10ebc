import type { Store } from '../../../store/index.ts';
import { describeWithPostgres } from '../../support/postgres.ts';
import { until } from '../../engine/until.ts';
import { newSession, temporaryStores } from '../temporary-store.ts';
import { connectedTo, waitsForLock } from './client.ts';

const HOUR_MS = 60 * 60 * 1000;
const PICTURE = Buffer.from('a picture of a desktop');

/** What refers to a picture; `refer` answers how the reference goes. */
interface Referring {
  readonly name: string;
  refer(store: Store): Promise<() => Promise<unknown>>;
}

const referring: readonly Referring[] = [
  {
    name: 'session',
    async refer(store) {
      const session = await newSession(store);
      const sha256 = await store.blobs.put(PICTURE);
      const payload = { content: [{ type: 'image', source: { type: 'blob', sha256 } }] };
      await store.events.append({ session, key: 'k', events: [{ type: 't', payload }] });
      return () => store.sessions.delete(session);
    },
  },
  {
    name: 'file',
    async refer(store) {
      const staged = await store.files.stage(pieces(), PICTURE.byteLength);
      await staged.keep({ id: 'file_1', filename: 'a.png', mime_type: 'image/png' });
      return () => store.files.delete('file_1');
    },
  },
  {
    name: 'file that expires',
    async refer(store) {
      const staged = await store.files.stage(pieces(), PICTURE.byteLength);
      const expiring = { id: 'file_1', filename: 'a.png', mime_type: 'image/png', expiresInSeconds: 3600 };
      await staged.keep(expiring);
      return () => store.sweep();
    },
  },
];

describeWithPostgres('bytes that a collector looks at while their last reference goes', () => {
  const stores = temporaryStores('postgres');

  it.each(referring)('are collected: a $name', async (one) => {
    let now = Date.now();
    const dir = stores.dir();
    const store = await stores.open({ dir, now: () => now });
    const [collector, watcher] = [await connectedTo(stores, dir), await connectedTo(stores, dir)];
    try {
      const go = await one.refer(store);
      const objects = async (): Promise<number> =>
        (await watcher.query(`SELECT FROM objects WHERE state = 'present'`)).rows.length;
      expect(await objects()).toBe(1);
      now += 2 * HOUR_MS;
      // A collector has seen the reference and settles the row, as it does between two statements.
      await collector.query('BEGIN');
      await collector.query('SELECT FROM objects FOR UPDATE');
      await collector.query('UPDATE objects SET touched_at = NULL');
      let isGone = false;
      const going = go().then(() => void (isGone = true));
      await until(async () => isGone || (await waitsForLock(watcher)));
      await collector.query('COMMIT');
      await going;
      for (let hour = 0; hour < 3; hour += 1) {
        now += 2 * HOUR_MS;
        await store.sweep();
      }
      expect(await objects()).toBe(0);
    } finally {
      await collector.end();
      await watcher.end();
    }
  });
});

async function* pieces(): AsyncIterable<Uint8Array> {
  yield PICTURE;
}
