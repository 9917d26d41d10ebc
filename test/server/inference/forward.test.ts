import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { clientKey } from '../../../server/auth/client-key.ts';
import { constantModel } from '../../support/onnx.ts';
import { startServer, stopServers } from '../harness.ts';
import { form, request } from './http.ts';
import { startService, stopServices } from './service.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Image requests that a server sends on to another process. */

afterEach(stopServers);
afterAll(stopServices);

const KEY = 'sk-test-0123456789';
const access = { kind: 'keys', keys: [clientKey(KEY)] } as const;
const elsewhere = { inference: { ready: () => true, models: () => [], observe: () => () => {} } };

test('requests and answers go through as they are, and the key is that of the other process', async () => {
  const onnx = constantModel({ outputs: { output0: { shape: [1, 1, 6], data: [0, 0, 9, 9, 0.9, 0] } } });
  const one = { onnx, sidecar: { layout: 'yolov10' } };
  const behind = await startService({ one }, { server: { access } });
  const forward = { url: behind.url, apiKey: KEY, timeoutMs: 30_000 };
  const { port } = await startServer({ ...elsewhere, forward });
  const body = form({ file: PIXEL });
  const post = { method: 'POST', path: '/analyze?model=one', ...body };
  const [direct, through] = await Promise.all([
    request(behind.port, { ...post, headers: { ...body.headers, 'x-api-key': KEY } }),
    request(port, post),
  ]);
  const { timings: _a, ...expected } = direct.json() as { timings: unknown };
  const { timings: _b, ...got } = through.json() as { timings: unknown };
  expect(through.status).toBe(direct.status);
  expect(got).toEqual(expected);
  const unknown = await request(port, { ...post, path: '/analyze?model=nobody' });
  expect(unknown.status).toBe(404);
  expect(unknown.json()).toEqual({ detail: expect.stringContaining('nobody') as unknown });
  const list = await request(port, { path: '/v2/models' });
  expect(list.json()).toMatchObject({
    models: expect.arrayContaining([expect.objectContaining({ name: 'one' })]) as unknown,
  });
});

test('a process that is away is a 503 in the shape of each face, and clients still need their key', async () => {
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  const { port: freed } = gone.address() as AddressInfo;
  await new Promise((resolve) => gone.close(resolve));
  const forward = { url: `http://127.0.0.1:${freed}`, apiKey: undefined, timeoutMs: 30_000 };
  const { port } = await startServer({ access, ...elsewhere, forward });
  const headers = { 'x-api-key': KEY };
  const analyze = await request(port, { path: '/analyze', headers });
  expect(analyze.status).toBe(503);
  expect(analyze.headers['retry-after']).toBe('1');
  expect(analyze.json()).toEqual({ detail: expect.stringMatching(/which does not answer/) as unknown });
  const models = await request(port, { path: '/v2/models', headers });
  expect(models.status).toBe(503);
  expect(models.json()).toEqual({ error: expect.stringMatching(/which does not answer/) as unknown });
  expect((await request(port, { path: '/analyze' })).status).toBe(401);
  expect((await request(port, { path: '/v2/health/ready' })).status).toBe(503);
});

test('a client that goes away ends the request to the other process', async () => {
  let ended: () => void = () => undefined;
  const hasEnded = new Promise<void>((resolve) => {
    ended = resolve;
  });
  let asked: () => void = () => undefined;
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const silent = createServer((req) => {
    asked();
    req.socket.once('close', ended);
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port: behind } = silent.address() as AddressInfo;
  const forward = { url: `http://127.0.0.1:${behind}`, apiKey: undefined, timeoutMs: 30_000 };
  const { url } = await startServer({ ...elsewhere, forward });
  const leaving = new AbortController();
  const answer = fetch(`${url}/analyze`, { signal: leaving.signal }).catch(() => undefined);
  await wasAsked;
  leaving.abort();
  const [gone] = await Promise.all([answer, hasEnded]);
  expect(gone).toBeUndefined();
  await new Promise((resolve) => silent.close(resolve));
});
