import { assertProperty, draws, fc } from '../../support/fast-check.ts';
import { decodeOutputs } from '../../../inference/models/decoders/decode-outputs.ts';
import type { Layout, ModelSpec } from '../../../inference/models/model-spec.ts';
import type { Detection, Filters } from '../../../inference/common/results.ts';
import type { Tensor } from '../../../inference/common/tensor.ts';
import { seeded } from '../../support/seeded.ts';
import { tensor } from './harness.ts';

/**
 * Compares the decoders with a second implementation of every layout, which is written from its description alone and
 * plain and slow. Inputs are random, and some of their numbers are not finite.
 */
type Random = () => number;

interface Found {
  readonly corners: readonly [number, number, number, number];
  readonly score: number;
  readonly classId: number;
}

interface Answer {
  readonly outputs: readonly Tensor[];
  /** Every candidate that the model proposes, in its order. */
  readonly candidates: readonly Found[];
  readonly nms: boolean;
}

const INPUT = { width: 96, height: 64 };
const IMAGE = { width: 120, height: 200 };
const PLACEMENT = { scaleX: 0.3, scaleY: 0.32, offsetX: 30, offsetY: 0 };

const f32 = Math.fround;
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));
/** Mostly an ordinary number, and sometimes none. */
const odd = (random: Random, value: number): number =>
  random() < 0.01 ? ([NaN, Infinity, -Infinity][Math.floor(random() * 3)] ?? NaN) : f32(value);
const centred = (cx: number, cy: number, w: number, h: number): Found['corners'] => [
  cx - w / 2,
  cy - h / 2,
  cx + w / 2,
  cy + h / 2,
];
const argmax = (values: readonly number[]): number => {
  let best = -1;
  values.forEach((value, at) => {
    if (!Number.isNaN(value) && (best < 0 || value > (values[best] ?? 0))) best = at;
  });
  return best;
};

/** The cells of grids of these strides over the input, row by row. */
const grid = (strides: readonly number[]): { x: number; y: number; stride: number }[] =>
  strides.flatMap((stride) =>
    times(Math.ceil(INPUT.height / stride), (y) =>
      times(Math.ceil(INPUT.width / stride), (x) => ({ x, y, stride })),
    ).flat(),
  );

/** A row as YOLO has it: a box in pixels that often overlaps others, then numbers from 0 to 1. */
const row = (random: Random, scores: number): number[] => [
  odd(random, 8 * Math.floor(random() * 12)),
  odd(random, 8 * Math.floor(random() * 8)),
  odd(random, 30 * random() - 1),
  odd(random, 30 * random() - 1),
  ...times(scores, () => odd(random, random())),
];

const ANSWERS: Readonly<Record<Exclude<Layout, 'db' | 'ctc'>, (random: Random, classes: number) => Answer>> =
  {
    yolov5: (random, classes) => fromRows(times(150, () => row(random, 1 + classes))),
    yolox: (random, classes) => fromRows(times(126, () => row(random, 1 + classes))),
    yolov8: (random, classes) => {
      const rows = times(126, () => row(random, classes));
      const fields = times(4 + classes, (field) => rows.map((values) => values[field] ?? 0));
      return {
        outputs: [tensor('output0', [1, 4 + classes, 126], fields.flat())],
        candidates: rows.map(([cx = 0, cy = 0, w = 0, h = 0, ...scores]) => {
          const classId = argmax(scores);
          return { corners: centred(cx, cy, w, h), score: scores[classId] ?? NaN, classId };
        }),
        nms: true,
      };
    },
    yolov10: (random, classes) => {
      const rows = times(30, () => {
        const [x = 0, y = 0, w = 0, h = 0, score = 0] = row(random, 1);
        return [x, y, f32(x + w), f32(y + h), score, Math.floor(random() * classes)];
      });
      return {
        outputs: [tensor('output0', [1, 30, 6], rows.flat())],
        candidates: rows.map(([a = 0, b = 0, c = 0, d = 0, score = 0, classId = 0]) => ({
          corners: [a, b, c, d],
          score,
          classId,
        })),
        nms: false,
      };
    },
    'yolox-raw': (random, classes) => {
      const cells = grid([8, 16, 32]);
      const rows = cells.map(() => [
        odd(random, random()),
        odd(random, random()),
        ...times(2, () => odd(random, 2 * random() - 1)),
        ...times(1 + classes, () => odd(random, random())),
      ]);
      const pixels = rows.map(([x = 0, y = 0, w = 0, h = 0, ...rest], at) => {
        const cell = cells[at] ?? { x: 0, y: 0, stride: 0 };
        // It is rounded to 32 bits, or a box whose overlap is close to the threshold could be decided differently.
        const box = [x + cell.x, y + cell.y, Math.exp(w), Math.exp(h)].map((value) =>
          f32(value * cell.stride),
        );
        return [...box, ...rest];
      });
      return { ...fromRows(pixels), outputs: [tensor('output', [1, rows.length, 5 + classes], rows.flat())] };
    },
    rtdetr: (random, classes) => {
      const rows = times(40, () => row(random, 1));
      const labels = rows.map(() => Math.floor(random() * classes));
      const boxes = rows.map(([x = 0, y = 0, w = 0, h = 0]) => [x, y, f32(x + w), f32(y + h)] as const);
      return {
        outputs: [
          tensor('labels', [1, 40], labels, 'INT64'),
          tensor('boxes', [1, 40, 4], boxes.flat()),
          tensor(
            'scores',
            [1, 40],
            rows.map((values) => values[4] ?? 0),
          ),
        ],
        candidates: boxes.map((corners, at) => ({
          corners,
          score: rows[at]?.[4] ?? 0,
          classId: labels[at] ?? 0,
        })),
        nms: false,
      };
    },
    rfdetr: (random, classes) => {
      const [boxes, logits] = queries(random, 40, classes);
      const pairs = boxes.flatMap((corners, query) =>
        times(classes, (classId) => ({
          corners,
          classId,
          score: f32(1 / (1 + Math.exp(-(logits[query]?.[classId] ?? 0)))),
        })),
      );
      // As many as there are queries, the best of those that have a box and a score at all.
      const order = pairs
        .filter(isBox)
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 40);
      return {
        outputs: [
          tensor('dets', [1, 40, 4], fractions(boxes)),
          tensor('labels', [1, 40, classes], logits.flat()),
        ],
        candidates: order,
        nms: false,
      };
    },
    detr: (random, classes) => {
      const [boxes, logits] = queries(random, 40, classes + 1);
      return {
        outputs: [
          tensor('logits', [1, 40, classes + 1], logits.flat()),
          tensor('pred_boxes', [1, 40, 4], fractions(boxes)),
        ],
        candidates: boxes.map((corners, query) => {
          const values = logits[query] ?? [];
          const sum = values.reduce((total, value) => total + Math.exp(value), 0);
          // The softmax of an infinite logit is no number.
          const shares = values
            .slice(0, -1)
            .map((value) => (Number.isFinite(sum) ? f32(Math.exp(value) / sum) : NaN));
          const classId = argmax(shares);
          return { corners, classId, score: shares[classId] ?? NaN };
        }),
        nms: false,
      };
    },
    nanodet: (random, classes) => {
      const cells = grid([8, 16, 32, 64]);
      const rows = cells.map(() => [
        ...times(classes, () => odd(random, random())),
        ...times(32, () => odd(random, 4 * random())),
      ]);
      return {
        outputs: [tensor('output', [1, rows.length, classes + 32], rows.flat())],
        candidates: rows.map((values, at) => {
          const { x, y, stride } = cells[at] ?? { x: 0, y: 0, stride: 0 };
          const [left = 0, top = 0, right = 0, bottom = 0] = times(4, (side) => {
            const powers = times(8, (bin) => Math.exp(values[classes + side * 8 + bin] ?? 0));
            return (
              (powers.reduce((sum, power, bin) => sum + power * bin, 0) /
                powers.reduce((sum, power) => sum + power, 0)) *
              stride
            );
          });
          const classId = argmax(values.slice(0, classes));
          return {
            corners: [x * stride - left, y * stride - top, x * stride + right, y * stride + bottom],
            score: values[classId] ?? NaN,
            classId,
          };
        }),
        nms: true,
      };
    },
    nms: (random, classes) => {
      const rows = times(50, () => row(random, classes));
      const boxes = rows.map(([x = 0, y = 0, w = 0, h = 0]) => [y, x, f32(y + h), f32(x + w)] as const);
      const chosen = times(30, () => [0, Math.floor(random() * classes), Math.floor(random() * 50)] as const);
      return {
        outputs: [
          tensor('selected_indices', [30, 3], chosen.flat(), 'INT64'),
          tensor('boxes', [1, 50, 4], boxes.flat()),
          tensor(
            'scores',
            [1, classes, 50],
            times(classes, (classId) => rows.map((values) => values[4 + classId] ?? 0)).flat(),
          ),
        ],
        candidates: chosen.map(([, classId, box]) => {
          const [y1 = 0, x1 = 0, y2 = 0, x2 = 0] = boxes[box] ?? [];
          return {
            corners: [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)],
            score: rows[box]?.[4 + classId] ?? NaN,
            classId,
          };
        }),
        nms: false,
      };
    },
  };

function fromRows(rows: readonly (readonly number[])[]): Answer {
  return {
    outputs: [tensor('output', [1, rows.length, rows[0]?.length ?? 0], rows.flat())],
    candidates: rows.map(([cx = 0, cy = 0, w = 0, h = 0, object = 0, ...scores]) => {
      const classId = argmax(scores);
      return { corners: centred(cx, cy, w, h), score: f32(object * (scores[classId] ?? NaN)), classId };
    }),
    nms: true,
  };
}

function queries(random: Random, count: number, classes: number): [Found['corners'][], number[][]] {
  const boxes = times(count, () => {
    const [cx, cy, w, h] = times(4, () => odd(random, random())) as [number, number, number, number];
    return [cx, cy, w, h] as const;
  });
  return [
    boxes.map(([cx, cy, w, h]) =>
      Object.assign(centred(cx * INPUT.width, cy * INPUT.height, w * INPUT.width, h * INPUT.height), {
        fractions: [cx, cy, w, h],
      }),
    ),
    times(count, () => times(classes, () => odd(random, 6 * random() - 4))),
  ];
}

function fractions(boxes: readonly Found['corners'][]): number[] {
  return boxes.flatMap((box) => (box as unknown as { fractions: number[] }).fractions);
}

function isBox({ corners: [x1, y1, x2, y2], score }: Found): boolean {
  return [x1, y1, x2, y2, score].every(Number.isFinite) && x2 > x1 && y2 > y1;
}

/** Selects among the candidates by the documented rules. */
function reference(
  { candidates, nms }: Answer,
  filters: Required<Pick<Filters, 'score' | 'iou' | 'max'>>,
  wanted?: ReadonlySet<number>,
): Found[] {
  const sorted = candidates
    .filter((found) => isBox(found) && found.score >= f32(filters.score))
    .map((found, at) => ({ found, at }))
    .sort((a, b) => b.found.score - a.found.score || a.at - b.at)
    .map(({ found }) => found);
  const kept: Found[] = [];
  for (const found of sorted) {
    if (nms && kept.some((better) => better.classId === found.classId && iou(better, found) > filters.iou))
      continue;
    kept.push(found);
  }
  return kept
    .filter(({ classId }) => wanted === undefined || wanted.has(classId))
    .map((found) => {
      const [x1, y1, x2, y2] = found.corners;
      const x = (value: number): number =>
        Math.max(0, Math.min(IMAGE.width, (value - PLACEMENT.offsetX) / PLACEMENT.scaleX));
      const y = (value: number): number =>
        Math.max(0, Math.min(IMAGE.height, (value - PLACEMENT.offsetY) / PLACEMENT.scaleY));
      return { ...found, corners: [x(x1), y(y1), x(x2), y(y2)] as const };
    })
    .filter(({ corners: [x1, y1, x2, y2] }) => x2 > x1 && y2 > y1)
    .slice(0, filters.max);
}

function iou(a: Found, b: Found): number {
  const width = Math.min(a.corners[2], b.corners[2]) - Math.max(a.corners[0], b.corners[0]);
  const height = Math.min(a.corners[3], b.corners[3]) - Math.max(a.corners[1], b.corners[1]);
  const area = ({ corners: [x1, y1, x2, y2] }: Found): number => (x2 - x1) * (y2 - y1);
  const shared = Math.max(0, width) * Math.max(0, height);
  return shared / (area(a) + area(b) - shared);
}

function specFor(layout: Layout, classes: number): ModelSpec {
  return {
    task: 'detect',
    layout,
    labels: times(classes, (at) => `name ${at}`),
    image: {
      ...INPUT,
      channels: 3,
      datatype: 'FP32',
      read: 'color',
      color: 'bgr',
      scale: [1, 1, 1],
      mean: [0, 0, 0],
      std: [1, 1, 1],
      fit: 'letterbox',
      align: 'center',
      pad: 114,
    },
    thresholds: { score: 0.25, iou: 0.45, maxDetections: 300 },
  };
}

describe.each(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])('%s', (layout) => {
  test('reads random answers as the plain reading does', () => {
    let compared = 0;
    assertProperty(
      30,
      fc.integer(),
      fc.integer({ min: 1, max: 5 }),
      fc.constantFrom(0, 0.1, 0.25, 0.7),
      fc.constantFrom(0, 0.2, 0.45, 0.9, 1),
      fc.constantFrom(1, 5, 1000),
      (seed, classes, score, overlap, max) => {
        const made = ANSWERS[layout](seeded(seed), classes);
        const filters = { score, iou: overlap, max };
        const context = { inputs: [], image: IMAGE, placement: PLACEMENT };
        const spec = specFor(layout, classes);
        const { detections = [] } = decodeOutputs(spec, made.outputs, { ...context, filters });
        expectSame(detections, reference(made, filters));
        const wanted = [0, 'name 2', 4].slice(0, classes);
        const some = decodeOutputs(
          spec,
          made.outputs,
          classes < 3
            ? { ...context, filters: { ...filters, classes: [0] } }
            : { ...context, filters: { ...filters, classes: wanted } },
        );
        expectSame(some.detections ?? [], reference(made, filters, new Set(classes < 3 ? [0] : [0, 2, 4])));
        compared += detections.length;
      },
    );
    expect(compared).toBeGreaterThan(draws(100));
  });
});

function expectSame(detections: readonly Detection[], expected: readonly Found[]): void {
  expect(detections.map(({ class_id, score, label }) => [class_id, score, label])).toEqual(
    expected.map(({ classId, score }) => [classId, score, `name ${classId}`]),
  );
  detections.forEach(({ box }, at) => {
    box.forEach((value, side) => expect(value).toBeCloseTo(expected[at]?.corners[side] ?? NaN, 3));
  });
}
