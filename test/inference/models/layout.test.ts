import { ModelRefusedError } from '../../../inference/common/errors.ts';
import { resolveSpec } from '../../../inference/models/resolve-spec.ts';
import type { Sidecar } from '../../../inference/models/sidecar.ts';
import { LAYOUTS } from '../../../inference/models/model-spec.ts';
import type { Datatype, TensorInfo } from '../../../inference/common/tensor.ts';
import { factsOf, output } from './harness.ts';

const names = (count: number): Record<string, string> => ({
  names: JSON.stringify(Array.from({ length: count }, (_, index) => `name ${index}`)),
});

interface Case {
  readonly what: string;
  readonly outputs: readonly TensorInfo[];
  readonly input?: readonly number[];
  readonly labels?: number;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly operators?: Readonly<Record<string, string>>;
  readonly sidecar?: Sidecar;
}

function resolve({ outputs, input = [1, 3, 640, 640], labels, metadata, operators = {}, sidecar }: Case) {
  return resolveSpec(
    factsOf({
      inputs: [{ name: 'images', datatype: 'FP32', shape: input }],
      outputs,
      operators,
      metadata: { ...(labels !== undefined && names(labels)), ...metadata },
    }),
    sidecar,
  );
}

const one = (...shape: number[]): readonly TensorInfo[] => [output('output0', shape)];
const trio = (labels: Datatype): readonly TensorInfo[] => [
  output('labels', [1, 300], labels),
  output('boxes', [1, 300, 4]),
  output('scores', [1, 300]),
];

const FOUND: readonly (Case & { readonly layout: string | null; readonly task: string })[] = [
  { what: 'YOLOv5 at 640', outputs: one(1, 25_200, 85), layout: 'yolov5', task: 'detect' },
  {
    what: 'YOLOv5 at 320 x 192',
    outputs: one(1, 3780, 85),
    input: [1, 3, 192, 320],
    layout: 'yolov5',
    task: 'detect',
  },
  {
    what: 'YOLOv5 P6 at 1280',
    outputs: one(1, 102_000, 85),
    input: [1, 3, 1280, 1280],
    layout: 'yolov5',
    task: 'detect',
  },
  {
    what: 'an old YOLOv5 export, heads beside the predictions',
    outputs: [
      output('output', [1, 25_200, 85]),
      output('353', [1, 3, 80, 80, 85]),
      output('367', [1, 3, 40, 40, 85]),
      output('381', [1, 3, 20, 20, 85]),
    ],
    layout: 'yolov5',
    task: 'detect',
  },
  { what: 'YOLOv8 at 640', outputs: one(1, 84, 8400), layout: 'yolov8', task: 'detect' },
  { what: 'YOLOv8 of one class', outputs: one(1, 5, 8400), layout: 'yolov8', task: 'detect' },
  { what: 'YOLOv8 of two classes', outputs: one(1, 6, 8400), layout: 'yolov8', task: 'detect' },
  { what: 'YOLOv8-p2', outputs: one(1, 84, 34_000), layout: 'yolov8', task: 'detect' },
  {
    what: 'YOLOv8, sizes that vary',
    outputs: one(-1, 84, -1),
    input: [-1, 3, -1, -1],
    layout: 'yolov8',
    task: 'detect',
  },
  { what: 'YOLOv8 swapped, names', outputs: one(1, 8400, 84), labels: 80, layout: 'yolov8', task: 'detect' },
  {
    what: 'YOLOv8, some other grid, names',
    outputs: one(1, 84, 1000),
    labels: 80,
    layout: 'yolov8',
    task: 'detect',
  },
  {
    what: 'YOLOv8 with fewer names than classes',
    outputs: one(1, 84, 8400),
    labels: 2,
    layout: 'yolov8',
    task: 'detect',
  },
  {
    what: 'a grey picture of open size, as it came',
    outputs: one(1, 1, -1, -1),
    input: [1, 1, -1, -1],
    sidecar: { read: 'unchanged' },
    layout: null,
    task: 'tensor',
  },
  { what: 'YOLOv10', outputs: one(1, 300, 6), layout: 'yolov10', task: 'detect' },
  {
    what: 'YOLOv10, rows that vary, names',
    outputs: one(1, -1, 6),
    labels: 3,
    layout: 'yolov10',
    task: 'detect',
  },
  { what: 'RT-DETR', outputs: trio('INT64'), layout: 'rtdetr', task: 'detect' },
  { what: 'RT-DETR with labels as floats', outputs: trio('FP32'), layout: 'rtdetr', task: 'detect' },
  {
    what: 'RF-DETR',
    outputs: [output('dets', [1, 300, 4]), output('labels', [1, 300, 91])],
    layout: 'rfdetr',
    task: 'detect',
  },
  {
    what: 'DETR',
    outputs: [output('logits', [1, 100, 92]), output('pred_boxes', [1, 100, 4])],
    layout: 'detr',
    task: 'detect',
  },
  {
    what: 'DETR, names',
    outputs: [output('logits', [1, 100, 92]), output('pred_boxes', [1, 100, 4])],
    labels: 91,
    layout: 'detr',
    task: 'detect',
  },
  {
    what: 'DETR outputs without a class for nothing, told by the names',
    outputs: [output('logits', [1, 300, 80]), output('pred_boxes', [1, 300, 4])],
    labels: 80,
    layout: 'rfdetr',
    task: 'detect',
  },
  {
    what: 'NanoDet-Plus at 416',
    outputs: one(1, 3598, 112),
    input: [1, 3, 416, 416],
    layout: 'nanodet',
    task: 'detect',
  },
  {
    what: 'in-graph NMS',
    outputs: [output('selected', [-1, 3], 'INT64'), output('b', [1, 8400, 4]), output('s', [1, 80, 8400])],
    layout: 'nms',
    task: 'detect',
  },
  {
    what: 'PP-OCR detection',
    outputs: [output('sigmoid_0.tmp_0', [-1, 1, -1, -1])],
    input: [-1, 3, -1, -1],
    layout: 'db',
    task: 'ocr-detect',
  },
  {
    what: 'a map of fixed size out of a Sigmoid',
    outputs: one(1, 1, 640, 640),
    operators: { output0: 'Sigmoid' },
    layout: 'db',
    task: 'ocr-detect',
  },
  {
    what: 'PP-OCR recognition with its characters',
    outputs: [output('softmax_11.tmp_0', [-1, -1, 97])],
    input: [-1, 3, 48, -1],
    metadata: { character: Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join('\n') },
    layout: 'ctc',
    task: 'ocr-recognize',
  },
  {
    what: 'PP-OCR recognition with other characters',
    outputs: one(-1, -1, 6625),
    input: [-1, 3, 48, -1],
    labels: 10,
    layout: null,
    task: 'tensor',
  },
  {
    what: 'PP-OCR recognition without characters',
    outputs: [output('softmax_11.tmp_0', [-1, -1, 6625])],
    input: [-1, 3, 48, -1],
    layout: null,
    task: 'tensor',
  },
  { what: 'classification', outputs: one(1, 1000), input: [1, 3, 224, 224], layout: null, task: 'classify' },
  { what: 'classification, two sizes of 1', outputs: one(-1, 1000, 1, 1), layout: null, task: 'classify' },
  { what: 'one number', outputs: one(1, 1), layout: null, task: 'tensor' },
  {
    what: 'masks beside boxes',
    outputs: [output('output0', [1, 116, 8400]), output('output1', [1, 32, 160, 160])],
    layout: null,
    task: 'tensor',
  },
  {
    what: 'poses, as the metadata says',
    outputs: one(1, 56, 8400),
    metadata: { task: 'pose' },
    layout: null,
    task: 'tensor',
  },
  { what: 'a depth map', outputs: one(1, 518, 518), input: [1, 3, 518, 518], layout: null, task: 'tensor' },
  { what: 'hidden states', outputs: one(1, 197, 768), input: [1, 3, 224, 224], layout: null, task: 'tensor' },
  { what: 'whole numbers', outputs: [output('ids', [1, 25_200, 85], 'INT64')], layout: null, task: 'tensor' },
  { what: 'an unknown shape', outputs: one(), layout: null, task: 'tensor' },
];

test.each(FOUND)('found: $what', ({ layout, task, ...rest }) => {
  expect(resolve(rest)).toMatchObject({ task, layout });
});

const AMBIGUOUS: readonly (Case & { readonly named: readonly string[] })[] = [
  { what: 'YOLOX, raw or decoded', outputs: one(1, 8400, 85), named: ['yolox-raw', 'yolox'] },
  { what: 'YOLOX with names', outputs: one(1, 8400, 85), labels: 80, named: ['yolox-raw', 'yolox'] },
  { what: 'YOLOv5 of one class or end to end', outputs: one(1, 25_200, 6), named: ['yolov10', 'yolov5'] },
  { what: 'the same with one name', outputs: one(1, 25_200, 6), labels: 1, named: ['yolov10', 'yolov5'] },
  { what: 'YOLOX of one class', outputs: one(1, 8400, 6), named: ['yolov10', 'yolox-raw', 'yolox'] },
  {
    what: 'six numbers, rows that vary',
    outputs: one(1, -1, 6),
    named: ['yolov10', 'yolov5', 'yolox-raw', 'yolox'],
  },
  { what: 'rows that vary', outputs: one(1, -1, 85), named: ['yolov5', 'yolox-raw', 'yolox', 'nanodet'] },
  {
    what: 'nothing but three sizes',
    outputs: one(-1, -1, -1),
    named: ['yolov5', 'yolov8', 'yolox-raw', 'yolox', 'nanodet'],
  },
];

test.each(AMBIGUOUS)('refused as ambiguous: $what', ({ named, ...rest }) => {
  const refusal = refused(() => resolve(rest));
  for (const layout of LAYOUTS)
    expect([layout, mentions(refusal, layout)]).toEqual([layout, named.includes(layout)]);
  expect(refusal).toMatch(/sidecar's "layout"/);
  for (const layout of named) {
    const spec = resolve({ ...rest, sidecar: { layout: layout as 'yolov5' } });
    expect(spec).toMatchObject({ task: 'detect', layout });
  }
  expect(resolve({ ...rest, sidecar: { task: 'tensor' } })).toMatchObject({ task: 'tensor', layout: null });
});

function mentions(text: string, layout: string): boolean {
  return new RegExp(`(?<![\\w-])${layout}(?![\\w-])`).test(text);
}

const MISFITS: readonly (Case & { readonly says: RegExp })[] = [
  {
    what: 'yolov5 over one score a class',
    outputs: one(1, 1000),
    sidecar: { layout: 'yolov5' },
    says: /layout "yolov5" needs \[1, rows, 5 \+ classes\].*output0 FP32 \[1, 1000\]/,
  },
  {
    what: 'yolov10 over 85 numbers',
    outputs: one(1, 300, 85),
    sidecar: { layout: 'yolov10' },
    says: /"yolov10" needs \[1, rows, 6\]/,
  },
  { what: 'yolov8 too narrow', outputs: one(1, 4, 4), sidecar: { layout: 'yolov8' }, says: /"yolov8" needs/ },
  {
    what: 'yolox-raw off its grids',
    outputs: one(1, 8401, 85),
    sidecar: { layout: 'yolox-raw' },
    says: /"yolox-raw" needs .* 640 x 640/,
  },
  {
    what: 'nanodet off its grids',
    outputs: one(1, 8400, 112),
    sidecar: { layout: 'nanodet' },
    says: /"nanodet" needs/,
  },
  {
    what: 'rtdetr without scores',
    outputs: trio('INT64').slice(0, 2),
    sidecar: { layout: 'rtdetr' },
    says: /"rtdetr" needs labels/,
  },
  {
    what: 'rfdetr over one output',
    outputs: one(1, 300, 4),
    sidecar: { layout: 'rfdetr' },
    says: /"rfdetr" needs dets/,
  },
  {
    what: 'detr over one output',
    outputs: one(1, 300, 4),
    sidecar: { layout: 'detr' },
    says: /"detr" needs logits/,
  },
  {
    what: 'nms without boxes',
    outputs: [output('selected', [-1, 3], 'INT64')],
    sidecar: { layout: 'nms' },
    says: /"nms" needs whole numbers/,
  },
  {
    what: 'db over three channels',
    outputs: one(1, 3, 640, 640),
    sidecar: { layout: 'db' },
    says: /"db" needs \[1, 1, height, width\]/,
  },
  {
    what: 'ctc over one score a class',
    outputs: one(1, 1000),
    sidecar: { layout: 'ctc' },
    says: /"ctc" needs/,
  },
  {
    what: 'ctc without characters',
    outputs: one(1, 40, 97),
    sidecar: { layout: 'ctc' },
    says: /needs the characters.*"labels"/,
  },
  {
    what: 'another task than the layout',
    outputs: one(1, 84, 8400),
    sidecar: { layout: 'yolov8', task: 'classify' },
    says: /task: "classify", but layout "yolov8" is of the task "detect"/,
  },
  {
    what: 'classify over boxes',
    outputs: one(1, 84, 8400),
    sidecar: { task: 'classify' },
    says: /task "classify" needs one output \[1, classes\]/,
  },
  {
    what: 'detect over one score a class',
    outputs: one(1, 1000),
    sidecar: { task: 'detect' },
    says: /task "detect": no layout is found.*"layout" may name one of/,
  },
  {
    what: 'detect over a map of text',
    outputs: one(1, 1, 640, 640),
    operators: { output0: 'Sigmoid' },
    sidecar: { task: 'detect' },
    says: /task "detect": no layout/,
  },
  {
    what: 'ocr-detect over boxes',
    outputs: one(1, 84, 8400),
    sidecar: { task: 'ocr-detect' },
    says: /layout "db" needs/,
  },
];

test.each(MISFITS)('refused: $what', ({ says, ...rest }) => {
  expect(refused(() => resolve(rest))).toMatch(says);
});

function refused(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof ModelRefusedError) return error.message;
    throw error;
  }
  throw new Error('it was not refused');
}

test('a sidecar may name the task alone', () => {
  expect(resolve({ what: '', outputs: one(1, 1, 640, 640), sidecar: { task: 'ocr-detect' } }).layout).toBe(
    'db',
  );
  const recognize: Sidecar = { task: 'ocr-recognize', labels: ['a'] };
  expect(resolve({ what: '', outputs: one(1, 40, 3), sidecar: recognize }).layout).toBe('ctc');
  expect(resolve({ what: '', outputs: one(1, 84, 8400), sidecar: { task: 'tensor' } }).layout).toBeNull();
});
