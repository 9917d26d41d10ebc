import { createDefaultProviders } from '../../messages/index.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import { ask, type Answer, type Running, startServer, stopServers } from './harness.ts';

/** What a client is told of its own key. */

afterEach(stopServers);

const ALICE = 'sk-alice-0123456789';
const ONE = 'sk-default-0123456789';

async function serve(): Promise<Running> {
  return await startServer({
    providers: createDefaultProviders({}),
    access: {
      kind: 'keys',
      keys: [
        {
          ...clientKey(ALICE, 'alice', { requests: 10, inputTokens: 1000, streams: 2 }),
          workflows: 'read',
        },
        clientKey(ONE),
      ],
    },
    serverLimits: [
      { name: 'Batch requests at a time', setting: 'BATCH_CONCURRENCY', value: 8, unit: 'count' },
    ],
  });
}

const keyOf = ({ url }: Running, key: string): Promise<Answer> =>
  ask(`${url}/v1/key`, { headers: { 'x-api-key': key } });

test('its name, its rights and its limits, never the key', async () => {
  const running = await serve();
  const { body } = await keyOf(running, ALICE);
  expect(body).toMatchObject({
    type: 'key',
    name: 'alice',
    source: 'file',
    organization: '5d4f3b0e-6f2b-4c59-9a53-0a1f6f6c2f11',
    rights: { data: 'all', workflows: 'read' },
  });
  expect(body['limits']).toMatchObject([
    { lane: 'messages', what: 'requests', limit: 10, remaining: 10 },
    { lane: 'messages', what: 'input_tokens', limit: 1000, remaining: 1000 },
    { lane: 'messages', what: 'output_tokens', limit: null, remaining: null, full_at: null },
    { lane: 'messages', what: 'streams', limit: 2, remaining: 2 },
    { lane: 'count_tokens', what: 'requests', limit: 10 },
    { lane: 'batches', what: 'requests', limit: 10 },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/sk-|sha256/);
});

test('what is used is gone from what remains, and asking uses nothing', async () => {
  const running = await serve();
  await keyOf(running, ALICE);
  const sent = await ask(`${running.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': ALICE, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'script',
      max_tokens: 9,
      messages: [{ role: 'user', content: '- say: hello' }],
    }),
  });
  expect(sent.status).toBe(200);
  const { limits } = (await keyOf(running, ALICE)).body as unknown as { limits: { remaining: number }[] };
  expect(limits[0]?.remaining).toBe(9);
  expect(limits[1]?.remaining).toBeLessThan(1000);
  expect(limits[4]?.remaining).toBe(10);
});

test('the one key of the server may do everything', async () => {
  const { body } = await keyOf(await serve(), ONE);
  expect(body).toMatchObject({ name: 'default', source: 'default', rights: { workflows: 'act' } });
});

test('sizes and the configuration’s limits hold for everybody; a wrong key learns nothing', async () => {
  const running = await serve();
  const { body } = await keyOf(running, ONE);
  expect(body['server_limits']).toEqual([
    { name: 'JSON body', setting: null, value: 32 * 1024 ** 2, unit: 'bytes' },
    { name: 'Message batch', setting: null, value: 256 * 1024 ** 2, unit: 'bytes' },
    { name: 'File', setting: null, value: 500 * 1024 ** 2, unit: 'bytes' },
    { name: 'Body for image models', setting: 'UPLOAD_LIMIT_BYTES', value: 32 * 1024 ** 2, unit: 'bytes' },
    { name: 'Batch requests at a time', setting: 'BATCH_CONCURRENCY', value: 8, unit: 'count' },
  ]);
  expect((await keyOf(running, 'sk-wrong-0123456789')).status).toBe(401);
});

test('an open server has no key to tell of', async () => {
  const { url } = await startServer();
  expect((await ask(`${url}/v1/key`)).body).toMatchObject({
    name: null,
    source: 'none',
    rights: { workflows: 'act' },
  });
});
