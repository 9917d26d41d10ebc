import { InferenceError } from '../../../inference/common/errors.ts';
import { decodeOutputs } from '../../../inference/models/decoders/decode-outputs.ts';
import { extraInputs } from '../../../inference/models/extra-inputs.ts';
import type { Layout, ModelSpec } from '../../../inference/models/model-spec.ts';
import { resolveSpec } from '../../../inference/models/resolve-spec.ts';
import { LAYOUTS } from '../../../inference/models/model-spec.ts';
import type { Filters } from '../../../inference/common/results.ts';
import type { Tensor } from '../../../inference/common/tensor.ts';
import { factsOf, output, stretched, tensor } from './harness.ts';

const INPUT = { width: 64, height: 32 };
const IMAGE = { width: 128, height: 32 };

function specFor(layout: Layout | null, labels: readonly string[] | null = null): ModelSpec {
  const { image } = resolveSpec(
    factsOf({
      inputs: [output('images', [1, 3, INPUT.height, INPUT.width])],
      outputs: [output('x', [1, 5, 7, 3])],
    }),
  );
  return {
    task: layout === null ? 'classify' : 'detect',
    layout,
    labels,
    image,
    thresholds: { score: 0.25, iou: 0.45, maxDetections: 300 },
  };
}

function decode(spec: ModelSpec, outputs: readonly Tensor[], filters: Filters = {}) {
  return decodeOutputs(spec, outputs, {
    inputs: [],
    image: IMAGE,
    placement: stretched(IMAGE, INPUT),
    filters,
  });
}

/** Answers without a single prediction, as models with sizes that vary give them. */
const EMPTY: Readonly<Record<Exclude<Layout, 'yolox-raw' | 'nanodet'>, readonly Tensor[]>> = {
  yolov5: [tensor('o', [1, 0, 7], [])],
  yolov8: [tensor('o', [1, 6, 0], [])],
  yolov10: [tensor('o', [1, 0, 6], [])],
  yolox: [tensor('o', [1, 0, 7], [])],
  rtdetr: [
    tensor('labels', [1, 0], [], 'INT64'),
    tensor('boxes', [1, 0, 4], []),
    tensor('scores', [1, 0], []),
  ],
  rfdetr: [tensor('dets', [1, 0, 4], []), tensor('labels', [1, 0, 3], [])],
  detr: [tensor('logits', [1, 0, 3], []), tensor('pred_boxes', [1, 0, 4], [])],
  nms: [
    tensor('i', [0, 3], [], 'INT64'),
    tensor('boxes', [1, 2, 4], Array(8).fill(1)),
    tensor('s', [1, 1, 2], [1, 1]),
  ],
  db: [tensor('o', [1, 1, 0, 0], [])],
  ctc: [tensor('o', [1, 0, 4], [])],
};

test.each(Object.keys(EMPTY) as (keyof typeof EMPTY)[])('%s: nothing found is an empty list', (layout) => {
  const { detections = [], lines = [] } = decode(specFor(layout, ['a', 'b']), EMPTY[layout]);
  expect([detections, lines]).toEqual([[], []]);
});

test('no images at all are no predictions', () => {
  expect(decode(specFor('yolov10'), [tensor('o', [0, 300, 6], [])])).toEqual({ detections: [] });
});

test.each(LAYOUTS)('%s: an answer of another shape is told, not misread', (layout) => {
  const wrong: readonly (readonly Tensor[])[] = [
    [],
    [tensor('o', [1, 2], [1, 2])],
    [tensor('o', [1, 3, 3, 3, 1], Array(27).fill(1))],
    [tensor('o', [], [1])],
    [{ name: 'o', datatype: 'BYTES', shape: [1, 1, 6], data: ['a', 'b', 'c', 'd', 'e', 'f'] }],
  ];
  for (const outputs of wrong) {
    const error = errorOf(() => decode(specFor(layout, ['a', 'b']), outputs));
    expect(error).toBeInstanceOf(InferenceError);
    expect(error).toMatchObject({ code: 'inference_failed' });
    expect((error as Error).message).toMatch(/layout needs|holds texts/);
  }
});

test('grids must fit the input', () => {
  const raw = errorOf(() => decode(specFor('yolox-raw'), [tensor('o', [1, 3, 7], Array(21).fill(1))]));
  expect((raw as Error).message).toMatch(/needs \[1, 42, 5 \+ classes\]; it answered "o" FP32 \[1, 3, 7\]/);
  const nanodet = errorOf(() =>
    decode(specFor('nanodet'), [tensor('o', [1, 42, 34], Array(42 * 34).fill(1))]),
  );
  expect((nanodet as Error).message).toMatch(/needs \[1, 43, classes \+ 32\]/);
});

const TWO = [tensor('o', [1, 3, 6], [0, 0, 16, 16, 0.9, 0, 16, 0, 32, 16, 0.8, 1, 32, 0, 48, 16, 0.7, 2])];

test('classes are wanted by index or by name, and names that are not there are told', () => {
  const spec = specFor('yolov10', ['cat', '7', 'cat']);
  const found = (classes: readonly (number | string)[], of = spec): unknown =>
    decode(of, TWO, { classes }).detections?.map(({ class_id, label }) => `${class_id} ${label}`);
  expect(found([0])).toEqual(['0 cat']);
  expect(found(['cat'])).toEqual(['0 cat', '2 cat']);
  // A name has precedence over an index.
  expect(found(['7'])).toEqual(['1 7']);
  expect(found(['2'])).toEqual(['2 cat']);
  expect(found(['class-1', 2])).toEqual(['1 7', '2 cat']);
  expect(found([99])).toEqual([]);
  expect(found([])).toEqual([]);
  expect(found(['class-2'], specFor('yolov10'))).toEqual(['2 class-2']);
  const error = errorOf(() => found(['dog']));
  expect(error).toMatchObject({ code: 'image_unsuitable', field: 'classes', status: 422 });
  expect((error as Error).message).toBe(
    'the model has no class "dog"; expected an index from 0 or one of cat, 7, cat',
  );
  expect((errorOf(() => found([-1])) as Error).message).toMatch(/no class "-1"/);
  expect((errorOf(() => found(['dog'], specFor('yolov10'))) as Error).message).toMatch(/or class-N/);
});

test('a score written in decimals takes the 32-bit score it means', () => {
  expect(decode(specFor('yolov10'), TWO, { score: 0.7 }).detections).toHaveLength(3);
  expect(decode(specFor('yolov10'), TWO, { score: 0.70001 }).detections).toHaveLength(2);
  expect(decode(specFor('yolov10'), TWO, { max: 1 }).detections?.map(({ class_id }) => class_id)).toEqual([
    0,
  ]);
});

test('classes without a name are called by their number', () => {
  const labels = decode(specFor('yolov10', ['cat']), TWO).detections?.map(({ label }) => label);
  expect(labels).toEqual(['cat', 'class-1', 'class-2']);
});

test('one class: every layout that has a row of scores', () => {
  const box = [16, 8, 16, 8];
  const expected = { detections: [{ box: [16, 4, 48, 12], label: 'it', class_id: 0, score: 0.5 }] };
  expect(decode(specFor('yolov5', ['it']), [tensor('o', [1, 1, 6], [...box, 0.5, 1])])).toEqual(expected);
  expect(decode(specFor('yolov8', ['it']), [tensor('o', [1, 5, 1], [...box, 0.5])])).toEqual(expected);
  const rfdetr = [tensor('dets', [1, 1, 4], [0.25, 0.25, 0.25, 0.25]), tensor('labels', [1, 1, 1], [0])];
  expect(decode(specFor('rfdetr', ['it']), rfdetr)).toEqual(expected);
});

test('of equal classes the first one counts', () => {
  const box = [16, 8, 16, 8];
  const classes = (layout: Layout, fields: readonly number[], shape: readonly number[]): unknown =>
    decode(specFor(layout), [tensor('o', shape, [...box, ...fields])]).detections?.map(
      ({ class_id }) => class_id,
    );
  expect(classes('yolov5', [1, 0.25, 0.5, 0.5], [1, 1, 8])).toEqual([1]);
  expect(classes('yolov8', [0.25, 0.5, 0.5], [1, 7, 1])).toEqual([1]);
});

test('more classes than rows do not turn yolov8 round', () => {
  const fields = [16, 8, 16, 8, ...Array<number>(79).fill(0), 0.5];
  expect(decode(specFor('yolov8'), [tensor('o', [1, 84, 1], fields)]).detections).toEqual([
    { box: [16, 4, 48, 12], label: 'class-79', class_id: 79, score: 0.5 },
  ]);
});

test('of several images the first is read', () => {
  const both = tensor('o', [2, 1, 6], [0, 0, 16, 16, 0.5, 0, 0, 0, 16, 16, 0.9, 1]);
  expect(decode(specFor('yolov10'), [both]).detections?.map(({ class_id }) => class_id)).toEqual([0]);
  const scores = tensor('o', [2, 2], [0.75, 0.25, 0.25, 0.75]);
  expect(decode(specFor(null), [scores]).classes?.[0]).toMatchObject({ class_id: 0, score: 0.75 });
});

test('scores that are not finite are no classes', () => {
  const logits = tensor('o', [1, 3], [1, NaN, 3]);
  expect(decode(specFor(null), [logits]).classes).toEqual([]);
  const spec = { ...specFor(null), hints: { probabilities: true } };
  expect(
    decode(spec, [tensor('o', [1, 3], [0.5, NaN, Infinity])]).classes?.map(({ class_id }) => class_id),
  ).toEqual([0]);
});

test('logits may be as large as they like', () => {
  const logits = tensor('o', [1, 2], [1000, 1000 + Math.log(3)]);
  const scores = decode(specFor(null), [logits], { score: 0 }).classes?.map(({ score }) =>
    Number(score.toFixed(3)),
  );
  expect(scores).toEqual([0.75, 0.25]);
});

test('ctc: logits are made probabilities; a list of characters may hold the blank, and the space may be missing', () => {
  const line = (labels: readonly string[], columns: number, best: readonly number[]): unknown => {
    const logits = best.map((at) => Array.from({ length: columns }, (_, column) => (column === at ? 20 : 0)));
    const output = tensor('o', [1, best.length, columns], logits.flat());
    const { lines } = decode({ ...specFor('ctc', labels), task: 'ocr-recognize' }, [output]);
    return lines?.map(({ text, score }) => [text, Number(score.toFixed(4))]);
  };
  expect(line(['a', 'b'], 4, [1, 0, 3, 2])).toEqual([['a b', 1]]);
  expect(line(['a', 'b'], 3, [1, 0, 2])).toEqual([['ab', 1]]);
  expect(line(['blank', 'a', 'b'], 3, [1, 0, 2])).toEqual([['ab', 1]]);
  expect(line(['a', 'b'], 4, [0, 0])).toEqual([]);
});

test('in-graph NMS: filling and indices out of range are passed over', () => {
  const outputs = [
    tensor('selected', [5, 3], [0, 0, 1, -1, -1, -1, 0, 1, 0, 0, 0, 2, 1, 0, 0], 'INT64'),
    tensor('boxes', [1, 2, 4], [0, 0, 16, 16, 16, 16, 32, 32]),
    tensor('scores', [1, 1, 2], [0.5, 0.75]),
  ];
  expect(decode(specFor('nms'), outputs).detections).toEqual([
    { box: [32, 16, 64, 32], label: 'class-0', class_id: 0, score: 0.75 },
  ]);
});

test('rtdetr without a size to ask for answers in input pixels', () => {
  const outputs = [
    tensor('labels', [1, 1], [0], 'INT64'),
    tensor('boxes', [1, 1, 4], [16, 8, 32, 16]),
    tensor('scores', [1, 1], [0.5]),
  ];
  const context = {
    inputs: [output('images', [1, 3, 32, 64])],
    image: IMAGE,
    placement: stretched(IMAGE, INPUT),
  };
  expect(decodeOutputs(specFor('rtdetr'), outputs, context).detections?.[0]?.box).toEqual([32, 8, 64, 16]);
  expect(extraInputs(specFor('rtdetr'), context)).toEqual([]);
});

function errorOf(action: () => unknown): unknown {
  try {
    return action();
  } catch (error) {
    return error;
  }
}
