import { clientKey } from '../../../server/auth/client-key.ts';
import { constantModel } from '../../support/onnx.ts';
import { startServer, stopServers } from '../harness.ts';
import { form, request } from './http.ts';
import { startService, stopServices } from './service.ts';

afterEach(stopServers);
afterAll(stopServices);

const KEY = 'sk-test-0123456789';
const access = { kind: 'keys', keys: [clientKey(KEY)] } as const;
const GUARDED = [
  ['GET', '/analyze'],
  ['POST', '/analyze'],
  ['POST', '/ANALYZE/'],
  ['POST', '/vector_image'],
  ['GET', '/metrics'],
  ['GET', '/v2'],
  ['GET', '/v2/models'],
  ['POST', '/v2/models/any/infer'],
  ['POST', '/v2/repository/models/any/unload'],
] as const;

describe('with a key', () => {
  test.each(GUARDED)('%s %s wants it, in the shape of its face', async (method, path) => {
    const { port } = await startServer({ access });
    for (const headers of [{}, { 'x-api-key': 'wrong' }]) {
      const answer = await request(port, { method, path, headers });
      expect(answer.status).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      const name = path.startsWith('/v2') ? 'error' : 'detail';
      expect(answer.json()).toEqual({ [name]: expect.stringMatching(/x-api-key/) as unknown });
    }
    for (const headers of [{ 'x-api-key': KEY }, { authorization: `Bearer ${KEY}` }]) {
      expect((await request(port, { method, path, headers })).status).not.toBe(401);
    }
  });

  test('probes need none, and a path that is not there is a 404 to everybody', async () => {
    const { port } = await startServer({ access });
    expect((await request(port, { path: '/v2/health/live' })).status).toBe(200);
    expect((await request(port, { path: '/v2/health/ready' })).status).toBe(503);
    expect((await request(port, { path: '/health' })).status).toBe(200);
    expect((await request(port, { path: '/nothing' })).status).toBe(404);
    expect((await request(port, { path: '/v1/nothing' })).status).toBe(401);
  });
});

test.each([
  ['a rebound name', { host: 'evil.example' }],
  ['a page of another site', { origin: 'https://evil.example' }],
  ['a form of another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
])('open on loopback: %s is refused', async (_who, headers) => {
  const { port } = await startServer();
  for (const [method, path] of GUARDED) {
    const answer = await request(port, { method, path, headers });
    expect(answer.status).toBe(403);
    expect(Object.keys(answer.json() as object)).toEqual([path.startsWith('/v2') ? 'error' : 'detail']);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  }
});

test('metrics count requests, stages and models, and a made-up name makes no series', async () => {
  const boxes = constantModel({ outputs: { output0: { shape: [1, 1, 6], data: [0, 0, 9, 9, 0.9, 0] } } });
  const service = await startService({ boxes: { onnx: boxes, sidecar: { layout: 'yolov10' } } });
  const { port } = service;
  const ask = (path: string, file: Buffer): Promise<{ status: number }> =>
    request(port, { method: 'POST', path, ...form({ file }) });
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  expect((await ask('/analyze', png)).status).toBe(200);
  expect((await ask('/analyze', Buffer.from('no image'))).status).toBe(415);
  for (let index = 0; index < 20; index += 1) {
    await ask(`/analyze?model=made-up-${index}`, png);
    await request(port, { path: `/made/up/${index}` });
    await request(port, { path: `/v2/models/made-up-${index}` });
  }
  const answer = await request(port, { path: '/metrics' });
  expect(answer.headers['content-type']).toMatch(/^text\/plain; version=0\.0\.4/);
  const text = answer.bytes.toString();
  expect(text).not.toContain('made');
  for (const line of [
    'steadyhand_inference_requests_total{model="boxes",operation="analyze",outcome="ok"} 1',
    'steadyhand_inference_requests_total{model="boxes",operation="analyze",outcome="format_not_supported"} 1',
    'steadyhand_inference_stage_seconds_count{model="boxes",stage="inference"} 1',
    'steadyhand_inference_queue_requests{model="boxes",state="waiting"} 0',
    'steadyhand_inference_queue_requests{model="boxes",state="running"} 0',
    'steadyhand_inference_model_state{model="boxes",state="ready"} 1',
    'steadyhand_inference_model_state{model="ocr",state="unloaded"} 1',
    'steadyhand_http_requests_total{method="POST",route="/analyze",status="200"} 1',
    'steadyhand_http_requests_total{method="POST",route="/analyze",status="404"} 20',
    'steadyhand_http_requests_total{method="GET",route="none",status="404"} 20',
    'steadyhand_http_requests_total{method="GET",route="/v2/models/{model}",status="404"} 20',
  ]) {
    expect(text).toContain(`${line}\n`);
  }
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
}, 180_000);
