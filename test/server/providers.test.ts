import { createDefaultProviders, createProviderRegistry, readProvidersTable } from '../../messages/index.ts';
import { providerKinds } from '../../messages/routing/provider-kinds.ts';
import { clientKey } from '../../server/auth/client-key.ts';
import { failure, json, message, startUpstream } from '../support/anthropic-upstream.ts';
import { openedForAll } from '../support/opened.ts';
import { ask, type Answer, startServer, stopServers } from './harness.ts';

/** What is told of the providers of models: their state, their errors, what they were asked and what that costs. */

const KEY = 'sk-operator-0123456789';
const UPSTREAM_KEY = 'sk-upstream-0123456789';
const upstream = openedForAll(startUpstream);
afterEach(async () => {
  await stopServers();
  upstream.reset();
});

interface Provider {
  readonly [field: string]: unknown;
  readonly errors: readonly { readonly message: string }[];
}

async function serve(): Promise<{
  readonly send: (path: string, body?: object) => Promise<Answer>;
  readonly provider: (name: string) => Promise<Provider | undefined>;
}> {
  const table = readProvidersTable(
    {
      providers: {
        claude: { type: 'anthropic', api_key: UPSTREAM_KEY, base_url: `${upstream.baseURL}/` },
        idle: { type: 'openai-compatible', base_url: 'http://user:secret@127.0.0.1:9/v1?token=secret' },
      },
      models: [
        {
          model: 'fast',
          provider: 'claude',
          aliases: ['quick'],
          price: { input: 3, output: 15, cache_read: 0.3 },
        },
        { model: 'claude-*', provider: 'claude' },
      ],
    },
    { file: 'providers.yaml', folder: '/', env: {}, kinds: providerKinds() },
  );
  const providers = createDefaultProviders({ table });
  const { url } = await startServer({
    providers,
    catalog: providers,
    access: { kind: 'keys', keys: [clientKey(KEY)] },
  });
  const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
  const send = (path: string, body?: object): Promise<Answer> =>
    ask(
      url + path,
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
    );
  return {
    send,
    provider: async (name) => {
      const { data } = (await send('/v1/providers')).body as unknown as { data: Provider[] };
      return data.find((each) => each['name'] === name);
    },
  };
}

const MESSAGE = { model: 'quick', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] };

test('a provider is told with its models, their prices and no secret', async () => {
  const { send, provider } = await serve();
  expect(await provider('claude')).toMatchObject({
    type: 'model_provider',
    kind: 'anthropic',
    key: 'set',
    state: 'unknown',
    requests: 0,
    models: [
      {
        position: 1,
        model: 'fast',
        aliases: ['quick'],
        price: { currency: 'USD', input: 3, output: 15, cache_write: 3, cache_read: 0.3 },
      },
      { position: 2, model: 'claude-*', pattern: true, price: null },
    ],
  });
  expect(await provider('idle')).toMatchObject({
    address: 'http://127.0.0.1:9/v1',
    key: 'none',
    state: 'unknown',
    models: [],
  });
  const { body } = await send('/v1/providers');
  expect(JSON.stringify(body)).not.toMatch(/secret|sk-/);
  expect(Date.parse(String(body['since']))).toBeLessThan(Date.now());
});

test('requests, tokens, errors and waits are counted by the name that the client used', async () => {
  const { send, provider } = await serve();
  const usage = { input_tokens: 12, output_tokens: 4, cache_read_input_tokens: 100 };
  upstream.answer = json(200, message('Hi.', { usage }));
  await send('/v1/messages', MESSAGE);
  expect(await provider('claude')).toMatchObject({
    state: 'ok',
    requests: 1,
    tokens: { input: 12, output: 4, cache_write: 0, cache_read: 100 },
    latency: { samples: 1 },
    used: [{ model: 'quick', requests: 1, failed: 0 }],
  });
  upstream.answer = failure(429, 'rate_limit_error', 'slow down', { 'retry-after': '60' });
  await send('/v1/messages', MESSAGE);
  const limited = await provider('claude');
  expect(limited).toMatchObject({ state: 'limited', requests: 2, failed: 1, reason: 'slow down' });
  expect(Date.parse(String(limited?.['waiting_until']))).toBeGreaterThan(Date.now());
  upstream.answer = failure(401, 'authentication_error', `no such key ${UPSTREAM_KEY}`);
  await send('/v1/messages', MESSAGE);
  const failing = await provider('claude');
  expect(failing).toMatchObject({ state: 'failing', waiting_until: null, failed: 2 });
  expect(failing?.errors).toHaveLength(2);
  expect(JSON.stringify(failing)).not.toContain(UPSTREAM_KEY);
});

test('a check asks for the list of models and tells what came of it', async () => {
  const { send, provider } = await serve();
  expect(await send('/v1/providers/claude/check', {})).toMatchObject({
    status: 200,
    body: { name: 'claude', state: 'ok' },
  });
  const down = await send('/v1/providers/idle/check', {});
  expect(down).toMatchObject({ status: 200, body: { name: 'idle', state: 'failing' } });
  expect((await provider('idle'))?.errors).toMatchObject([{ model: null }]);
  expect((await send('/v1/providers/script/check', {})).body).toMatchObject({
    error: { message: 'The provider script has no list of models to ask for' },
  });
  expect((await send('/v1/providers/nobody/check', {})).status).toBe(404);
});

test('a provider without its key says what to set', async () => {
  const providers = createDefaultProviders({});
  const { url } = await startServer({ providers, catalog: providers });
  expect((await ask(`${url}/v1/providers`)).body).toMatchObject({
    data: [
      { name: 'script', state: 'unknown' },
      {
        name: 'anthropic',
        state: 'off',
        key: 'missing',
        reason: expect.stringMatching(/ANTHROPIC_API_KEY/) as unknown,
      },
    ],
  });
});

test('a server without providers tells that there are none', async () => {
  const { url } = await startServer({ catalog: createProviderRegistry([]) });
  expect((await ask(`${url}/v1/providers`)).body).toMatchObject({ data: [] });
});
