import type { Tensor } from '../../../inference/index.ts';
import { constantModel, identityModel, onnxModel, twoInputModel } from '../../support/onnx.ts';
import { png, rejection, startService, stopServices } from '../service.ts';
import { madeForAll } from '../../support/opened.ts';

/** Repeats a text as often as it is asked to. */
const echoTexts = onnxModel({
  inputs: [
    { name: 'text', datatype: 'BYTES', shape: [1] },
    { name: 'count', datatype: 'INT64', shape: [1] },
  ],
  outputs: [{ name: 'texts', datatype: 'BYTES', shape: ['count'] }],
  nodes: [{ op: 'Expand', inputs: ['text', 'count'], outputs: ['texts'] }],
});

const service = madeForAll(() =>
  startService({
    'echo.onnx': identityModel({ shape: [1, 3, 4, 4] }),
    'any.onnx': identityModel({ shape: ['n', 3, 4, 4] }),
    'half.onnx': identityModel({ shape: [1, 3, 2, 2], datatype: 'FP16' }),
    'texts.onnx': echoTexts,
    'sizes.onnx': twoInputModel({ shape: [1, 3, 8, 8] }),
    'boxes.onnx': constantModel({
      inputs: [{ name: 'images', shape: [1, 3, 32, 32] }],
      outputs: { output0: { shape: [1, 2, 6], data: [8, 8, 16, 24, 0.9, 1, 0, 0, 4, 4, 0.1, 0] } },
    }),
    'boxes.json': JSON.stringify({ layout: 'yolov10', labels: ['cat', 'dog'] }),
  }),
);
afterAll(stopServices);

function closeTo(value: number): unknown {
  return expect.closeTo(value);
}

const echo = (values: Partial<Tensor>): Tensor => ({
  name: 'images',
  datatype: 'FP32',
  shape: [1, 3, 4, 4],
  data: new Float32Array(48),
  ...values,
});

test('an image goes in and its tensor comes out: resized, channels first, blue green red, 0 to 255', async () => {
  const answer = await service.inference.analyze({ bytes: await png(), model: 'echo' });
  expect(answer.model).toBe('echo');
  expect(answer.version).toMatch(/^[0-9a-f]{12}$/);
  expect(answer.image).toEqual({ width: 64, height: 48 });
  const [output] = answer.outputs ?? [];
  expect(output).toMatchObject({ name: 'echo', datatype: 'FP32', shape: [1, 3, 4, 4] });
  expect(Array.from(output?.data as Float32Array)).toEqual([
    ...Array.from({ length: 16 }, () => 30),
    ...Array.from({ length: 16 }, () => 20),
    ...Array.from({ length: 16 }, () => 10),
  ]);
  expect(Object.keys(answer.timings).toSorted()).toEqual([
    'decode_ms',
    'inference_ms',
    'postprocess_ms',
    'preprocess_ms',
    'queue_ms',
    'total_ms',
  ]);
  for (const ms of Object.values(answer.timings)) expect(ms).toBeGreaterThanOrEqual(0);
});

test('boxes come back in source pixels with the sidecar’s labels; filters reach the decoder', async () => {
  const bytes = await png(64, 64);
  const { detections } = await service.inference.analyze({ bytes, model: 'boxes' });
  expect(detections).toEqual([{ box: [16, 16, 32, 48], label: 'dog', class_id: 1, score: closeTo(0.9) }]);
  const filters = { classes: ['cat'], score: 0.05 };
  const cats = await service.inference.analyze({ bytes, model: 'boxes', filters });
  expect(cats.detections?.map(({ label }) => label)).toEqual(['cat']);
  const unknown = await rejection(
    service.inference.analyze({ bytes, model: 'boxes', filters: { classes: ['cow'] } }),
  );
  expect(unknown).toMatchObject({ code: 'image_unsuitable', field: 'classes' });
});

test('raw gives the tensors of any model, stats their figures', async () => {
  const bytes = await png(64, 64);
  const raw = await service.inference.analyze({ bytes, model: 'boxes', output: 'raw' });
  expect(raw.detections).toBeUndefined();
  expect(raw.outputs?.[0]).toMatchObject({ name: 'output0', shape: [1, 2, 6] });
  const stats = await service.inference.analyze({ bytes, model: 'boxes', output: 'stats' });
  expect(stats.stats).toEqual([
    {
      name: 'output0',
      datatype: 'FP32',
      shape: [1, 2, 6],
      min: 0,
      max: 24,
      mean: closeTo((8 + 8 + 16 + 24 + 0.9 + 1 + 4 + 4 + 0.1) / 12),
    },
  ]);
});

test('a second input that is known by its name is filled in', async () => {
  const answer = await service.inference.analyze({ bytes: await png(80, 60), model: 'sizes', output: 'raw' });
  expect(Array.from(answer.outputs?.[0]?.data as Float32Array)).toEqual([80, 60]);
});

test('tensors go through as they are, and the caller keeps its own', async () => {
  const data = Float32Array.from({ length: 48 }, (_, index) => index / 7);
  const before = data.slice();
  const answer = await service.inference.infer({ model: 'echo', inputs: [echo({ data })] });
  expect(Array.from(answer.outputs[0]?.data as Float32Array)).toEqual(Array.from(before));
  expect(data).toEqual(before);
});

test('a view into a larger buffer, as an HTTP body gives, is read from its own place and left alone', async () => {
  const body = Buffer.alloc(8 + 2 * 48 * 4);
  const data = new Float32Array(body.buffer, body.byteOffset + 8, 48).fill(3);
  const inputs = [echo({ data })];
  const [first, second] = await Promise.all([
    service.inference.infer({ model: 'echo', inputs }),
    service.inference.infer({ model: 'echo', inputs }),
  ]);
  expect(Array.from(first.outputs[0]?.data as Float32Array)).toEqual(Array.from(data));
  expect(Array.from(second.outputs[0]?.data as Float32Array)).toEqual(Array.from(data));
  expect(data.length).toBe(48);
});

test('half precision travels as its bits, in and out', async () => {
  const data = Uint16Array.from([0x3c00, 0x4000, 0xc000, 0, 1, 2, 3, 4, 5, 6, 7, 0x7bff]);
  const input = { name: 'images', datatype: 'FP16', shape: [1, 3, 2, 2], data } as const;
  const { outputs } = await service.inference.infer({ model: 'half', inputs: [input] });
  expect(outputs[0]).toMatchObject({ datatype: 'FP16', shape: [1, 3, 2, 2] });
  expect(Array.from(outputs[0]?.data as Uint16Array)).toEqual(Array.from(data));
});

test('texts go in and come out', async () => {
  const { outputs } = await service.inference.infer({
    model: 'texts',
    inputs: [
      { name: 'text', datatype: 'BYTES', shape: [1], data: ['grüße'] },
      { name: 'count', datatype: 'INT64', shape: [1], data: BigInt64Array.of(3n) },
    ],
  });
  expect(outputs).toEqual([
    { name: 'texts', datatype: 'BYTES', shape: [3], data: ['grüße', 'grüße', 'grüße'] },
  ]);
});

test('a size that may vary takes any, also none', async () => {
  for (const count of [5, 0]) {
    const input = echo({ shape: [count, 3, 4, 4], data: new Float32Array(count * 48).fill(1) });
    const { outputs } = await service.inference.infer({ model: 'any', inputs: [input], outputs: ['echo'] });
    expect(outputs[0]?.shape).toEqual([count, 3, 4, 4]);
  }
});

test.each([
  ['inputs[0].name', [echo({ name: 'image' })], undefined, /there are images/],
  ['inputs[1].name', [echo({}), echo({})], undefined, /given twice/],
  ['inputs[0].datatype', [echo({ datatype: 'FP64' })], undefined, /is of FP32, not of FP64/],
  ['inputs[0].shape', [echo({ shape: [1, 3, 4, 5] })], undefined, /\[1, 3, 4, 4\].*not \[1, 3, 4, 5\]/],
  ['inputs[0].shape', [echo({ shape: [48] })], undefined, /not \[48\]/],
  ['inputs[0].data', [echo({ data: new Float32Array(47) })], undefined, /holds 48 values, there are 47/],
  ['inputs', [], undefined, /missing: images/],
  ['outputs[0].name', [echo({})], ['boxes'], /there are echo/],
  ['outputs', [echo({})], ['echo', 'echo'], /once/],
])('a tensor that does not fit is refused naming %s', async (field, inputs, outputs, message) => {
  const error = await rejection(
    service.inference.infer({ model: 'echo', inputs, ...(outputs && { outputs }) }),
  );
  expect(error).toMatchObject({ code: 'tensor_invalid', field });
  expect(error['message']).toMatch(message);
});

test('what is not there, or not meant for it, is said', async () => {
  const bytes = await png();
  const { inference } = service;
  expect(await rejection(inference.analyze({ bytes, model: 'nobody' }))).toMatchObject({
    code: 'model_not_found',
    field: 'model',
  });
  expect(await rejection(inference.infer({ model: 'echo', version: '1', inputs: [echo({})] }))).toMatchObject(
    {
      code: 'model_not_found',
      field: 'version',
    },
  );
  expect(await rejection(inference.analyze({ bytes, model: 'texts' }))).toMatchObject({
    code: 'image_unsuitable',
    field: 'model',
  });
  expect(await rejection(inference.analyze({ bytes: Buffer.from('no image'), model: 'echo' }))).toMatchObject(
    {
      code: 'format_not_supported',
    },
  );
});

test('the runtime’s own refusal is an error of that request, and the model goes on serving', async () => {
  const inputs = [
    { name: 'text', datatype: 'BYTES', shape: [1], data: ['a'] },
    { name: 'count', datatype: 'INT64', shape: [1], data: BigInt64Array.of(-5n) },
  ] as const;
  expect(await rejection(service.inference.infer({ model: 'texts', inputs }))).toMatchObject({
    code: 'inference_failed',
  });
  const one = { ...inputs[1], data: BigInt64Array.of(1n) };
  const { outputs } = await service.inference.infer({ model: 'texts', inputs: [inputs[0], one] });
  expect(outputs[0]?.data).toEqual(['a']);
});
