import sharp from 'sharp';
import { constantModel, halfBits, identityModel } from '../../support/onnx.ts';
import { form, request } from './http.ts';
import { type Service, startService, stopServices } from './service.ts';

/** Boxes in the model's 640 x 640: a person and two cars, one of them uncertain. */
const BOXES = [
  [64, 128, 320, 480, 0.9, 0],
  [100, 100, 200, 200, 0.8, 2],
  [400, 400, 600, 600, 0.3, 2],
  [0, 0, 10, 10, 0.1, 0],
];
const LABELS = ['person', 'bicycle', 'car'];

let service: Service;
let image: Buffer;

beforeAll(async () => {
  image = await sharp({ create: { width: 1280, height: 320, channels: 3, background: '#102030' } })
    .png()
    .toBuffer();
  service = await startService({
    boxes: {
      onnx: constantModel({ outputs: { output0: { shape: [1, 4, 6], data: BOXES.flat() } } }),
      sidecar: { layout: 'yolov10', labels: LABELS },
    },
    classes: {
      onnx: constantModel({ outputs: { probabilities: { shape: [1, 3], data: [0.25, 0.625, 0.125] } } }),
      sidecar: { task: 'classify', labels: LABELS },
    },
    tensors: {
      onnx: constantModel({
        outputs: {
          odd: { shape: [1, 4], data: [1.5, NaN, Infinity, -2] },
          half: { datatype: 'FP16', shape: [2], data: [halfBits(0.5), halfBits(-3)] },
          long: { datatype: 'INT64', shape: [2], data: [7, -9] },
          flags: { datatype: 'BOOL', shape: [3], data: [1, 0, 1] },
        },
      }),
      sidecar: { task: 'tensor' },
    },
    echo: { onnx: identityModel({ shape: [1, 3, 640, 640] }), sidecar: { task: 'tensor' } },
  });
}, 180_000);

afterAll(stopServices);

async function analyze(
  query: string,
  file: string | Uint8Array = image,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { headers, body } = form({ file });
  const answer = await request(service.port, { method: 'POST', path: `/analyze${query}`, headers, body });
  return { status: answer.status, body: answer.json() as Record<string, unknown> };
}

const TIMINGS = {
  decode_ms: expect.any(Number) as unknown,
  queue_ms: expect.any(Number) as unknown,
  preprocess_ms: expect.any(Number) as unknown,
  inference_ms: expect.any(Number) as unknown,
  postprocess_ms: expect.any(Number) as unknown,
  total_ms: expect.any(Number) as unknown,
};

test('the default model answers detections in source pixels, best first, and nothing else', async () => {
  const { status, body } = await analyze('');
  expect(status).toBe(200);
  expect(body).toEqual({
    model: 'boxes',
    image: { width: 1280, height: 320 },
    detections: [
      { box: [128, 64, 640, 240], label: 'person', class_id: 0, score: expect.closeTo(0.9, 6) as unknown },
      { box: [200, 50, 400, 100], label: 'car', class_id: 2, score: expect.closeTo(0.8, 6) as unknown },
      { box: [800, 200, 1200, 300], label: 'car', class_id: 2, score: expect.closeTo(0.3, 6) as unknown },
    ],
    timings: TIMINGS,
  });
});

test.each([
  ['?score=0.5', [0.9, 0.8]],
  ['?score=0.05', [0.9, 0.8, 0.3, 0.1]],
  ['?max=1', [0.9]],
  ['?classes=car', [0.8, 0.3]],
  ['?classes=2', [0.8, 0.3]],
  ['?classes=0,car&max=2', [0.9, 0.8]],
  ['?classes=0&classes=2&score=0.85', [0.9]],
  ['?iou=0', [0.9, 0.8, 0.3]],
  ['?decode=shrink&timeout_ms=20000', [0.9, 0.8, 0.3]],
])('%s', async (query, scores) => {
  const { body } = await analyze(query);
  const found = (body['detections'] as { score: number }[]).map(({ score }) => Math.round(score * 100) / 100);
  expect(found).toEqual(scores);
});

test('a class that the model does not have is a fault of the query', async () => {
  const { status, body } = await analyze('?classes=zebra');
  expect(status).toBe(422);
  expect(body).toMatchObject({
    detail: [{ loc: ['query', 'classes'], msg: expect.stringContaining('zebra') as unknown }],
  });
});

test('classify answers classes, best first', async () => {
  const { body } = await analyze('?model=classes');
  expect(body['classes']).toEqual([
    { label: 'bicycle', class_id: 1, score: 0.625 },
    { label: 'person', class_id: 0, score: 0.25 },
    { label: 'car', class_id: 2, score: 0.125 },
  ]);
  expect(Object.keys(body)).toEqual(['model', 'image', 'classes', 'timings']);
});

test('tensors come as JSON, with null for what JSON cannot say', async () => {
  const { body } = await analyze('?model=tensors');
  expect(body).toEqual({
    model: 'tensors',
    image: { width: 1280, height: 320 },
    outputs: [
      { name: 'odd', datatype: 'FP32', shape: [1, 4], data: [1.5, null, null, -2] },
      { name: 'half', datatype: 'FP16', shape: [2], data: [0.5, -3] },
      { name: 'long', datatype: 'INT64', shape: [2], data: [7, -9] },
      { name: 'flags', datatype: 'BOOL', shape: [3], data: [true, false, true] },
    ],
    timings: TIMINGS,
  });
});

test('tensors come as base64, little endian', async () => {
  const { body } = await analyze('?model=tensors&encoding=base64');
  const outputs = body['outputs'] as { name: string; data_base64: string; data?: unknown }[];
  const bytes = outputs.map(({ data_base64: text }) => Buffer.from(text, 'base64'));
  const [odd, half, long, flags] = bytes;
  expect([0, 4, 8, 12].map((at) => odd?.readFloatLE(at))).toEqual([1.5, NaN, Infinity, -2]);
  expect([0, 2].map((at) => half?.readUInt16LE(at))).toEqual([halfBits(0.5), halfBits(-3)]);
  expect([0, 8].map((at) => long?.readBigInt64LE(at))).toEqual([7n, -9n]);
  expect([...(flags ?? [])]).toEqual([1, 0, 1]);
  expect(outputs.map(({ data }) => data)).toEqual([undefined, undefined, undefined, undefined]);
});

test('output=raw gives any model’s tensors, output=stats their figures', async () => {
  const raw = await analyze('?output=raw');
  const outputs = raw.body['outputs'] as { name: string; shape: number[]; data: number[] }[];
  expect(outputs).toEqual([
    { name: 'output0', datatype: 'FP32', shape: [1, 4, 6], data: BOXES.flat().map(Math.fround) },
  ]);
  const stats = await analyze('?model=tensors&output=stats');
  expect(stats.body['outputs']).toEqual(
    expect.arrayContaining([
      { name: 'half', datatype: 'FP16', shape: [2], min: -3, max: 0.5, mean: -1.25 },
      { name: 'long', datatype: 'INT64', shape: [2], min: -9, max: 7, mean: -1 },
    ]),
  );
});

test('a large tensor is whole, in either encoding', async () => {
  const json = await analyze('?model=echo');
  const [tensor] = json.body['outputs'] as { shape: number[]; data: number[] }[];
  expect(tensor?.shape).toEqual([1, 3, 640, 640]);
  // Plain 0..255 in the order blue, green, red: what the model is fed when nothing else is asked for.
  expect(tensor?.data).toHaveLength(3 * 640 * 640);
  expect([0, 409_600, 819_200].map((at) => tensor?.data[at])).toEqual([0x30, 0x20, 0x10]);
  const base64 = await analyze('?model=echo&encoding=base64');
  const [same] = base64.body['outputs'] as { data_base64: string }[];
  const bytes = Buffer.from(same?.data_base64 ?? '', 'base64');
  expect(bytes).toHaveLength(3 * 640 * 640 * 4);
  expect(bytes.readFloatLE(409_600 * 4)).toBe(0x20);
});

test('GET tells what the model is and how it is asked', async () => {
  const answer = await request(service.port, { path: '/analyze' });
  expect(answer.json()).toMatchObject({
    model: 'boxes',
    version: expect.stringMatching(/^[0-9a-f]{12}$/) as unknown,
    state: 'ready',
    default: true,
    task: 'detect',
    layout: 'yolov10',
    labels: 3,
    input: { width: 640, height: 640, channels: 3 },
    request: {
      method: 'POST',
      path: '/analyze?model=boxes',
      file_field: 'file',
      formats: ['jpeg', 'png', 'webp', 'tiff'],
      max_bytes: 33_554_432,
      max_pixels: 50_000_000,
    },
  });
  const other = await request(service.port, { path: '/analyze?model=classes' });
  expect(other.json()).toMatchObject({ model: 'classes', task: 'classify', default: false });
  const head = await request(service.port, { method: 'HEAD', path: '/analyze' });
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
});

test.each([
  ['a model that nobody has', '?model=gone', undefined, 404],
  ['a file without bytes', '', new Uint8Array(), 400],
  ['bytes that are no image', '', new TextEncoder().encode('hello, this is no image'), 415],
  ['a format that is not read', '', new TextEncoder().encode('GIF89a................'), 415],
])('%s: %s %s is a %d with a text', async (_what, query, file, status) => {
  const answer = await analyze(query, file);
  expect(answer.status).toBe(status);
  expect(answer.body).toEqual({ detail: expect.any(String) as unknown });
});

test('a truncated image is a 400, one with too many pixels a 413', async () => {
  const cut = await analyze('', image.subarray(0, image.length - 30));
  expect(cut).toEqual({ status: 400, body: { detail: expect.stringMatching(/png/i) as unknown } });
  const huge = Buffer.from(image);
  huge.writeUInt32BE(60_000, 16);
  huge.writeUInt32BE(60_000, 20);
  const large = await analyze('', huge);
  expect(large).toEqual({ status: 413, body: { detail: expect.stringContaining('60000') as unknown } });
});

test('the log has a line with the request’s id, model and stage timings', async () => {
  const { headers, body } = form({ file: image });
  const answer = await request(service.port, {
    method: 'POST',
    path: '/analyze?model=classes',
    headers,
    body,
  });
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      level: 'info',
      msg: 'request',
      request_id: answer.headers['request-id'],
      path: '/analyze',
      status: 200,
      model: 'classes',
      timings: TIMINGS,
    }),
  );
});
