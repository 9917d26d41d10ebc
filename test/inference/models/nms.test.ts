import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assertProperty, fc } from '../../support/fast-check.ts';
import { Candidates } from '../../../inference/models/decoders/decoder.ts';
import type { SelectOptions, Selected } from '../../../inference/models/decoders/select.ts';
import { select } from '../../../inference/models/decoders/select.ts';

type Case = readonly [x1: number, y1: number, x2: number, y2: number, score: number, classId: number];

const ALL: SelectOptions = {
  iou: 0.45,
  candidates: Infinity,
  max: Infinity,
  classes: null,
  image: { width: 10_000, height: 10_000 },
  placement: null,
};

function run(cases: readonly Case[], options: Partial<SelectOptions> = {}): Selected[] {
  const candidates = new Candidates();
  for (const one of cases) candidates.push(...one);
  return select(candidates, { ...ALL, ...options });
}

const kept = (cases: readonly Case[], options?: Partial<SelectOptions>): unknown[] =>
  run(cases, options).map(({ box, score, classId }) => [...box, score, classId]);

interface Golden {
  readonly cases: readonly {
    readonly iou: number;
    /** x, y, width, height. */
    readonly boxes: readonly (readonly [number, number, number, number])[];
    readonly scores: readonly number[];
    readonly classes: readonly number[];
    readonly kept: readonly number[];
  }[];
}

test('keeps what OpenCV keeps', () => {
  const golden = JSON.parse(readFileSync(join(__dirname, '../../oracle/nms.json'), 'utf8')) as Golden;
  expect(golden.cases.length).toBeGreaterThan(5);
  for (const { boxes, scores, classes, iou, kept: expected } of golden.cases) {
    const all = boxes.map(([x, y, w, h], at): Case => [
      x,
      y,
      x + w,
      y + h,
      scores[at] ?? 0,
      classes[at] ?? 0,
    ]);
    const above = all.filter(([, , , , score]) => score >= 0.25);
    expect(kept(above, { iou })).toEqual(expected.map((index) => all[index]));
  }
});

test('an overlap of exactly the threshold stays, one above it goes', () => {
  // 10 x 10 and its right half: the intersection over union is a half.
  const cases: readonly Case[] = [
    [0, 0, 10, 10, 0.9, 0],
    [5, 0, 10, 10, 0.8, 0],
  ];
  expect(kept(cases, { iou: 0.5 })).toHaveLength(2);
  expect(kept(cases, { iou: 0.4999 })).toHaveLength(1);
  expect(kept([cases[0]!, cases[0]!], { iou: 1 })).toHaveLength(2);
  // Boxes that only touch do not overlap.
  expect(kept([cases[0]!, [10, 0, 20, 10, 0.8, 0]], { iou: 0 })).toHaveLength(2);
});

test('a box that was dropped drops no other', () => {
  const chain: readonly Case[] = [
    [0, 0, 10, 10, 0.9, 0],
    [4, 0, 14, 10, 0.8, 0],
    [8, 0, 18, 10, 0.7, 0],
  ];
  expect(kept(chain, { iou: 0.4 })).toEqual([chain[0], chain[2]]);
});

test("of equal scores the model's first wins; classes do not touch each other", () => {
  const cases: readonly Case[] = [
    [1, 0, 11, 10, 0.5, 1],
    [0, 0, 10, 10, 0.5, 1],
    [0, 0, 10, 10, 0.5, 2],
  ];
  expect(kept(cases)).toEqual([cases[0], cases[2]]);
});

test('NMS comes before clipping and before what lies outside is dropped', () => {
  const placement = { scaleX: 1, scaleY: 1, offsetX: 100, offsetY: 0 };
  const image = { width: 100, height: 100 };
  // The better box reaches far out to the left; inside the image the two are the same.
  const wide: readonly Case[] = [
    [0, 0, 150, 50, 0.9, 0],
    [100, 0, 150, 50, 0.8, 0],
  ];
  expect(kept(wide, { placement, image, iou: 0.3 })).toEqual([[0, 0, 50, 50, 0.9, 0]]);
  expect(kept(wide, { placement, image, iou: 0.45 })).toEqual([
    [0, 0, 50, 50, 0.9, 0],
    [0, 0, 50, 50, 0.8, 0],
  ]);
  // A box in the border is dropped, although it suppressed another one.
  const border: readonly Case[] = [
    [60, 0, 100, 50, 0.9, 0],
    [60, 0, 110, 50, 0.8, 0],
    [160, 0, 170, 50, 0.7, 0],
  ];
  expect(kept(border, { placement, image, max: 1 })).toEqual([[60, 0, 70, 50, 0.7, 0]]);
});

test('candidates that are no boxes are not taken', () => {
  const candidates = new Candidates();
  for (const value of [NaN, Infinity, -Infinity]) {
    for (let at = 0; at < 6; at += 1) {
      const one = [0, 0, 10, 10, 0.9, 0];
      one[at] = value;
      candidates.push(...(one as unknown as Case));
    }
  }
  candidates.push(10, 0, 10, 10, 0.9, 0);
  candidates.push(10, 0, 0, 10, 0.9, 0);
  candidates.push(0, 10, 10, 10, 0.9, 0);
  candidates.push(0, 10, 10, 0, 0.9, 0);
  candidates.push(0, 0, 10, 10, 0.9, -1);
  candidates.push(0, 0, 10, 10, 0.9, 0.5);
  candidates.push(-1e308, 0, 1e308, 10, 0.9, 0);
  expect(candidates.size).toBe(0);
});

const boxes = fc.array(
  fc
    .tuple(
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 0, max: 40 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 0, max: 8 }),
      fc.integer({ min: 0, max: 2 }),
    )
    .map(([x, y, w, h, score, classId]): Case => [x, y, x + w, y + h, score / 8, classId]),
  { maxLength: 60 },
);
const limits = fc.constantFrom(0, 0.2, 0.45, 0.8, 1);

function iou(a: readonly number[], b: readonly number[]): number {
  const [ax = 0, ay = 0, aX = 0, aY = 0] = a;
  const [bx = 0, by = 0, bX = 0, bY = 0] = b;
  const shared =
    Math.max(0, Math.min(aX, bX) - Math.max(ax, bx)) * Math.max(0, Math.min(aY, bY) - Math.max(ay, by));
  return shared / ((aX - ax) * (aY - ay) + (bX - bx) * (bY - by) - shared);
}

test('what is kept overlaps nothing better; what is dropped overlaps something kept', () => {
  assertProperty(300, boxes, limits, (cases, limit) => {
    const result = kept(cases, { iou: limit }) as Case[];
    result.forEach((one, at) => {
      for (const better of result.slice(0, at)) {
        expect(better[4]).toBeGreaterThanOrEqual(one[4]);
        expect(better[5] === one[5] && iou(better, one) > limit).toBe(false);
      }
    });
    const keys = new Set(result.map(String));
    for (const one of cases.filter((candidate) => !keys.has(String(candidate)))) {
      expect(
        result.some((better) => better[5] === one[5] && better[4] >= one[4] && iou(better, one) > limit),
      ).toBe(true);
    }
  });
});

test('running it again over its own answer changes nothing; fewer is a beginning of more', () => {
  assertProperty(300, boxes, limits, fc.integer({ min: 0, max: 20 }), (cases, limit, max) => {
    const result = kept(cases, { iou: limit }) as Case[];
    expect(kept(result, { iou: limit })).toEqual(result);
    expect(kept(cases, { iou: limit, max })).toEqual(result.slice(0, max));
    const one = kept(cases, { iou: limit, classes: new Set([1]) });
    expect(one).toEqual(result.filter(([, , , , , classId]) => classId === 1));
  });
});

test('more boxes of a class than there is room for at first', () => {
  const cases = Array.from({ length: 500 }, (_, at): Case => [
    at * 10,
    0,
    at * 10 + 10,
    10,
    1 - at / 1000,
    0,
  ]);
  expect(kept([...cases, ...cases])).toEqual(cases);
});
