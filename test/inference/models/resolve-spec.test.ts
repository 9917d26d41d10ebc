import { builtinSidecars } from '../../../inference/registry/builtin-models.ts';
import { resolveSpec } from '../../../inference/models/resolve-spec.ts';
import type { Sidecar } from '../../../inference/models/sidecar.ts';
import type { TensorInfo } from '../../../inference/common/tensor.ts';
import { factsOf, output } from './harness.ts';

const DETECTOR = [output('output0', [1, 6, 8400])];
const FEATURES = [output('features', [1, 5, 7, 3])];

function withInput(input: TensorInfo, sidecar: Sidecar = {}, metadata: Record<string, string> = {}) {
  return resolveSpec(factsOf({ inputs: [input], outputs: FEATURES, metadata }), sidecar);
}

test('without a sidecar: plain BGR pixels, stretched, as the contract has it', () => {
  expect(resolveSpec(factsOf({ outputs: DETECTOR }))).toEqual({
    task: 'detect',
    layout: 'yolov8',
    labels: null,
    image: {
      width: 640,
      height: 640,
      channels: 3,
      datatype: 'FP32',
      read: 'color',
      color: 'bgr',
      scale: [1, 1, 1],
      mean: [0, 0, 0],
      std: [1, 1, 1],
      fit: 'stretch',
      align: 'center',
      pad: 114,
    },
    thresholds: { score: 0.25, iou: 0.45, maxDetections: 300 },
  });
});

test('a sidecar overrides everything that the file leaves open', () => {
  const sidecar: Sidecar = {
    task: 'detect',
    layout: 'yolov8',
    labels: ['mouse', 'key'],
    color: 'rgb',
    scale: 1 / 255,
    mean: [0.1, 0.2, 0.3],
    std: 2,
    fit: 'letterbox',
    align: 'top-left',
    pad: 0,
    score_threshold: 0.5,
    iou_threshold: 0.6,
    max_detections: 7,
  };
  expect(resolveSpec(factsOf({ outputs: DETECTOR, metadata: { names: "{0: 'a'}" } }), sidecar)).toMatchObject(
    {
      labels: ['mouse', 'key'],
      image: {
        color: 'rgb',
        scale: [1 / 255, 1 / 255, 1 / 255],
        mean: [0.1, 0.2, 0.3],
        std: [2, 2, 2],
        fit: 'letterbox',
        align: 'top-left',
        pad: 0,
      },
      thresholds: { score: 0.5, iou: 0.6, maxDetections: 7 },
    },
  );
});

test('the size: fixed by the file, else the sidecar, else imgsz, else 640 x 640', () => {
  const open = output('x', [-1, 3, -1, -1]);
  const sizeOf = (...args: Parameters<typeof withInput>): unknown => {
    const { image } = withInput(...args);
    return image && [image.width, image.height];
  };
  expect(sizeOf(output('x', [1, 3, 480, 800]))).toEqual([800, 480]);
  expect(sizeOf(open)).toEqual([640, 640]);
  expect(sizeOf(open, {}, { imgsz: '[384, 672]' })).toEqual([672, 384]);
  expect(sizeOf(open, {}, { imgsz: '320' })).toEqual([320, 320]);
  expect(sizeOf(open, {}, { imgsz: '[0, -1]' })).toEqual([640, 640]);
  expect(sizeOf(open, { input: { width: 256, height: 128 } }, { imgsz: '[384, 672]' })).toEqual([256, 128]);
  expect(sizeOf(output('x', [1, 3, 48, -1]), { input: { width: 256, height: 48 } })).toEqual([256, 48]);
  expect(() => sizeOf(output('x', [1, 3, 480, 800]), { input: { width: 640, height: 480 } })).toThrow(
    'input.width: 640, but the model\'s input "x" is 800',
  );
});

test('element types and channels come from the file', () => {
  expect(withInput(output('x', [1, 3, 8, 8], 'FP16')).image?.datatype).toBe('FP16');
  expect(withInput(output('x', [1, 3, 8, 8], 'UINT8')).image?.datatype).toBe('UINT8');
  expect(withInput(output('x', [1, -1, -1, -1])).image?.channels).toBe(3);
  expect(
    withInput(output('x', [1, 4, 8, 8]), { read: 'unchanged', scale: [1, 2, 3, 4] }).image,
  ).toMatchObject({
    channels: 4,
    read: 'unchanged',
    scale: [1, 2, 3, 4],
  });
  expect(() => withInput(output('x', [1, 3, 8, 8]), { mean: [1, 2] })).toThrow(
    'mean: 2 numbers for a model of 3 channels',
  );
});

const NO_IMAGE: readonly (readonly [what: string, TensorInfo, RegExp])[] = [
  ['channels last', output('x', [1, 640, 640, 3]), /has its channels elsewhere/],
  ['channels last, sizes that vary', output('x', [-1, -1, -1, 3]), /has its channels elsewhere/],
  ['no channels', output('x', [1, 0, 8, 8]), /has its channels elsewhere/],
  ['a vector', output('x', [1, 768]), /is not \[1, channels, height, width\]/],
  ['an unknown shape', output('x', []), /is not \[1, channels/],
  ['whole numbers', output('ids', [1, 3, 8, 8], 'INT64'), /INT64.*takes other values/],
  ['several at once', output('x', [8, 3, 8, 8]), /takes 8 images at once/],
  ['grey', output('x', [1, 1, 8, 8]), /takes 1 channels.*"read": "unchanged"/],
  ['more than fits in memory', output('x', [1, 3, 16_000, 16_000]), /larger than an image may be/],
];

test.each(NO_IMAGE)('tensors alone: %s', (_, input, reason) => {
  const spec = withInput(input);
  expect(spec).toMatchObject({ task: 'tensor', layout: null, image: null });
  expect(spec.noImage).toMatch(reason);
  expect(() => withInput(input, { layout: 'yolov8' })).toThrow(/"yolov8" needs a model that takes images: /);
});

test('models whose first input is no image may have as many as they like', () => {
  const inputs = [output('a', [1, 16], 'INT32'), output('b', [1, 16], 'INT32')];
  expect(resolveSpec(factsOf({ inputs, outputs: [output('sum', [1, 16], 'INT32')] })).image).toBeNull();
});

test('an input beside the image is known or refused by its name', () => {
  const image = output('images', [1, 3, 640, 640]);
  const outputs = [
    output('labels', [1, 300], 'INT64'),
    output('boxes', [1, 300, 4]),
    output('scores', [1, 300]),
  ];
  const resolve = (second: TensorInfo): unknown =>
    resolveSpec(factsOf({ inputs: [image, second], outputs })).layout;
  for (const shape of [
    [1, 2],
    [-1, 2],
    [-1, -1],
  ]) {
    expect(resolve(output('orig_target_sizes', shape, 'INT64'))).toBe('rtdetr');
  }
  const refused =
    /nothing is known to fill (mask|orig_target_sizes) (FP32|INT64) \[.*\] with.*orig_target_sizes INT64 \[1, 2\]/;
  expect(() => resolve(output('mask', [1, 1, 640, 640]))).toThrow(refused);
  expect(() => resolve(output('orig_target_sizes', [1, 2]))).toThrow(refused);
  expect(() => resolve(output('orig_target_sizes', [1, 4], 'INT64'))).toThrow(refused);
  expect(() => resolve(output('orig_target_sizes', [2], 'INT64'))).toThrow(refused);
});

const NAMES: readonly (readonly [text: string, labels: readonly string[] | null])[] = [
  ["{0: 'person', 1: 'traffic light'}", ['person', 'traffic light']],
  ["{0: \"men's\", 1: 'a\\'b', 2: '\\u00e9\\x41\\n'}", ["men's", "a'b", 'éA\n']],
  ["{2: 'c', 0: 'a',}", ['a', 'class-1', 'c']],
  ["['a', 'b']", ['a', 'b']],
  ["('a',)", ['a']],
  ['["a", "b"]', ['a', 'b']],
  ['{"0": "a", "1": "b"}', ['a', 'b']],
  ['', null],
  ['{}', null],
  ['[]', null],
  ["{0: 'a'", null],
  ["{0: 'a'} x", null],
  ["{'a': 0}", null],
  ["{-1: 'a'}", null],
  ["{99999999999: 'a'}", null],
  ['[1, 2]', null],
  ['[[[[[[[[[[[[1]]]]]]]]]]]]', null],
  ["{0: __import__('os')}", null],
  ['True', null],
  ["{0: '\\ud", null],
  ["{0: '\\U99999999'}", null],
];

test.each(NAMES)('names %s', (text, labels) => {
  expect(resolveSpec(factsOf({ outputs: FEATURES, metadata: { names: text } })).labels).toEqual(labels);
});

test('the text models that are shipped get the pixels they were trained on', () => {
  const sidecars = builtinSidecars(['a', 'b']);
  const detect = resolveSpec(
    factsOf({
      inputs: [output('x', [-1, 3, -1, -1])],
      outputs: [output('sigmoid_0.tmp_0', [-1, 1, -1, -1])],
    }),
    sidecars['ocr-detect'],
  );
  expect(detect).toMatchObject({
    task: 'ocr-detect',
    image: { width: 640, height: 640, color: 'bgr', mean: [0.485, 0.456, 0.406], std: [0.229, 0.224, 0.225] },
  });
  const recognize = resolveSpec(
    factsOf({ inputs: [output('x', [-1, 3, 48, -1])], outputs: [output('softmax', [-1, -1, 4])] }),
    sidecars['ocr-recognize'],
  );
  expect(recognize).toMatchObject({ task: 'ocr-recognize', labels: ['a', 'b'], image: { height: 48 } });
});
