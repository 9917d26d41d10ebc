import Database from 'libsql';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { StoreTooNewError } from '../../store/index.ts';
import { MIGRATIONS } from '../../store/sqlite/migrations.ts';
import { newSession, temporaryStores } from './temporary-store.ts';

const stores = temporaryStores();

describe('the folder', () => {
  it("is its owner's alone, in WAL mode, and counts its migrations", async () => {
    const dir = join(stores.dir(), 'made', 'here');
    await stores.open({ dir });
    expect(statSync(dir).mode & 0o777).toBe(0o700);
    const db = new Database(join(dir, 'store.db'));
    expect(db.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
    expect(db.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: MIGRATIONS.length });
    db.close();
  });

  it('keeps what is in it when it is opened again', async () => {
    const dir = stores.dir();
    const store = await stores.open({ dir });
    const session = await newSession(store);
    await store.events.append({ session, key: 'a', events: [{ type: 't', payload: { n: 1 } }] });
    await store.close();
    await store.close();
    const again = await stores.open({ dir });
    expect(await again.events.read({ session })).toHaveLength(1);
    expect((await again.events.append({ session, key: 'a', events: [] })).duplicate).toBe(true);
  });

  it('is not touched when a newer program has written it', async () => {
    const dir = stores.dir();
    await (await stores.open({ dir })).close();
    const db = new Database(join(dir, 'store.db'));
    db.exec('PRAGMA user_version = 99');
    const opening = stores.open({ dir });
    await expect(opening).rejects.toThrow(StoreTooNewError);
    await expect(opening).rejects.toThrow(
      `${join(dir, 'store.db')} has schema version 99, this program knows versions up to ${MIGRATIONS.length}`,
    );
    expect(db.prepare('PRAGMA user_version').get()).toMatchObject({ user_version: 99 });
    db.close();
  });
});
