import { describeStores } from '../temporary-store.ts';

describeStores((stores) => {
  it('an installation has one id, whoever opens the store, and another one has another', async () => {
    const dir = stores.dir();
    const [one, two] = await Promise.all([stores.open({ dir }), stores.open({ dir })]);
    const other = await stores.open();
    expect(one.installation).toMatch(/^inst_\w{24}$/);
    expect(two.installation).toBe(one.installation);
    expect(other.installation).not.toBe(one.installation);
    await one.close();
    expect((await stores.open({ dir })).installation).toBe(one.installation);
  });

  it('of many who make a setting at once all get that of the first', async () => {
    const dir = stores.dir();
    const both = await Promise.all([stores.open({ dir }), stores.open({ dir })]);
    const made = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        (both[n % 2] ?? both[0]).settings.getOrMake('key', () => `made by ${n}`),
      ),
    );
    expect(new Set(made).size).toBe(1);
    expect(await both[1].settings.getOrMake('key', () => 'late')).toBe(made[0]);
    expect(await both[0].settings.getOrMake('other', () => 'x')).toBe('x');
  });
});
