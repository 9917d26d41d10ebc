import { describeStores } from '../temporary-store.ts';

const HOUR = 60 * 60 * 1000;

describeStores((stores) => {
  test('of all processes that take a key, one is first', async () => {
    const one = await stores.open();
    const dir = stores.dir();
    const [first, second] = [await stores.open({ dir }), await stores.open({ dir })];
    const taken = await Promise.all([
      first.onceOnly.take('a', 1),
      second.onceOnly.take('a', 1),
      first.onceOnly.take('a', 2),
      one.onceOnly.take('a', 1),
      second.onceOnly.take('b', 1),
    ]);
    expect(taken.slice(0, 3).filter((isFirst) => isFirst)).toHaveLength(1);
    expect(taken.slice(3)).toEqual([true, true]);
  });

  test('a key is forgotten an hour after nobody accepts it any more', async () => {
    let now = 1000;
    const store = await stores.open({ now: () => now });
    const { onceOnly } = store;
    await onceOnly.take('a', 1000);
    now += HOUR;
    await store.sweep();
    expect(await onceOnly.take('a', 1000)).toBe(false);
    now += 1;
    await store.sweep();
    expect(await onceOnly.take('a', 1000)).toBe(true);
  });
});
