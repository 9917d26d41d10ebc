import { fc } from '../../support/fast-check.ts';
import { TokenBucket } from '../../../server/limits/token-bucket.ts';

it('refills evenly and holds a minute at most', () => {
  let now = 0;
  const bucket = new TokenBucket(60, () => now);
  bucket.take(60);
  expect([bucket.remaining, bucket.allows(1), bucket.msUntil(1), bucket.fullAt]).toEqual([
    0,
    false,
    1000,
    60_000,
  ]);
  now = 1000;
  expect([bucket.remaining, bucket.allows(1), bucket.msUntil(2)]).toEqual([1, true, 1000]);
  now = 3_600_000;
  expect([bucket.remaining, bucket.fullAt]).toEqual([60, now]);
});

it('a debt is waited for, what is given back is there, and a minute is never exceeded', () => {
  let now = 0;
  const bucket = new TokenBucket(100, () => now);
  bucket.take(150);
  expect([bucket.remaining, bucket.allows(0), bucket.fullAt]).toEqual([0, false, 90_000]);
  bucket.take(-30);
  expect(bucket.msUntil(1)).toBe(12_600);
  bucket.take(-500);
  expect(bucket.remaining).toBe(100);
  expect([bucket.allows(101), bucket.msUntil(101)]).toEqual([false, 0]);
});

it('a clock that goes back gives nothing and takes nothing', () => {
  let now = 10_000;
  const bucket = new TokenBucket(60, () => now);
  bucket.take(60);
  now = 0;
  expect(bucket.remaining).toBe(0);
  now = 1000;
  expect(bucket.remaining).toBe(1);
});

it('lets through in any stretch no more than a minute at once and the rate after it', () => {
  const steps = fc.array(
    fc.record({ wait: fc.integer({ min: 0, max: 5000 }), ask: fc.integer({ min: 1, max: 20 }) }),
  );
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 100 }), (drawn, limit) => {
      let now = 0;
      let taken = 0;
      const bucket = new TokenBucket(limit, () => now);
      const wrong: object[] = [];
      for (const { wait, ask } of drawn) {
        now += wait;
        if (!bucket.allows(ask)) {
          // The told wait is enough, and no more than a millisecond too long.
          const ms = bucket.msUntil(ask);
          now += ms;
          const isRight = bucket.allows(ask) === ask <= limit;
          if (!isRight) wrong.push({ ask, ms });
          continue;
        }
        bucket.take(ask);
        taken += ask;
        if (taken > limit + (now * limit) / 60_000 + 1e-6) wrong.push({ taken, now });
      }
      expect(wrong).toEqual([]);
    }),
    // After the wait that was told, the level was short of what was asked for by a rounding.
    {
      examples: [
        [
          [
            { wait: 0, ask: 1 },
            { wait: 0, ask: 8 },
            { wait: 0, ask: 11 },
            { wait: 2285, ask: 10 },
            { wait: 1123, ask: 11 },
          ],
          18,
        ],
      ],
    },
  );
});
