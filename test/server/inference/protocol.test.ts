import fs from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { halfToNumber } from '@steadyhand/inference';
import { numberToHalf } from '../../../server/inference/half.ts';
import { halfBits } from '../../support/onnx.ts';
import { type HttpAnswer, request } from './http.ts';
import { type Service, startService, stopServices } from './service.ts';

interface Exchange {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly answer: { readonly status: number; readonly header_length: string | null; readonly body: string };
}

/** What Triton's own client sent and got, recorded by test/oracle/triton-client.py; that run checked every answer. */
const { models, exchanges } = JSON.parse(
  fs.readFileSync(path.join(__dirname, 'tritonclient.json'), 'utf8'),
) as { readonly models: Record<string, string>; readonly exchanges: readonly Exchange[] };

let service: Service;

beforeAll(async () => {
  const fixtures = Object.entries(models).map(([name, onnx]) => [
    name,
    { onnx: Buffer.from(onnx, 'base64') },
  ]);
  service = await startService(Object.fromEntries(fixtures) as Record<string, { onnx: Buffer }>);
}, 180_000);

afterAll(stopServices);

test('the record holds the kinds of requests that matter', () => {
  expect(exchanges.length).toBeGreaterThan(20);
  expect(exchanges.filter(({ answer }) => answer.header_length !== null).length).toBeGreaterThan(8);
});

test.each(exchanges.map((exchange) => [exchange.name, exchange] as const))(
  'Triton’s client: %s',
  async (_name, { request: sent, answer: expected }) => {
    const { method, path: place, headers } = sent;
    const answer = await request(service.port, {
      method,
      path: place,
      headers,
      body: Buffer.from(sent.body, 'base64'),
    });
    expect(answer.bytes.toString('latin1')).toBe(Buffer.from(expected.body, 'base64').toString('latin1'));
    expect(answer.status).toBe(expected.status);
    expect(answer.headers['inference-header-content-length'] ?? null).toBe(expected.header_length);
  },
);

async function infer(
  model: string,
  body: object | string | Buffer,
  headers: Record<string, string> = {},
): Promise<HttpAnswer> {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  return await request(service.port, {
    method: 'POST',
    path: `/v2/models/${model}/infer`,
    headers,
    body: bytes,
  });
}

const input = (fields: object): object => ({
  inputs: [{ name: 'in', datatype: 'FP32', shape: [1, 4], data: [1, 2, 3, 4], ...fields }],
});

test('data may be nested as the shape is', async () => {
  const answer = await infer(
    'fp32',
    input({
      shape: [2, 4],
      data: [
        [1, 2, 3, 4],
        [5, 6, 7, 8.5],
      ],
    }),
  );
  expect(answer.json()).toEqual({
    model_name: 'fp32',
    model_version: expect.stringMatching(/^[0-9a-f]{12}$/) as unknown,
    outputs: [{ name: 'out', datatype: 'FP32', shape: [2, 4], data: [1, 2, 3, 4, 5, 6, 7, 8.5] }],
  });
});

test('16-bit floats may come as numbers too', async () => {
  const answer = await infer('half', input({ datatype: 'FP16', shape: [3], data: [0.1, -7, 1e9] }));
  expect(answer.json()).toMatchObject({ outputs: [{ datatype: 'FP16', data: [0.0999755859375, -7, null] }] });
});

test.each([
  ['no JSON', '{"inputs": [', /^failed to parse the request JSON buffer: Expecting value at 12$/],
  ['no inputs', {}, /^inputs: expected a list$/],
  ['no object', [1], /^the request: expected an object$/],
  ['a name that is none', input({ name: 7 }), /^inputs\[0\]\.name: expected a string$/],
  ['BF16', input({ datatype: 'BF16' }), /^inputs\[0\]\.datatype: BF16 is not supported$/],
  ['a size below zero', input({ shape: [-1, 4] }), /^inputs\[0\]\.shape\[0\]: expected a whole number/],
  ['too little data', input({ data: [1, 2, 3] }), /^inputs\[0\]: data has 3 elements, its shape 4$/],
  ['too much data', input({ data: [1, 2, 3, 4, 5] }), /^inputs\[0\]: data has 5 elements, its shape 4$/],
  ['a text among numbers', input({ data: [1, 2, 'x', 4] }), /^inputs\[0\]: data\[2\] is "x", expected FP32$/],
  [
    'an object among numbers',
    '{"inputs": [{"name": "in", "datatype": "FP32", "shape": [1], "data": [{"a": 9007199254740993}]}]}',
    /data\[0\] is an object, expected FP32$/,
  ],
  ['null among numbers', input({ data: [1, 2, null, 4] }), /^inputs\[0\]: data\[2\] is null, expected FP32$/],
  ['a shape of terabytes', input({ shape: [1_000_000, 1_000_000], data: [] }), /elements are too many$/],
  ['a shape of gigabytes', input({ shape: [100_000, 1000], data: [] }), /more than 4000000 elements as JSON/],
  ['no data at all', input({ data: undefined }), /^inputs\[0\]\.data: expected a list$/],
  [
    'binary data that is not there',
    input({ data: undefined, parameters: { binary_data_size: 16 } }),
    /16 bytes announced, 0 are left$/,
  ],
  ['shared memory', input({ parameters: { shared_memory_region: 'r' } }), /shared memory is not supported$/],
  ['another input', input({ name: 'image' }), /image/],
  ['another datatype', input({ datatype: 'INT32' }), /INT32|FP32/],
  ['another shape', input({ shape: [4], data: [1, 2, 3, 4] }), /shape/],
  ['an output that is not there', { ...input({}), outputs: [{ name: 'nope' }] }, /nope/],
])('%s is a 400 that says so', async (_what, body, message) => {
  const answer = await infer('fp32', body);
  expect(answer.json()).toEqual({ error: expect.stringMatching(message) as unknown });
  expect(answer.status).toBe(400);
});

test.each([
  ['int64', 'INT64', [9_007_199_254_740_993n], '9007199254740993'],
  ['int64', 'INT64', [2n ** 63n], null],
  ['int64', 'INT64', [0.5], null],
  ['u8', 'UINT8', [255], '255'],
  ['u8', 'UINT8', [256], null],
  ['u8', 'UINT8', [-1], null],
  ['flags', 'BOOL', [1], 'true'],
  ['flags', 'BOOL', [2], null],
])('%s: %s takes %p: %p', async (model, datatype, data, expected) => {
  const shape = model === 'int64' ? [1, 4] : [1];
  const values = model === 'int64' ? [...data, 0, 0, 0] : data;
  const body = `{"inputs": [{"name": "in", "datatype": "${datatype}", "shape": ${JSON.stringify(shape)}, "data": [${values.join()}]}]}`;
  const answer = await infer(model, body);
  expect([answer.status, /"data":\[([^,\]]*)/.exec(answer.bytes.toString())?.[1] ?? null]).toEqual([
    expected === null ? 400 : 200,
    expected,
  ]);
});

describe('the binary tensor data extension', () => {
  const json = (size: number): string =>
    JSON.stringify({
      inputs: [{ name: 'in', datatype: 'FP32', shape: [1, 4], parameters: { binary_data_size: size } }],
      outputs: [{ name: 'out', parameters: { binary_data: true } }],
    });
  const floats = Buffer.from(new Float32Array([1, 2, 3, 4]).buffer);
  const send = (text: string, data: Buffer, length: string | number = text.length): Promise<HttpAnswer> =>
    infer('fp32', Buffer.concat([Buffer.from(text), data]), {
      'inference-header-content-length': String(length),
    });

  test('data goes in and out behind the JSON', async () => {
    const answer = await send(json(16), floats);
    const length = Number(answer.headers['inference-header-content-length']);
    expect(JSON.parse(answer.bytes.toString('utf8', 0, length))).toMatchObject({
      outputs: [{ name: 'out', parameters: { binary_data_size: 16 } }],
    });
    expect(answer.bytes.subarray(length)).toEqual(floats);
    expect(answer.headers['content-type']).toBe('application/octet-stream');
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
  });

  test.each([
    ['a length beyond the body', json(16), floats, 100_000, /^Inference-Header-Content-Length: /],
    ['a length that is none', json(16), floats, 'all', /^Inference-Header-Content-Length: /],
    ['a length that cuts the JSON', json(16), floats, 20, /^failed to parse the request JSON buffer/],
    ['more announced than there is', json(32), floats, undefined, /32 bytes announced, 16 are left$/],
    [
      'less announced than the shape takes',
      json(12),
      floats.subarray(0, 12),
      undefined,
      /12 bytes of binary data, its shape and datatype take 16$/,
    ],
    [
      'bytes left over',
      json(16),
      Buffer.concat([floats, floats]),
      undefined,
      /^16 bytes of binary data belong to no input$/,
    ],
  ])('%s is a 400', async (_what, text, data, length, message) => {
    const answer = await send(text, data, length);
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: expect.stringMatching(message) as unknown },
    ]);
  });

  test('a text that runs over its end is a 400', async () => {
    const text = JSON.stringify({
      inputs: [{ name: 'in', datatype: 'BYTES', shape: [1], parameters: { binary_data_size: 8 } }],
    });
    const data = Buffer.from([200, 0, 0, 0, 65, 66, 67, 68]);
    const answer = await infer('text', Buffer.concat([Buffer.from(text), data]), {
      'inference-header-content-length': String(text.length),
    });
    expect([answer.status, answer.json()]).toEqual([
      400,
      { error: 'inputs[0]: the binary data ends within element 0' },
    ]);
  });
});

test('a broken, an unknown and an exploding content encoding are refused', async () => {
  const broken = await infer('fp32', 'no gzip at all', { 'content-encoding': 'gzip' });
  expect([broken.status, broken.json()]).toEqual([
    400,
    { error: expect.stringMatching(/^The request body cannot be read: /) as unknown },
  ]);
  const unknown = await infer('fp32', '{}', { 'content-encoding': 'br' });
  expect(unknown.status).toBe(415);
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  expect(bomb.length).toBeLessThan(1024 * 1024);
  const exploding = await infer('fp32', bomb, { 'content-encoding': 'gzip' });
  expect([exploding.status, exploding.json()]).toEqual([
    413,
    { error: expect.stringContaining('larger than') as unknown },
  ]);
});

test('paths and methods that are not there answer in the protocol’s shape', async () => {
  const path404 = await request(service.port, { path: '/v2/nothing' });
  expect([path404.status, path404.json()]).toEqual([404, { error: 'Not Found' }]);
  const method = await request(service.port, { method: 'DELETE', path: '/v2/models/fp32' });
  expect([method.status, method.headers['allow'], method.json()]).toEqual([
    405,
    'GET, HEAD',
    { error: 'Method Not Allowed' },
  ]);
});

test.each([
  ['GET', '/v2/systemsharedmemory/status', 'System shared memory is not supported: '],
  ['POST', '/v2/systemsharedmemory/region/input_data/register', 'System shared memory is not supported: '],
  ['POST', '/v2/cudasharedmemory/region/input_data/register', 'CUDA shared memory is not supported: '],
  ['POST', '/v2/cudasharedmemory/unregister', 'CUDA shared memory is not supported: '],
  ['GET', '/v2/trace/setting', 'Tracing is not supported: '],
  ['POST', '/v2/models/any/trace/setting', 'Tracing is not supported: '],
  ['GET', '/v2/logging', 'The logging extension is not supported: '],
])('%s %s of an extension that is not here is refused by name', async (method, where, message) => {
  const answer = await request(service.port, { method, path: where, headers: {}, body: '' });
  expect(answer.status).toBe(400);
  expect(answer.json()).toEqual({ error: expect.stringContaining(message) as unknown });
});

test('health tells what is live and ready', async () => {
  expect((await request(service.port, { path: '/v2/health/live' })).json()).toEqual({ live: true });
  const ready = await request(service.port, { path: '/v2/health/ready' });
  expect([ready.status, ready.json()]).toEqual([200, { ready: true }]);
  const health = await request(service.port, { path: '/health' });
  expect(health.json()).toMatchObject({
    inference: {
      ready: true,
      models: expect.arrayContaining([{ name: 'fp32', state: 'ready', reason: null }]) as unknown,
    },
  });
});

test('the models are listed, and a new file can be loaded, unloaded and loaded again', async () => {
  const post = (place: string, body = ''): Promise<HttpAnswer> =>
    request(service.port, { method: 'POST', path: `/v2/repository/${place}`, body });
  fs.writeFileSync(path.join(service.modelsDir, 'fresh.onnx'), Buffer.from(models['u8'] ?? '', 'base64'));
  expect((await post('models/fresh/load', '{}')).status).toBe(200);
  const state = async (): Promise<unknown> => {
    const index = (await post('index')).json() as { name: string; state: string }[];
    return index.find(({ name }) => name === 'fresh')?.state;
  };
  expect(await state()).toBe('READY');
  const list = (await request(service.port, { path: '/v2/models' })).json() as { models: { name: string }[] };
  expect(list.models.find(({ name }) => name === 'fresh')).toMatchObject({
    state: 'ready',
    task: 'tensor',
    default: false,
  });

  expect((await post('models/fresh/unload')).status).toBe(200);
  expect(await state()).toBe('UNAVAILABLE');
  expect((await request(service.port, { path: '/v2/models/fresh/ready' })).status).toBe(503);
  expect((await post('models/fresh/load')).status).toBe(200);
  expect((await request(service.port, { path: '/v2/models/fresh/ready' })).status).toBe(200);

  fs.writeFileSync(path.join(service.modelsDir, 'broken.onnx'), 'no model');
  const broken = await post('models/broken/load');
  expect([broken.status, broken.json()]).toEqual([400, { error: expect.any(String) as unknown }]);
  expect((await post('models/gone/load')).status).toBe(404);
  expect((await post('models/..%2Ffresh/load')).status).toBe(404);
  expect((await post('models/fresh/load', '{"parameters": {"config": "{}"}}')).status).toBe(400);
});

test('statistics count what was asked', async () => {
  const count = async (): Promise<number[]> => {
    const { model_stats: stats } = (
      await request(service.port, { path: '/v2/models/half/stats' })
    ).json() as {
      model_stats: { inference_stats: { success: { count: number }; fail: { count: number } } }[];
    };
    return stats.flatMap(({ inference_stats: { success, fail } }) => [success.count, fail.count]);
  };
  const [success = 0, fail = 0] = await count();
  await infer('half', input({ datatype: 'FP16', shape: [1], data: [1] }));
  await infer('half', input({ datatype: 'FP32', shape: [1], data: [1] }));
  expect(await count()).toEqual([success + 1, fail + 1]);
});

test('a 16-bit float is the nearest one, ties to even, and reads back as itself', () => {
  for (let bits = 0; bits < 0x7c00; bits += 1) {
    const value = halfToNumber(bits);
    const next = halfToNumber(bits + 1);
    const middle = (value + next) / 2;
    const even = bits % 2 === 0 ? bits : bits + 1;
    if (
      numberToHalf(value) !== bits ||
      numberToHalf(-value) !== (bits | 0x8000) ||
      (Number.isFinite(next) && numberToHalf(middle) !== even)
    ) {
      throw new Error(`${bits.toString(16)}: ${value}`);
    }
  }
  expect([numberToHalf(65_519), numberToHalf(65_520), numberToHalf(Infinity)]).toEqual([
    0x7bff, 0x7c00, 0x7c00,
  ]);
  expect([numberToHalf(NaN), halfToNumber(0x7e00), halfToNumber(0xfc00)]).toEqual([0x7e00, NaN, -Infinity]);
  expect([1e-9, 2 ** -25, 2 ** -24, 0.333].map(numberToHalf)).toEqual(
    [1e-9, 2 ** -25, 2 ** -24, 0.333].map(halfBits),
  );
});
