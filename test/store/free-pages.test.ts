import { statSync } from 'node:fs';
import Database from 'libsql';
import { temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();
const record = { agent_id: 'agent_1', agent_version: 1, status: 'idle', data: {} } as const;

const sizeOf = (dir: string): number => statSync(`${dir}/store.db`).size;

it('what deleted sessions took is given back by the sweep', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  await store.sessions.insert({ ...record, id: 'sesn_1' });
  const payload = { text: 'x'.repeat(20_000) };
  for (let n = 0; n < 400; n++) {
    await store.events.append({ session: 'sesn_1', key: `k/${n}`, events: [{ type: 't', payload }] });
  }
  await store.sweep();
  const full = sizeOf(dir);
  await store.sessions.delete('sesn_1');
  await store.sweep();
  expect(sizeOf(dir)).toBeLessThan(full / 2);
  await store.sessions.insert({ ...record, id: 'sesn_2' });
  expect(await store.events.verify('sesn_2')).toMatchObject({ ok: true });
});

it('a file from before it could shrink is written anew once', async () => {
  const dir = stores.dir();
  const db = new Database(`${dir}/store.db`);
  db.exec('PRAGMA auto_vacuum = NONE; CREATE TABLE filler (a); DROP TABLE filler');
  db.close();
  const store = await stores.open({ dir });
  await store.close();
  const reopened = new Database(`${dir}/store.db`);
  expect(reopened.prepare('PRAGMA auto_vacuum').get()).toMatchObject({ auto_vacuum: 2 });
  reopened.close();
});
