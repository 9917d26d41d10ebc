import sharp from 'sharp';
import type { OpenApiDocument } from '../../server/routing/document.ts';
import { type Described, described } from '../support/described.ts';
import { constantModel, identityModel } from '../support/onnx.ts';
import { ask } from './harness.ts';
import { form } from './inference/http.ts';
import { type Service, startService, stopServices } from './inference/service.ts';

/** What the inference routes really answer, held against their own description. */

const MODELS = {
  boxes: {
    onnx: constantModel({
      inputs: [{ name: 'images', shape: [1, 3, 32, 32] }],
      outputs: { output0: { shape: [1, 1, 6], data: [0, 0, 16, 16, 0.9, 1] } },
    }),
    sidecar: { layout: 'yolov10', labels: ['cat', 'dog'] },
  },
  classes: {
    onnx: constantModel({
      inputs: [{ name: 'images', shape: [1, 3, 32, 32] }],
      outputs: { scores: { shape: [1, 3], data: [0.1, 0.7, 0.2] } },
    }),
    sidecar: { task: 'classify', labels: ['a', 'b', 'c'] },
  },
  echo: { onnx: identityModel({ shape: [1, 3, 2, 2] }), sidecar: { task: 'tensor' } },
  broken: { onnx: new TextEncoder().encode('no model') },
};

let service: Service;
let api: Described;
let faults: string[];

beforeAll(async () => {
  // Reading takes as long as the machine makes it.
  service = await startService(MODELS, { timeoutMs: 170_000 });
  api = described((await ask(`${service.url}/openapi.json`)).body as unknown as OpenApiDocument);
}, 180_000);
afterAll(stopServices);
beforeEach(() => {
  faults = [];
});

async function call(
  route: string,
  place: string,
  init: RequestInit = {},
  status = 200,
): Promise<Record<string, unknown>> {
  const [method = ''] = route.split(' ');
  const response = await fetch(`${service.url}${place}`, { method, ...init });
  const media = response.headers.get('content-type')?.split(';')[0] ?? '';
  const text = await response.text();
  const body = media === 'application/json' ? (JSON.parse(text) as Record<string, unknown>) : {};
  const found = [
    ...(response.status === status ? [] : [`answered ${response.status}: ${text.slice(0, 300)}`]),
    ...api.answerFaults(route, response.status, media, body),
  ];
  faults.push(...found.map((fault) => `${route} ${place}: ${fault}`));
  return body;
}

async function upload(parts: Record<string, string | Uint8Array> = {}): Promise<RequestInit> {
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#345' } })
    .png()
    .toBuffer();
  const { headers, body } = form({ file: png, ...parts });
  return { headers, body: new Uint8Array(body) };
}

const json = (body: unknown): RequestInit => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

test('/analyze, of every kind of answer', async () => {
  const found = await call('POST /analyze', '/analyze?score=0.5&iou=0.5&classes=dog&max=3', await upload());
  expect(found['detections']).toHaveLength(1);
  expect(await call('POST /analyze', '/analyze?model=classes', await upload())).toHaveProperty('classes');
  for (const query of [
    '',
    '&encoding=base64',
    '&output=stats',
    '&output=raw&decode=shrink&timeout_ms=20000',
  ]) {
    expect(await call('POST /analyze', `/analyze?model=echo${query}`, await upload())).toHaveProperty(
      'outputs',
    );
  }
  await call('POST /analyze', '/analyze?model=none', await upload(), 404);
  await call('POST /analyze', '/analyze', await upload({ file: 'text' }), 422);
  await call('POST /analyze', '/analyze?score=2', { method: 'POST' }, 422);
  await call('POST /analyze', '/analyze', await upload({ file: new Uint8Array(10) }), 415);
  await call(
    'POST /analyze',
    '/analyze',
    { headers: { 'content-type': 'multipart/form-data' }, body: 'x' },
    400,
  );
  await call('POST /analyze', '/analyze?model=broken&timeout_ms=100', await upload(), 503);
  await call('GET /analyze', '/analyze');
  await call('GET /analyze', '/analyze?model=echo');
  await call('GET /analyze', '/analyze?model=none', {}, 404);
  expect(faults).toEqual([]);
});

test('text, read by the model that is shipped', async () => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100"><rect width="400" height="100" fill="#fff"/>
    <text x="20" y="60" font-size="32" font-family="DejaVu Sans">Steadyhand</text></svg>`;
  const file = await sharp(Buffer.from(svg)).png().toBuffer();
  const found = await call('POST /analyze', '/analyze?model=ocr', await upload({ file }));
  expect(found['lines']).toMatchObject([{ text: 'Steadyhand' }]);
  expect(faults).toEqual([]);
}, 180_000);

test('/vector_image, for every form of the request', async () => {
  const example =
    api.operation('POST /vector_image').requestBody?.content['application/json']?.examples ?? {};
  for (const { value } of Object.values(example))
    await call('POST /vector_image', '/vector_image', json(value));
  await call('POST /vector_image', '/vector_image?format=webp', json([0, 1]));
  const detections = JSON.stringify([{ box: [1, 1, 20, 20], label: 'x' }]);
  await call('POST /vector_image', '/vector_image?format=jpeg', await upload({ detections }));
  await call('POST /vector_image', '/vector_image', json({ values: 'x' }), 422);
  await call(
    'POST /vector_image',
    '/vector_image',
    await upload({ detections, file: new Uint8Array(10) }),
    415,
  );
  expect(faults).toEqual([]);
});

test('the Open Inference Protocol', async () => {
  await call('GET /v2', '/v2');
  await call('GET /v2/health/live', '/v2/health/live');
  await call('GET /v2/health/ready', '/v2/health/ready');
  await call('GET /v2/models', '/v2/models');
  await call('GET /v2/models/stats', '/v2/models/stats');
  const { versions } = await call('GET /v2/models/{model}', '/v2/models/echo');
  const version = (versions as string[])[0] ?? '';
  for (const suffix of ['', '/ready', '/config', '/stats']) {
    await call(`GET /v2/models/{model}${suffix}`, `/v2/models/echo${suffix}`);
    await call(
      `GET /v2/models/{model}/versions/{version}${suffix}`,
      `/v2/models/echo/versions/${version}${suffix}`,
    );
    await call(`GET /v2/models/{model}${suffix}`, `/v2/models/none${suffix}`, {}, 404);
  }
  await call('GET /v2/models/{model}/ready', '/v2/models/broken/ready', {}, 503);
  const data = Array.from({ length: 12 }, (_, index) => index / 2);
  const inputs = [{ name: 'images', shape: [1, 3, 2, 2], datatype: 'FP32', data }];
  const infer = 'POST /v2/models/{model}/infer';
  const answer = await call(infer, '/v2/models/echo/infer', json({ id: 'one', inputs }));
  expect(answer).toMatchObject({ id: 'one', outputs: [{ data }] });
  await call(infer, '/v2/models/echo/infer', json({ inputs, parameters: { binary_data_output: true } }));
  expect(
    api.bodyFaults(infer, { inputs, outputs: [{ name: 'echo', parameters: { binary_data: true } }] }),
  ).toEqual([]);
  await call(
    'POST /v2/models/{model}/versions/{version}/infer',
    `/v2/models/echo/versions/${version}/infer`,
    json({ inputs }),
  );
  await call(infer, '/v2/models/echo/infer', json({ inputs: [] }), 400);
  await call(infer, '/v2/models/none/infer', json({ inputs }), 404);
  await call('POST /v2/repository/index', '/v2/repository/index', json({}));
  await call('POST /v2/repository/models/{model}/unload', '/v2/repository/models/echo/unload');
  await call('GET /v2/models/{model}/ready', '/v2/models/echo/ready', {}, 503);
  await call('POST /v2/repository/models/{model}/load', '/v2/repository/models/echo/load');
  await call('POST /v2/repository/models/{model}/load', '/v2/repository/models/broken/load', {}, 400);
  expect(faults).toEqual([]);
});

test('health and metrics', async () => {
  await call('GET /health', '/health');
  await call('GET /metrics', '/metrics');
  expect(faults).toEqual([]);
});
