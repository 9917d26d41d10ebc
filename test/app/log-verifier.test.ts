import Database from 'libsql';
import { join } from 'node:path';
import { startLogVerifier } from '../../app/log-verifier.ts';
import { createLogger } from '../../server/log.ts';
import { newSession, temporaryStores } from '../store/temporary-store.ts';

const stores = temporaryStores();

it('every session is verified, the one that was checked longest ago first, and the broken ones are counted', async () => {
  const dir = stores.dir();
  const store = await stores.open({ dir });
  for (const id of ['sesn_1', 'sesn_2', 'sesn_3']) await newSession(store, id);
  await store.events.append({ session: 'sesn_1', key: 'a', events: [{ type: 't', payload: {} }] });
  const db = new Database(join(dir, 'store.db'));
  db.exec('DROP TRIGGER events_never_change');
  db.exec(`UPDATE events SET payload = '{"n":-1}'`);
  db.close();
  const seen: string[] = [];
  const { events } = store;
  await new Promise<void>((resolve) => {
    const verifier = startLogVerifier(
      {
        leases: null,
        events: {
          broken: () => events.broken(),
          leastChecked: async (before) => {
            const next = await events.leastChecked(before);
            if (next === undefined) {
              setImmediate(() => {
                seen.push(`${verifier.broken()} broken`);
                verifier.stop();
                resolve();
              });
            }
            return next;
          },
          verify: (session) => {
            seen.push(session);
            return events.verify(session);
          },
        },
      },
      createLogger('silent'),
      { pauseMs: 0 },
    );
  });
  expect(seen).toEqual(['sesn_1', 'sesn_2', 'sesn_3', '1 broken']);
  const tomorrow = new Date(Date.now() + 25 * 60 * 60 * 1000).toISOString();
  expect(await store.events.leastChecked(tomorrow)).toBe('sesn_1');
});
