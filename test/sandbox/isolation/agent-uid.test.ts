import { agentUidFor, rangeWithin } from '../../../sandbox/agent-uid.ts';

describe('the host user of a sandbox', () => {
  it('is nobody else when the server is root, and the same each time', () => {
    const ids = Array.from({ length: 200 }, (_, index) => `sbx_${index}`);
    const uids = ids.map((id) => agentUidFor(id, 0));
    expect(uids).toEqual(ids.map((id) => agentUidFor(id, 0)));
    expect(new Set(uids).size).toBe(200);
    expect(Math.min(...uids.map(Number))).toBeGreaterThan(1_000);
  });

  it("is the server's own when that is an ordinary user", () => {
    expect(agentUidFor('sbx_1', 1_000)).toBeNull();
  });

  it.each([
    ['the whole machine', [{ first: 0, count: 4_294_967_295 }], 700_000_000, 716_000_000],
    [
      'a rootless container',
      [
        { first: 0, count: 1 },
        { first: 1, count: 65_536 },
      ],
      32_769,
      65_537,
    ],
    ['a remapped container', [{ first: 0, count: 65_536 }], 32_768, 64_536],
  ])('lies in what %s maps', (_name, mapped, least, below) => {
    const { first, count } = rangeWithin(mapped);
    expect(first).toBeGreaterThanOrEqual(least);
    expect(first + count).toBeLessThanOrEqual(below);
    expect(count).toBeGreaterThan(10_000);
  });
});
