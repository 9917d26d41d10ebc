import { findingsOf } from '../../web/inference/findings.ts';

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
  expect(findingsOf({ ...common, detections, lines })).toEqual([
    { label: 'read', score: 0.9, points: '1,2 5,2 5,4 1,4', detail: null },
    { label: 'text', score: 0.9, points: '1,2 5,2 5,4 1,4', detail: null },
  ]);
});

test('boxes are drawn by their corners, classes and tensors only listed', () => {
  const detections = [{ box, label: 'cat', class_id: 0, score: 0.5 }];
  expect(findingsOf({ ...common, detections })[0]).toMatchObject({ label: 'cat', points: '1,2 5,2 5,4 1,4' });
  expect(findingsOf({ ...common, classes: [{ label: 'dog', class_id: 1, score: 0.7 }] })).toEqual([
    { label: 'dog', score: 0.7, points: null, detail: null },
  ]);
  const outputs = [
    { name: 'y', datatype: 'FP32' as const, shape: [1, 2], min: -1.23456, max: null, mean: 0 },
  ];
  expect(findingsOf({ ...common, outputs })).toEqual([
    { label: 'y', score: null, points: null, detail: 'FP32 1 × 2, -1.235 to ?, mean 0' },
  ]);
  expect(findingsOf(common)).toEqual([]);
});
