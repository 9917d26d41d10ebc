import { openStore, StoreTooNewError } from '../../../store/index.ts';
import { migrate } from '../../../store/postgres/migrate.ts';
import { MIGRATIONS } from '../../../store/postgres/migrations.ts';
import { describeWithPostgres } from '../../support/postgres.ts';
import { newSession, temporaryStores } from '../temporary-store.ts';

describeWithPostgres('the schema in PostgreSQL', () => {
  const stores = temporaryStores('postgres');
  const added = { sql: 'ALTER TABLE sessions ADD COLUMN later TEXT; CREATE TABLE later (a TEXT)' };

  it('is made once by processes that begin at the same moment', async () => {
    const dir = stores.dir();
    const opened = await Promise.all(Array.from({ length: 4 }, () => stores.open({ dir })));
    expect(new Set(opened.map(({ installation }) => installation)).size).toBe(1);
  });

  it('may have steps that only add, of a newer program, under a program that runs and under one that starts', async () => {
    const dir = stores.dir();
    const running = await stores.open({ dir });
    const session = await newSession(running);
    const append = (key: string): Promise<unknown> =>
      running.events.append({ session, key, events: [{ type: 't', payload: {} }] });
    // The server has prepared the statements for more than one connection.
    await Promise.all(Array.from({ length: 20 }, (_, n) => append(`before/${n}`)));
    for (let times = 0; times < 2; times += 1) await migrate(await stores.url(dir), [...MIGRATIONS, added]);
    await Promise.all(Array.from({ length: 20 }, (_, n) => append(`after/${n}`)));
    expect(await running.events.verify(session)).toMatchObject({ ok: true, length: 40 });
    const starting = await stores.open({ dir });
    expect(await starting.sessions.get(session)).toMatchObject({ cursor: 40 });
  });

  it('is left alone by a program that a newer one has shut out', async () => {
    const dir = stores.dir();
    await (await stores.open({ dir })).close();
    const url = await stores.url(dir);
    await migrate(url, [...MIGRATIONS, added, { sql: 'DROP TABLE later', isBreaking: true }]);
    const opening = openStore({ dir, postgres: url });
    await expect(opening).rejects.toThrow(StoreTooNewError);
    const [needed, known] = [MIGRATIONS.length + 2, MIGRATIONS.length];
    await expect(opening).rejects.toThrow(
      new RegExp(
        `^postgres://127.0.0.1:\\d+/\\w+ has schema version ${needed}, this program knows versions up to ${known}$`,
      ),
    );
  });
});
