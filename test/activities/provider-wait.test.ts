import { providerWait } from '../../activities/provider-wait.ts';

const HOUR_MS = 60 * 60 * 1000;

it('is what the provider asked for, up to an hour, which is spread', () => {
  expect(providerWait(1500.2, 0)).toBe(1501);
  expect(providerWait(HOUR_MS - 1, 5)).toBe(HOUR_MS - 1);
  for (const asked of [HOUR_MS, 1e15, Number.POSITIVE_INFINITY]) {
    const waits = Array.from({ length: 50 }, () => providerWait(asked, 0));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(0.9 * HOUR_MS);
    expect(Math.max(...waits)).toBeLessThanOrEqual(1.1 * HOUR_MS);
    expect(new Set(waits).size).toBeGreaterThan(1);
  }
});
