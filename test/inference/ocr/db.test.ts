import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeDb } from '../../../inference/ocr/db.ts';
import { goldenMap } from './golden-map.ts';

interface Golden {
  readonly seed: number;
  readonly width: number;
  readonly height: number;
  readonly regions: readonly {
    readonly polygon: readonly (readonly [number, number])[];
    readonly score: number;
  }[];
}

/** A map of zeros with one block of `value`. */
function block(
  width: number,
  height: number,
  [x1, y1, x2, y2]: readonly number[],
  value: number,
): Float32Array {
  const map = new Float32Array(width * height);
  for (let y = y1 ?? 0; y <= (y2 ?? 0); y += 1)
    map.fill(value, y * width + (x1 ?? 0), y * width + (x2 ?? 0) + 1);
  return map;
}

test('a block of text becomes its rectangle, moved out by area * 1.5 / perimeter', () => {
  // From pixel 20 to 59 and 10 to 19: 39 by 9, so 39 * 9 * 1.5 / 96 out.
  const [region, ...more] = decodeDb(block(100, 40, [20, 10, 59, 19], 0.8), 100, 40);
  const out = (39 * 9 * 1.5) / 96;
  expect(more).toEqual([]);
  expect(region?.score).toBeCloseTo(0.8, 6);
  const wanted = [
    [20 - out, 10 - out],
    [59 + out, 10 - out],
    [59 + out, 19 + out],
    [20 - out, 19 + out],
  ];
  for (const [index, [x, y]] of (region?.polygon ?? []).entries()) {
    expect(x).toBeCloseTo(wanted[index]?.[0] ?? NaN, 6);
    expect(y).toBeCloseTo(wanted[index]?.[1] ?? NaN, 6);
  }
});

test('what is faint, thin or beyond the number of candidates is dropped', () => {
  const strong = block(100, 40, [20, 10, 59, 19], 0.8);
  expect(decodeDb(block(100, 40, [20, 10, 59, 19], 0.5), 100, 40)).toEqual([]);
  expect(decodeDb(block(100, 40, [20, 10, 59, 19], 0.5), 100, 40, { boxThreshold: 0.4 })).toHaveLength(1);
  expect(decodeDb(block(100, 40, [20, 10, 59, 12], 0.9), 100, 40)).toEqual([]);
  expect(decodeDb(strong, 100, 40, { threshold: 0.85 })).toEqual([]);
  expect(decodeDb(strong, 100, 40, { maxCandidates: 0 })).toEqual([]);
  expect(decodeDb(strong, 100, 40, { unclipRatio: 0 })[0]?.polygon[0]).toEqual([20, 10]);
  expect(decodeDb(new Float32Array(4000).fill(Number.NaN), 100, 40)).toEqual([]);
});

test('pixels that touch at a corner are one region, others are not', () => {
  const map = block(60, 40, [5, 5, 14, 14], 0.9);
  for (let y = 15; y <= 24; y += 1) map.fill(0.9, y * 60 + 15, y * 60 + 25);
  expect(decodeDb(map, 60, 40, { boxThreshold: 0 })).toHaveLength(1);
  for (let y = 30; y <= 36; y += 1) map.fill(0.9, y * 60 + 40, y * 60 + 55);
  expect(decodeDb(map, 60, 40, { boxThreshold: 0 })).toHaveLength(2);
});

test('turned text and ragged shapes give the rectangles that OpenCV finds by the same definition', () => {
  const cases = JSON.parse(readFileSync(join(__dirname, 'db-golden.json'), 'utf8')) as Golden[];
  const off: number[] = [];
  for (const { seed, width, height, regions } of cases) {
    const found = decodeDb(goldenMap(seed, width, height), width, height);
    expect({ seed, regions: found.length }).toEqual({ seed, regions: regions.length });
    for (const wanted of regions) {
      const centre = (polygon: readonly (readonly [number, number])[]): [number, number] => [
        polygon.reduce((sum, [x]) => sum + x, 0) / 4,
        polygon.reduce((sum, [, y]) => sum + y, 0) / 4,
      ];
      const [x, y] = centre(wanted.polygon);
      const near = found.filter(
        ({ polygon }) => Math.hypot(centre(polygon)[0] - x, centre(polygon)[1] - y) < 0.05,
      );
      expect({ seed, x, y, near: near.length }).toMatchObject({ near: 1 });
      off.push(Math.abs((near[0]?.score ?? 0) - wanted.score));
      for (const [corner, [px, py]] of wanted.polygon.entries()) {
        const [qx, qy] = near[0]?.polygon[corner] ?? [NaN, NaN];
        expect(Math.hypot(qx - px, qy - py)).toBeLessThan(0.05);
      }
    }
  }
  // A corner on a whole pixel may be cut to the one before: rounding decides, and the mean takes another edge in.
  expect(off.length).toBeGreaterThan(25);
  expect(off.filter((by) => by > 0.003).length).toBeLessThanOrEqual(1);
  expect(Math.max(...off)).toBeLessThan(0.05);
});
