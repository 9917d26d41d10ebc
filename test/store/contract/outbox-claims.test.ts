import type { Store, StoredEvent } from '../../../store/index.ts';
import { describeStores, newSession } from '../temporary-store.ts';

const LONG_MS = 60 * 60 * 1000;

const send = (store: Store, session: string, key: string): Promise<unknown> =>
  store.events.append({ session, key, events: [{ type: 'user.message', payload: { key }, deliver: true }] });
const named = (events: readonly StoredEvent[]): readonly string[] =>
  events.map(({ session, key }) => `${session} ${key}`);

describeStores((stores) => {
  /** Two processes on one store, with some events that wait. */
  const two = async (
    ...events: readonly (readonly [session: string, key: string])[]
  ): Promise<[Store, Store]> => {
    const dir = stores.dir();
    const one = await stores.open({ dir });
    for (const id of new Set(events.map(([session]) => session))) await newSession(one, id);
    for (const [session, key] of events) await send(one, session, key);
    return [one, await stores.open({ dir })];
  };

  it('a claimed session is nobody else’s, with what is appended meanwhile, until its events are delivered', async () => {
    const [one, two_] = await two(['a', '1'], ['a', '2'], ['b', '1']);
    const claimed = await one.events.claimUndelivered({ limit: 1, leaseMs: LONG_MS });
    expect(named(claimed)).toEqual(['a 1', 'a 2']);
    await send(one, 'a', '3');
    expect(named(await two_.events.claimUndelivered({ limit: 9, leaseMs: LONG_MS }))).toEqual(['b 1']);
    expect(await two_.events.claimUndelivered({ limit: 9, leaseMs: LONG_MS, session: 'a' })).toEqual([]);
    await one.events.markDelivered(claimed.slice(0, 1));
    expect(await two_.events.claimUndelivered({ limit: 9, leaseMs: LONG_MS })).toEqual([]);
    await one.events.markDelivered(claimed.slice(1));
    expect(named(await two_.events.claimUndelivered({ limit: 9, leaseMs: LONG_MS }))).toEqual(['a 3']);
    expect(named(await two_.events.undelivered('a'))).toEqual(['a 3']);
  });

  it('a claim ends with its lease, or when it is given back', async () => {
    const [one, two_] = await two(['a', '1'], ['b', '1']);
    expect(named(await one.events.claimUndelivered({ limit: 1, leaseMs: 1, session: 'a' }))).toEqual(['a 1']);
    let again: readonly StoredEvent[] = [];
    while (again.length === 0)
      again = await two_.events.claimUndelivered({ limit: 1, leaseMs: LONG_MS, session: 'a' });
    expect(named(again)).toEqual(['a 1']);
    expect(await one.events.claimUndelivered({ limit: 1, leaseMs: LONG_MS, session: 'a' })).toEqual([]);
    await two_.events.releaseClaims(['a']);
    expect(named(await one.events.claimUndelivered({ limit: 1, leaseMs: LONG_MS, session: 'a' }))).toEqual([
      'a 1',
    ]);
  });

  it('of many claims at once each session goes to one, and those that have waited longest come first', async () => {
    const sessions = Array.from({ length: 12 }, (_, n) => `s${String(n).padStart(2, '0')}`);
    const both = await two(...sessions.flatMap((id) => [[id, '1'] as const, [id, '2'] as const]));
    expect(named(await both[0].events.claimUndelivered({ limit: 2, leaseMs: LONG_MS }))).toEqual([
      's00 1',
      's00 2',
      's01 1',
      's01 2',
    ]);
    const taken: StoredEvent[] = [];
    while (taken.length < 20) {
      const lots = await Promise.all(
        Array.from({ length: 8 }, (_, n) =>
          (both[n % 2] ?? both[0]).events.claimUndelivered({ limit: 3, leaseMs: LONG_MS }),
        ),
      );
      taken.push(...lots.flat());
    }
    expect(named(taken).toSorted()).toEqual(sessions.slice(2).flatMap((id) => [`${id} 1`, `${id} 2`]));
  });

  it('a session that is being deleted takes its claim with it', async () => {
    const [one, two_] = await two(['a', '1']);
    await one.events.claimUndelivered({ limit: 1, leaseMs: LONG_MS });
    await two_.sessions.delete('a');
    await newSession(two_, 'a');
    await send(two_, 'a', '1');
    expect(named(await two_.events.claimUndelivered({ limit: 1, leaseMs: LONG_MS }))).toEqual(['a 1']);
  });
});
