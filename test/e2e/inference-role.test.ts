import fs from 'node:fs';
import path from 'node:path';
import { RemoteModels } from '../../app/remote-models.ts';
import { createRemoteReader } from '../../app/remote-reader.ts';
import { Product } from '../support/product.ts';

/** A process that serves the image models alone, and others that use it. */

const SCREEN = fs.readFileSync(path.join(__dirname, '../app/screens/find-and-replace.png'));

let models: Product;
let server: Product;

beforeAll(async () => {
  models = new Product({ DEFAULT_MODEL: 'ocr' }, undefined, ['--role=inference']);
  await models.start();
  server = new Product({ INFERENCE_URL: models.url });
  await server.start();
}, 360_000);

afterAll(async () => {
  await server.dispose();
  await models.stop();
  fs.rmSync(models.dataDir, { recursive: true, force: true });
}, 120_000);

function analyze(url: string): Promise<Response> {
  const form = new FormData();
  form.set('file', new Blob([SCREEN]), 'screen.png');
  return fetch(`${url}/analyze?lines=words`, { method: 'POST', body: form });
}

async function ready(url: string): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline;) {
    if ((await fetch(`${url}/v2/health/ready`)).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('the image models do not serve');
}

test('a picture that the server is sent is read by the other process, with its words', async () => {
  await ready(server.url);
  const [direct, through] = await Promise.all([analyze(models.url), analyze(server.url)]);
  const { lines } = (await through.json()) as { lines: { text: string; words: { text: string }[] }[] };
  expect(lines).toEqual(((await direct.json()) as { lines: unknown }).lines);
  expect(lines.find(({ text }) => text.includes('Search for'))?.words.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['Search']),
  );
  // It serves nothing else.
  expect((await fetch(`${models.url}/v1/sessions`)).status).toBe(404);
  expect((await fetch(`${models.url}/readyz`)).status).toBe(200);
}, 120_000);

test('the server runs no model, and tells of those that it uses', async () => {
  const health = async (): Promise<{ inference: { ready: boolean; models: { name: string }[] } }> =>
    (await fetch(`${server.url}/health`)).json() as never;
  for (const deadline = Date.now() + 60_000; !(await health()).inference.ready;)
    if (Date.now() > deadline) throw new Error('the server does not know the models');
  expect((await health()).inference.models).toContainEqual(expect.objectContaining({ name: 'ocr' }));
  const threads = fs.readFileSync(`/proc/${server.pid}/maps`, 'utf8');
  expect(threads).not.toContain('libonnxruntime');
  expect(fs.readFileSync(`/proc/${models.pid}/maps`, 'utf8')).toContain('libonnxruntime');
}, 120_000);

test('scripts read screens by it, and wait while it is away', async () => {
  const service = { url: models.url, apiKey: undefined, timeoutMs: 60_000 };
  const known = new RemoteModels(service);
  const reader = createRemoteReader(service, known);
  const lines = await reader.read(SCREEN);
  expect(lines.map(({ text }) => text)).toContain('Find');
  expect((await reader.pixels(SCREEN)).width).toBe(1024);
  await expect(reader.read(Buffer.from('no picture'))).rejects.toMatchObject({
    name: 'PictureUnreadableError',
  });
  known.close();
  const away = { ...service, url: 'http://127.0.0.1:1' };
  await expect(createRemoteReader(away, known).read(SCREEN)).rejects.toMatchObject({
    name: 'ProviderOverloadedError',
    retryable: true,
  });
}, 120_000);
