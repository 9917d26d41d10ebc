import { ModelRefusedError } from '../../../inference/common/errors.ts';
import { parseSidecar } from '../../../inference/models/sidecar.ts';

test('every field, and none', () => {
  const all = {
    task: 'detect',
    layout: 'yolov8',
    labels: ['a', 'b'],
    input: { width: 640, height: 480 },
    read: 'unchanged',
    color: 'rgb',
    scale: 0.00392156862745098,
    mean: [1, 2, 3],
    std: [1, 2, 3],
    fit: 'letterbox',
    align: 'top-left',
    pad: 127.5,
    score_threshold: 0,
    iou_threshold: 1,
    max_detections: 1,
    instances: 2,
  };
  expect(parseSidecar(JSON.stringify(all))).toEqual(all);
  expect(parseSidecar('\uFEFF{}')).toEqual({});
});

const REFUSED: readonly (readonly [text: string, says: RegExp])[] = [
  ['{', /^sidecar: not valid JSON/],
  ['[]', /expected object, received array/],
  ['null', /expected object, received null/],
  ['{"layot": "yolov8"}', /unknown field "layot"; known are task, layout, labels, input/],
  [
    '{"input": {"width": 1, "height": 1, "depth": 1}}',
    /unknown field "input.depth"; known are width, height/,
  ],
  ['{"input": {"width": 640}}', /input\.height: .*expected number/],
  ['{"input": {"width": 0, "height": 1.5}}', /input\.width: .*>=1; input\.height: .*int/],
  ['{"input": [640, 640]}', /input: .*expected object/],
  ['{"task": "segment"}', /task: .*one of "detect"\|"classify"/],
  ['{"layout": "yolov99"}', /layout: .*one of "yolov5"\|"yolov8"/],
  ['{"labels": {"0": "a"}}', /labels: .*expected array/],
  ['{"labels": []}', /labels: /],
  ['{"labels": [1]}', /labels\.0: .*expected string/],
  ['{"read": "grey"}', /read: .*"color"\|"unchanged"/],
  ['{"color": "RGB"}', /color: .*"bgr"\|"rgb"/],
  ['{"scale": "1/255"}', /scale: expected a number or a list of numbers, one a channel/],
  ['{"mean": [1, null]}', /mean: expected a number or a list of numbers/],
  ['{"std": 0}', /std: expected numbers other than 0/],
  ['{"std": [1, 0, 1]}', /std: expected numbers other than 0/],
  ['{"scale": 1e999}', /scale: expected a number/],
  ['{"fit": "crop"}', /fit: .*"stretch"\|"letterbox"/],
  ['{"align": "left"}', /align: .*"center"\|"top-left"/],
  ['{"pad": null}', /pad: .*expected number/],
  ['{"score_threshold": 1.5}', /score_threshold: .*<=1/],
  ['{"iou_threshold": -0.1}', /iou_threshold: .*>=0/],
  ['{"max_detections": 0}', /max_detections: .*>=1/],
];

test.each(REFUSED)('refused: %s', (text, says) => {
  expect(() => parseSidecar(text)).toThrow(says);
  expect(() => parseSidecar(text)).toThrow(ModelRefusedError);
});
