import { describeWithPostgres } from '../support/postgres.ts';
import { until } from '../engine/until.ts';
import { connectedTo, waitsForLock } from './postgres/client.ts';
import { temporaryStores } from './temporary-store.ts';

describeWithPostgres('leases of processes that share a database', () => {
  const stores = temporaryStores('postgres');

  async function two(): Promise<readonly [Leases, Leases, () => Promise<void>]> {
    const dir = stores.dir();
    const [one, other] = [await stores.open({ dir }), await stores.open({ dir })];
    return [granted(one.leases), granted(other.leases), () => one.close()];
  }

  test('one process has a key, until it gives it back', async () => {
    const [one, other] = await two();
    expect(await one.take('a')).toBe(true);
    expect(await one.take('a')).toBe(true);
    expect(await other.take('a')).toBe(false);
    expect(await other.take('b')).toBe(true);
    await other.release('a');
    expect(await other.take('a')).toBe(false);
    await one.release('a');
    expect(await other.take('a')).toBe(true);
    expect(await one.take('a')).toBe(false);
  });

  test('of many who ask at once one has it', async () => {
    const dir = stores.dir();
    const all = await Promise.all(Array.from({ length: 4 }, () => stores.open({ dir })));
    const taken = await Promise.all(
      Array.from({ length: 20 }, (_, n) => granted(all[n % 4]?.leases ?? null).take(`key-${n % 5}`)),
    );
    const holders = new Set(taken.flatMap((has, n) => (has ? [n % 5] : [])));
    expect([taken.filter(Boolean).length, holders.size]).toEqual([5, 5]);
  });

  test('a process that is silent has none any more', async () => {
    const dir = stores.dir();
    const { leases } = await stores.open({ dir });
    const client = await connectedTo(stores, dir);
    await client.query(
      `INSERT INTO leases VALUES ('a', 'lives'), ('b', 'is silent'), ('c', 'was never seen')`,
    );
    await client.query(
      `INSERT INTO lease_holders VALUES ('lives', now() + interval '1 minute'), ('is silent', now() - interval '4 seconds')`,
    );
    await client.end();
    const taken = await Promise.all(['a', 'b', 'c'].map((key) => granted(leases).take(key)));
    expect(taken).toEqual([false, true, true]);
  });

  // The first sign of life of the other process comes with the lease.
  test.each([
    { key: 'that nobody has', sql: `INSERT INTO leases VALUES ('a', 'other')` },
    { key: 'of a silent process', sql: `UPDATE leases SET holder = 'other'` },
  ])('who waits for another one that is taking a key $key does not have it', async ({ key, sql }) => {
    const dir = stores.dir();
    const { leases } = await stores.open({ dir });
    const [taking, watcher] = [await connectedTo(stores, dir), await connectedTo(stores, dir)];
    if (key === 'of a silent process') await taking.query(`INSERT INTO leases VALUES ('a', 'is silent')`);
    await taking.query('BEGIN');
    await taking.query(`INSERT INTO lease_holders VALUES ('other', now())`);
    await taking.query(sql);
    const taken = granted(leases).take('a');
    await until(() => waitsForLock(watcher));
    await taking.query('COMMIT');
    expect(await taken).toBe(false);
    await taking.end();
    await watcher.end();
  });

  test('a process that ends has none any more', async () => {
    const [one, other, end] = await two();
    await one.take('a');
    await end();
    expect(await other.take('a')).toBe(true);
  });
});

type Leases = NonNullable<Awaited<ReturnType<ReturnType<typeof temporaryStores>['open']>>['leases']>;

function granted(leases: Leases | null): Leases {
  if (leases === null) throw new Error('this store has no leases');
  return leases;
}
