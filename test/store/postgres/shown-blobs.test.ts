import { describeWithPostgres } from '../../support/postgres.ts';
import { newSession, temporaryStores } from '../temporary-store.ts';
import { connectedTo } from './client.ts';

describeWithPostgres('a picture that many sessions show', () => {
  const stores = temporaryStores('postgres');

  it('is put and named again without a write to its row, which all of them would wait for', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    const client = await connectedTo(stores, dir);
    try {
      const version = async (): Promise<unknown> =>
        (await client.query('SELECT xmin, touched_at FROM objects')).rows;
      const hash = await store.blobs.put(Buffer.from('an empty desktop'));
      const before = await version();
      for (const id of ['sesn_1', 'sesn_2', 'sesn_3']) {
        const session = await newSession(store, id);
        expect(await store.blobs.put(Buffer.from('an empty desktop'))).toBe(hash);
        const content = [{ type: 'image', source: { type: 'blob', sha256: hash } }];
        await store.events.append({ session, key: 'k', events: [{ type: 't', payload: { content } }] });
      }
      expect(await version()).toEqual(before);
    } finally {
      await client.end();
    }
  });
});
