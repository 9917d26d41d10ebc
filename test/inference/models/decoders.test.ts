import type { Detection } from '../../../inference/common/results.ts';
import { constantModel, halfBits, onnxModel } from '../../support/onnx.ts';
import { answer, scratchFolder } from './harness.ts';

/**
 * Runs every layout once through the real runtime, with numbers that can be worked out on paper: an image of 320 x 480
 * is stretched to the model's 640 x 640 (x halves, y takes three quarters) unless the test says otherwise.
 */
const folder = scratchFolder();
const image = { width: 320, height: 480 };

/** `rows` predictions of `columns` numbers with some of them filled in. */
function matrix(
  rows: number,
  columns: number,
  filled: Readonly<Record<number, readonly number[]>>,
): Float32Array {
  const data = new Float32Array(rows * columns);
  for (const [row, values] of Object.entries(filled)) data.set(values, Number(row) * columns);
  return data;
}

function transposed(data: Float32Array, rows: number, columns: number): Float32Array {
  return data.map((_, at) => data[(at % rows) * columns + Math.floor(at / rows)] ?? 0);
}

/** Rounds scores to five digits, since they are 32-bit numbers. */
function rounded(detections: readonly Detection[] | undefined): unknown[] {
  return (detections ?? []).map(({ box, label, class_id, score }) => [
    box.map((value) => Number(value.toFixed(3))),
    label,
    class_id,
    Number(score.toFixed(5)),
  ]);
}

const NAMES = { names: "{0: 'cat', 1: \"dog's\"}" };

test('yolov5: the score is object times class; a worse box of the same class goes, of another stays', async () => {
  const data = matrix(25_200, 7, {
    0: [100, 200, 40, 80, 0.9, 0.1, 0.8],
    1: [102, 200, 40, 80, 0.9, 0.1, 0.7],
    2: [102, 200, 40, 80, 0.9, 0.6, 0.5],
    25_199: [600, 600, 100, 100, 0.5, 0.4, 0.3],
  });
  const model = constantModel({ outputs: { output0: { shape: [1, 25_200, 7], data } }, metadata: NAMES });
  const { spec, decoded } = await answer(folder, model, { image });
  expect(spec).toMatchObject({ task: 'detect', layout: 'yolov5', labels: ['cat', "dog's"] });
  expect(rounded(decoded.detections)).toEqual([
    [[40, 120, 60, 180], "dog's", 1, 0.72],
    [[41, 120, 61, 180], 'cat', 0, 0.54],
  ]);
  const low = await answer(folder, model, { image, filters: { score: 0.2, iou: 1 } });
  expect(rounded(low.decoded.detections)).toEqual([
    [[40, 120, 60, 180], "dog's", 1, 0.72],
    [[41, 120, 61, 180], "dog's", 1, 0.63],
    [[41, 120, 61, 180], 'cat', 0, 0.54],
    [[275, 412.5, 320, 480], 'cat', 0, 0.2],
  ]);
});

test.each(['FP32', 'FP16'] as const)('yolov8: channels first, no object score, in %s', async (datatype) => {
  const rows = matrix(8400, 6, {
    7: [100, 200, 40, 80, 0.25, 0.75],
    8399: [10, 10, 40, 40, 0.5, 0.125],
  });
  const data = [...transposed(rows, 8400, 6)].map((value) => (datatype === 'FP16' ? halfBits(value) : value));
  const model = constantModel({ outputs: { output0: { datatype, shape: [1, 6, 8400], data } } });
  const { spec, decoded } = await answer(folder, model, { image });
  expect(spec).toMatchObject({ task: 'detect', layout: 'yolov8', labels: null });
  expect(rounded(decoded.detections)).toEqual([
    [[40, 120, 60, 180], 'class-1', 1, 0.75],
    [[0, 0, 15, 22.5], 'class-0', 0, 0.5],
  ]);
});

test('yolov8 with its axes swapped, told by the number of names', async () => {
  const data = matrix(8400, 6, { 7: [100, 200, 40, 80, 0.25, 0.75] });
  const model = constantModel({ outputs: { output0: { shape: [1, 8400, 6], data } }, metadata: NAMES });
  const { decoded } = await answer(folder, model, { image, sidecar: { layout: 'yolov8' } });
  expect(rounded(decoded.detections)).toEqual([[[40, 120, 60, 180], "dog's", 1, 0.75]]);
});

test('yolov8 in a letterbox: the border is taken away, the ratio too', async () => {
  const rows = matrix(8400, 6, { 7: [320, 320, 64, 32, 0.25, 0.75], 9: [40, 320, 60, 32, 0.9, 0.1] });
  const model = constantModel({
    outputs: { output0: { shape: [1, 6, 8400], data: transposed(rows, 8400, 6) } },
  });
  // 320 x 480 becomes 427 x 640, with 106 columns free at the left.
  const placement = { scaleX: 427 / 320, scaleY: 640 / 480, offsetX: 106, offsetY: 0 };
  const { decoded } = await answer(folder, model, { image, placement, sidecar: { fit: 'letterbox' } });
  // The second box lies in the border alone.
  expect(rounded(decoded.detections)).toEqual([
    [
      [Number(((182 * 320) / 427).toFixed(3)), 228, Number(((246 * 320) / 427).toFixed(3)), 252],
      'class-1',
      1,
      0.75,
    ],
  ]);
});

test('yolov10: rows of corners, score and class, taken as they are', async () => {
  const data = matrix(300, 6, {
    0: [80, 160, 120, 240, 0.75, 1],
    1: [81, 160, 121, 240, 0.875, 1],
    2: [0, 0, 64, 64, 0.25, 0],
    3: [0, 0, 64, 64, 0.125, 0],
  });
  const model = constantModel({ outputs: { output0: { shape: [1, 300, 6], data } } });
  const { spec, decoded } = await answer(folder, model, { image });
  expect(spec.layout).toBe('yolov10');
  expect(rounded(decoded.detections)).toEqual([
    [[40.5, 120, 60.5, 180], 'class-1', 1, 0.875],
    [[40, 120, 60, 180], 'class-1', 1, 0.75],
    [[0, 0, 32, 48], 'class-0', 0, 0.25],
  ]);
});

test('yolox-raw: offsets in cells and logarithms of sizes, over three grids; yolox: pixels', async () => {
  const sized = [Math.log(4), Math.log(8)];
  const data = matrix(8400, 7, {
    // Cell (x 3, y 2) of stride 8; cell (1, 0) of stride 16; the last cell, (19, 19) of stride 32.
    [2 * 80 + 3]: [0.5, 0.25, ...sized, 0.8, 0.9, 0.1],
    6401: [0, 0, ...sized, 0.8, 0.1, 0.8],
    8399: [0.5, 0.5, 0, 0, 1, 0.5, 0.4],
  });
  const model = constantModel({ outputs: { output: { shape: [1, 8400, 7], data } } });
  const raw = await answer(folder, model, { sidecar: { layout: 'yolox-raw' } });
  expect(rounded(raw.decoded.detections)).toEqual([
    [[12, 0, 44, 50], 'class-0', 0, 0.72],
    [[0, 0, 48, 64], 'class-1', 1, 0.64],
    [[608, 608, 640, 640], 'class-0', 0, 0.5],
  ]);
  const pixels = matrix(8400, 7, { 5: [100, 200, 40, 80, 0.8, 0.9, 0.1] });
  const decodedModel = constantModel({ outputs: { output: { shape: [1, 8400, 7], data: pixels } } });
  const decoded = await answer(folder, decodedModel, { image, sidecar: { layout: 'yolox' } });
  expect(rounded(decoded.decoded.detections)).toEqual([[[40, 120, 60, 180], 'class-0', 0, 0.72]]);
});

/** Multiplies fractions by the sizes it is given, as RT-DETR's own post-processing does. */
const RTDETR = onnxModel({
  inputs: [
    { name: 'images', shape: ['N', 3, 640, 640] },
    { name: 'orig_target_sizes', datatype: 'INT64', shape: ['N', 2] },
  ],
  outputs: [
    { name: 'labels', datatype: 'INT64', shape: ['N', 3] },
    { name: 'boxes', shape: ['N', 3, 4] },
    { name: 'scores', shape: ['N', 3] },
  ],
  initializers: [
    { name: 'fractions', shape: [1, 3, 4], data: [0.25, 0.5, 0.5, 0.75, 0, 0, 0.125, 0.125, 0, 0, 1, 1] },
    { name: 'twice', datatype: 'INT64', shape: [2], data: [1, 2] },
    { name: 'wide', datatype: 'INT64', shape: [3], data: [1, 1, 4] },
    { name: 'l', datatype: 'INT64', shape: [1, 3], data: [1, 0, 1] },
    { name: 's', shape: [1, 3], data: [0.5, 0.75, 0.125] },
  ],
  nodes: [
    { op: 'Cast', inputs: ['orig_target_sizes'], outputs: ['sizes'], attributes: { to: { int: 1 } } },
    { op: 'Tile', inputs: ['sizes', 'twice'], outputs: ['both'] },
    { op: 'Reshape', inputs: ['both', 'wide'], outputs: ['scale'] },
    { op: 'Mul', inputs: ['fractions', 'scale'], outputs: ['boxes'] },
    { op: 'Identity', inputs: ['l'], outputs: ['labels'] },
    { op: 'Identity', inputs: ['s'], outputs: ['scores'] },
  ],
});

test('rtdetr: asks for boxes in source pixels, width first', async () => {
  const { spec, decoded, outputs } = await answer(folder, RTDETR, { image });
  expect(spec.layout).toBe('rtdetr');
  expect(rounded(decoded.detections)).toEqual([
    [[0, 0, 40, 60], 'class-0', 0, 0.75],
    [[80, 240, 160, 360], 'class-1', 1, 0.5],
  ]);
  const boxes = outputs.find(({ name }) => name === 'boxes')!;
  expect([...boxes.data].slice(0, 4)).toEqual([80, 240, 160, 360]);
});

test('rtdetr in a letterbox: asks for boxes in input pixels and maps them', async () => {
  const placement = { scaleX: 2, scaleY: 1, offsetX: 0, offsetY: 80 };
  const { decoded } = await answer(folder, RTDETR, { image, placement, sidecar: { fit: 'letterbox' } });
  expect(rounded(decoded.detections)).toEqual([[[80, 240, 160, 400], 'class-1', 1, 0.5]]);
});

test('rfdetr: sigmoids of every pair of query and class, of which the best count', async () => {
  const model = constantModel({
    outputs: {
      dets: { shape: [1, 2, 4], data: [0.5, 0.5, 0.25, 0.5, 0.125, 0.125, 0.25, 0.25] },
      labels: { shape: [1, 2, 3], data: [Math.log(3), 0, -9, -9, -Math.log(1.5), -9] },
    },
  });
  const { spec, decoded } = await answer(folder, model, { image });
  expect(spec.layout).toBe('rfdetr');
  // Three pairs are above the threshold, but there are two queries.
  expect(rounded(decoded.detections)).toEqual([
    [[120, 120, 200, 360], 'class-0', 0, 0.75],
    [[120, 120, 200, 360], 'class-1', 1, 0.5],
  ]);
});

test('detr: softmax over all classes, the last of which is none', async () => {
  const model = constantModel({
    outputs: {
      logits: { shape: [1, 3, 3], data: [0, Math.log(6), Math.log(3), 0, 0, 9, Math.log(4), 0, 0] },
      pred_boxes: {
        shape: [1, 3, 4],
        data: [0.5, 0.5, 0.25, 0.5, 0.5, 0.5, 0.25, 0.5, 0.125, 0.125, 0.25, 0.25],
      },
    },
  });
  const { spec, decoded } = await answer(folder, model, { image });
  expect(spec.layout).toBe('detr');
  expect(rounded(decoded.detections)).toEqual([
    [[0, 0, 80, 120], 'class-0', 0, 0.66667],
    [[120, 120, 200, 360], 'class-1', 1, 0.6],
  ]);
});

test('nanodet: the means of four distributions, in strides, from the corner of the cell', async () => {
  const certain = (bin: number): number[] => Array.from({ length: 8 }, (_, at) => (at === bin ? 50 : 0));
  const even = Array.from({ length: 8 }, () => 1);
  const data = matrix(8500, 34, {
    // Cell (10, 5) of stride 8 and the first of stride 64, which comes after 6400 + 1600 + 400 others.
    [5 * 80 + 10]: [0.25, 0.75, ...certain(1), ...certain(2), ...certain(3), ...certain(4)],
    8400: [0.5, 0.25, ...certain(0), ...certain(0), ...even, ...certain(1)],
  });
  const model = constantModel({ outputs: { output: { shape: [1, 8500, 34], data } } });
  const { spec, decoded } = await answer(folder, model);
  expect(spec.layout).toBe('nanodet');
  expect(rounded(decoded.detections)).toEqual([
    [[72, 24, 104, 72], 'class-1', 1, 0.75],
    [[0, 0, 224, 64], 'class-0', 0, 0.5],
  ]);
});

/** A graph that ends in ONNX's own NonMaxSuppression, with boxes as `format` says. */
function inGraphNms(centred: boolean): Uint8Array {
  const boxes = centred
    ? [100, 200, 40, 80, 102, 200, 40, 80, 500, 500, 20, 20]
    : [160, 80, 240, 120, 160, 82, 240, 122, 510, 490, 490, 510];
  return onnxModel({
    inputs: [{ name: 'images', shape: [1, 3, 640, 640] }],
    outputs: [
      { name: 'selected_indices', datatype: 'INT64', shape: ['n', 3] },
      { name: 'boxes', shape: [1, 3, 4] },
      { name: 'scores', shape: [1, 2, 3] },
    ],
    initializers: [
      { name: 'b', shape: [1, 3, 4], data: boxes },
      { name: 's', shape: [1, 2, 3], data: [0.1, 0.2, 0.5, 0.75, 0.7, 0.3] },
      { name: 'most', datatype: 'INT64', shape: [1], data: [10] },
      { name: 'iou', shape: [1], data: [0.5] },
      { name: 'least', shape: [1], data: [0.25] },
    ],
    nodes: [
      { op: 'Identity', inputs: ['b'], outputs: ['boxes'] },
      { op: 'Identity', inputs: ['s'], outputs: ['scores'] },
      {
        op: 'NonMaxSuppression',
        inputs: ['boxes', 'scores', 'most', 'iou', 'least'],
        outputs: ['selected_indices'],
        attributes: { center_point_box: { int: centred ? 1 : 0 } },
      },
    ],
  });
}

test.each([false, true])(
  'nms: the graph has chosen; boxes as its operator takes them (centres: %s)',
  async (centred) => {
    const { spec, decoded } = await answer(folder, inGraphNms(centred), { image });
    expect(spec.layout).toBe('nms');
    expect(rounded(decoded.detections)).toEqual([
      [[40, 120, 60, 180], 'class-1', 1, 0.75],
      [[245, 367.5, 255, 382.5], 'class-0', 0, 0.5],
      [[245, 367.5, 255, 382.5], 'class-1', 1, 0.3],
    ]);
  },
);

test('nms: a count with boxes, scores and classes; dets with labels', async () => {
  const counted = constantModel({
    outputs: {
      num_dets: { datatype: 'INT32', shape: [1, 1], data: [2] },
      det_boxes: { shape: [1, 3, 4], data: [80, 160, 120, 240, 0, 0, 64, 64, 0, 0, 640, 640] },
      det_scores: { shape: [1, 3], data: [0.75, 0.5, 0.9] },
      det_classes: { datatype: 'INT32', shape: [1, 3], data: [1, 0, 1] },
    },
  });
  const expected = [
    [[40, 120, 60, 180], 'class-1', 1, 0.75],
    [[0, 0, 32, 48], 'class-0', 0, 0.5],
  ];
  const first = await answer(folder, counted, { image });
  expect(first.spec.layout).toBe('nms');
  expect(rounded(first.decoded.detections)).toEqual(expected);
  const dets = constantModel({
    outputs: {
      dets: { shape: [1, 3, 5], data: [0, 0, 64, 64, 0.5, 80, 160, 120, 240, 0.75, 0, 0, 9, 9, 0.1] },
      labels: { datatype: 'INT64', shape: [1, 3], data: [0, 1, 1] },
    },
  });
  const second = await answer(folder, dets, { image });
  expect(second.spec.layout).toBe('nms');
  expect(rounded(second.decoded.detections)).toEqual(expected);
});

test('classify: softmax of logits, probabilities as they are, the best five', async () => {
  const logits = constantModel({
    outputs: { logits: { shape: [1, 7], data: [0, Math.log(2), Math.log(4), 0, 0, 0, 0] } },
    metadata: { names: '["a","b","c","d","e","f","g"]' },
  });
  const first = await answer(folder, logits);
  expect(first.spec).toMatchObject({ task: 'classify', layout: null });
  expect(
    first.decoded.classes?.map(({ label, class_id, score }) => [label, class_id, Number(score.toFixed(5))]),
  ).toEqual([
    ['c', 2, 0.36364],
    ['b', 1, 0.18182],
    ['a', 0, 0.09091],
    ['d', 3, 0.09091],
    ['e', 4, 0.09091],
  ]);
  const probabilities = constantModel({ outputs: { prob: { shape: [1, 3], data: [0.25, 0.625, 0.125] } } });
  const second = await answer(folder, probabilities, { filters: { max: 1 } });
  expect(second.decoded.classes).toEqual([{ label: 'class-1', class_id: 1, score: 0.625 }]);
});

test('classify: scores out of a Sigmoid are no logits', async () => {
  const model = onnxModel({
    inputs: [{ name: 'images', shape: [1, 3, 224, 224] }],
    outputs: [{ name: 'scores', shape: [1, 2] }],
    initializers: [{ name: 'logits', shape: [1, 2], data: [Math.log(3), 0] }],
    nodes: [{ op: 'Sigmoid', inputs: ['logits'], outputs: ['scores'] }],
  });
  const { decoded } = await answer(folder, model);
  expect(decoded.classes?.map(({ score }) => Number(score.toFixed(5)))).toEqual([0.75, 0.5]);
});

test('db: a region of text, in source pixels, without its words', async () => {
  const map = new Float32Array(160 * 160);
  // A bar of 40 x 10 in a map a quarter of the input's size.
  for (let y = 50; y < 60; y += 1) map.fill(0.9, y * 160 + 40, y * 160 + 80);
  const model = constantModel({
    outputs: { 'sigmoid_0.tmp_0': { shape: [1, 1, 160, 160], data: map } },
  });
  const { spec, decoded } = await answer(folder, model, { image });
  expect(spec).toMatchObject({ task: 'ocr-detect', layout: 'db' });
  expect(decoded.detections).toHaveLength(1);
  const [found] = decoded.detections ?? [];
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = found?.box ?? [];
  // 39 x 9 from pixel to pixel, moved out by area * 1.5 / perimeter = 5.48 on each side; times 4, then the image's
  // ratio.
  const margin = (39 * 9 * 1.5) / (2 * (39 + 9));
  expect([x1, y1, x2, y2].map((value) => Number(value.toFixed(2)))).toEqual(
    [(40 - margin) * 2, (50 - margin) * 3, (79 + margin) * 2, (59 + margin) * 3].map((value) =>
      Number(value.toFixed(2)),
    ),
  );
  expect(found).toMatchObject({ label: 'text', class_id: 0 });
  expect(found?.score).toBeCloseTo(0.9, 5);
  expect(decoded.lines).toEqual([
    {
      text: '',
      score: found?.score,
      box: found?.box,
      polygon: [
        [x1, y1],
        [x2, y1],
        [x2, y2],
        [x1, y2],
      ],
    },
  ]);
  const none = await answer(folder, model, { image, filters: { classes: [1] } });
  expect(none.decoded).toEqual({ detections: [], lines: [] });
});

test('ctc: one line, the blank dropped, repeats taken once, the space last', async () => {
  // Blank, then "a", "b", then the space.
  const steps = [1, 1, 0, 1, 3, 2, 2, 0].map((best) => [0, 1, 2, 3].map((at) => (at === best ? 0.7 : 0.1)));
  const model = constantModel({
    inputs: [{ name: 'x', shape: [1, 3, 48, 'w'] }],
    outputs: { probabilities: { shape: [1, 8, 4], data: steps.flat() } },
  });
  const { spec, decoded } = await answer(folder, model, { image, sidecar: { labels: ['a', 'b'] } });
  expect(spec).toMatchObject({ task: 'ocr-recognize', layout: 'ctc', image: { width: 640, height: 48 } });
  const [line] = decoded.lines ?? [];
  expect(decoded).toEqual({ lines: [line] });
  expect(line).toMatchObject({ text: 'aa b', box: [0, 0, 320, 480] });
  expect(line?.polygon).toEqual([
    [0, 0],
    [320, 0],
    [320, 480],
    [0, 480],
  ]);
  expect(line?.score).toBeCloseTo(0.7, 5);
});

test('a model of unknown answers is for its tensors', async () => {
  const model = constantModel({
    outputs: { features: { shape: [1, 5, 7, 3], data: new Float32Array(105) } },
  });
  const { spec, decoded } = await answer(folder, model);
  expect(spec).toMatchObject({ task: 'tensor', layout: null });
  expect(decoded).toEqual({});
});
