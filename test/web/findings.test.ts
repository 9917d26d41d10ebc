import { findingsOf } from '../../web/inference/findings.ts';
import {
  hiddenLabels,
  inferenceSearch,
  labelsText,
  layersText,
} from '../../web/inference/inference-search.ts';
import { huesOf, labelsOf, layersOf } from '../../web/inference/layers.ts';
import { sameCall } from '../../web/inference/same-call.ts';

const timings = {
  decode_ms: 1,
  queue_ms: 0,
  preprocess_ms: 1,
  inference_ms: 1,
  postprocess_ms: 1,
  total_ms: 4,
};
const common = { model: 'm', image: { width: 10, height: 10 }, timings };
const box = [1, 2, 5, 4] as const;

test('lines stand for themselves, in their own outline, read or only found', () => {
  const polygon = [
    [1, 2],
    [5, 2],
    [5, 4],
    [1, 4],
  ] as const;
  const detections = [{ box, label: 'text', class_id: 0, score: 0.9 }];
  const lines = ['read', ''].map((text) => ({ text, score: 0.9, box, polygon }));
  const placed = { score: 0.9, points: '1,2 5,2 5,4 1,4', frame: { x: 1, y: 2, width: 4, height: 2 } };
  expect(findingsOf({ ...common, detections, lines })).toEqual([
    { ...placed, label: 'read', isText: true, detail: null },
    { ...placed, label: 'text', isText: true, detail: null },
  ]);
});

test('boxes are drawn by their corners, classes and tensors only listed', () => {
  const detections = [{ box, label: 'cat', class_id: 0, score: 0.5 }];
  expect(findingsOf({ ...common, detections })[0]).toMatchObject({ label: 'cat', points: '1,2 5,2 5,4 1,4' });
  expect(findingsOf({ ...common, classes: [{ label: 'dog', class_id: 1, score: 0.7 }] })).toEqual([
    { label: 'dog', score: 0.7, points: null, frame: null, isText: false, detail: null },
  ]);
  const outputs = [
    { name: 'y', datatype: 'FP32' as const, shape: [1, 2], min: -1.23456, max: null, mean: 0 },
  ];
  expect(findingsOf({ ...common, outputs })).toEqual([
    {
      label: 'y',
      score: null,
      points: null,
      frame: null,
      isText: false,
      detail: 'FP32 1 × 2, -1.235 to ?, mean 0',
    },
  ]);
  expect(findingsOf(common)).toEqual([]);
});

test('an answer has the layers that it fills, and each class its count and its colour', () => {
  const detections = ['dog', 'cat', 'dog'].map((label) => ({ box, label, class_id: 0, score: 0.5 }));
  const found = findingsOf({ ...common, detections });
  expect(layersOf(found)).toEqual(['boxes', 'labels']);
  expect(labelsOf(found)).toEqual([
    { label: 'dog', count: 2 },
    { label: 'cat', count: 1 },
  ]);
  expect([...huesOf(found)]).toEqual([
    ['cat', 0],
    ['dog', 1],
  ]);
  expect(layersOf(findingsOf({ ...common, classes: [{ label: 'dog', class_id: 1, score: 0.7 }] }))).toEqual(
    [],
  );
});

test('the address says what is not drawn, whatever the labels hold', () => {
  const labels = new Set(['traffic light, red', 'a%2Cb']);
  const without = labelsText(labels);
  expect(hiddenLabels(inferenceSearch({ without }))).toEqual(labels);
  expect([labelsText(new Set()), layersText(new Set(['text', 'boxes']))]).toEqual([undefined, 'boxes,text']);
  expect(inferenceSearch({ model: 7, tab: 'other', hide: {}, without: '' })).toEqual({ model: '7' });
  expect([...hiddenLabels({ without: '%E0%A4%A' })]).toEqual(['%E0%A4%A']);
});

test('a call takes no part of a name for something else', () => {
  const call = {
    origin: 'http://127.0.0.1:8080',
    model: 'a&b',
    isStats: true,
    file: `it's "so"; here.png`,
    needsKey: true,
  };
  expect(sameCall('curl', call)).toBe(
    [
      'curl \\',
      '  -H "x-api-key: $STEADYHAND_API_KEY" \\',
      `  -F 'file=@"it'\\''s \\"so\\"; here.png"' \\`,
      `  'http://127.0.0.1:8080/analyze?model=a%26b&output=stats'`,
    ].join('\n'),
  );
  expect(sameCall('Python', call)).toContain('with open("it\'s \\"so\\"; here.png", "rb") as picture:');
});
