import type { RateRequest } from '../../store/contract/rates.ts';
import type { Store } from '../../store/index.ts';
import { describeWithPostgres } from '../support/postgres.ts';
import { temporaryStores } from './temporary-store.ts';

const NOTHING = { requests: 0, inputTokens: 0, outputTokens: 0 };
const ONE = { requests: 1, inputTokens: 0, outputTokens: 0 };

/** A request of a key with a limit of requests, which only counts itself. */
const plain = (key: string, requests: number, more: Partial<RateRequest> = {}): RateRequest => ({
  key,
  limits: { requests },
  used: NOTHING,
  ask: { need: ONE, take: ONE, stream: false },
  streams: { open: 0 },
  ...more,
});

describeWithPostgres('levels that all processes with a database share', () => {
  const stores = temporaryStores('postgres');
  let one: Store;
  let other: Store;
  beforeAll(async () => {
    const dir = stores.dir();
    [one, other] = [await stores.open({ dir }), await stores.open({ dir })];
  });

  const take = async (store: Store, request: RateRequest) => {
    const state = await store.rates?.take(request);
    if (state === undefined) throw new Error('this store has no rates');
    return state;
  };

  test('of many requests at once through both as many are let in as the limit says', async () => {
    // A minute's worth that a slow machine does not refill by one.
    const states = await Promise.all(
      Array.from({ length: 40 }, (_, n) => take(n % 2 === 0 ? one : other, plain('many', 10))),
    );
    const admitted = states.filter((state) => state.admitted).length;
    expect(admitted).toBeGreaterThanOrEqual(10);
    expect(admitted).toBeLessThanOrEqual(12);
  });

  test('what was used is taken in any case, and given back', async () => {
    const limits = { inputTokens: 100, outputTokens: 100 };
    const used = { requests: 0, inputTokens: 150, outputTokens: 20 };
    const after = await take(one, { key: 'used', limits, used, streams: { open: 0 } });
    expect(after.admitted).toBe(false);
    expect(after.levels.inputTokens).toBeCloseTo(-50, -1);
    expect(after.levels.outputTokens).toBeCloseTo(80, -1);
    const need = { requests: 1, inputTokens: 0, outputTokens: 1 };
    const ask = { need, take: NOTHING, stream: false };
    expect(
      (await take(other, { key: 'used', limits, used: NOTHING, ask, streams: { open: 0 } })).admitted,
    ).toBe(false);
    const back = { requests: 0, inputTokens: -150, outputTokens: 0 };
    const again = await take(other, { key: 'used', limits, used: back, ask, streams: { open: 0 } });
    expect(again.admitted).toBe(true);
    expect(again.levels.inputTokens).toBeLessThanOrEqual(100);
  });

  test('a level rises with time and never above the limit', async () => {
    const limits = { requests: 6_000_000 };
    const emptied = await take(one, { ...plain('rising', 1), limits, used: { ...ONE, requests: 6_000_000 } });
    let level = emptied.levels.requests;
    while (level < 1000)
      level = (await take(other, plain('rising', 1, { limits, ask: undefined }))).levels.requests;
    expect(level).toBeLessThanOrEqual(6_000_000);
  });

  test('streams of all processes count, and those of each until it says that they are closed', async () => {
    const stream = { need: NOTHING, take: NOTHING, stream: true };
    const asking = (open: number): RateRequest => ({
      key: 'streams',
      limits: {},
      used: NOTHING,
      ask: stream,
      streams: { open, limit: 2 },
    });
    expect(await take(one, asking(0))).toMatchObject({ admitted: true, elsewhere: 0 });
    expect(await take(other, asking(0))).toMatchObject({ admitted: true, elsewhere: 1 });
    expect(await take(one, asking(1))).toMatchObject({ admitted: false, elsewhere: 1 });
    await take(other, { ...asking(0), ask: undefined });
    expect(await take(one, asking(1))).toMatchObject({ admitted: true, elsewhere: 0 });
  });

  test('what has no limit is not counted', async () => {
    const used = { requests: 10, inputTokens: 10, outputTokens: 10 };
    const request = { ...plain('none', 1), limits: {}, used };
    expect(await take(one, request)).toEqual({ admitted: true, levels: NOTHING, elsewhere: 0 });
  });
});
