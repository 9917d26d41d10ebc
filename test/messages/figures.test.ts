import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  ProviderOverloadedError,
  ProviderRateLimitedError,
  ProviderRefusedError,
  ProviderUnavailableError,
} from '../../messages/api/errors.ts';
import { percentile, ProviderFigures } from '../../messages/figures/figures.ts';
import { createProviderRegistry, parseMessageRequest } from '../../messages/index.ts';
import type { ModelProvider } from '../../messages/index.ts';
import { createScriptProvider } from '../../messages/providers/script/script-provider.ts';

let now = 0;
beforeEach(() => {
  now = Date.parse('2026-11-22T10:00:00Z');
});

const figures = (): ProviderFigures => new ProviderFigures(() => now);
const TOKENS = { input: 10, output: 5, cache_write: 2, cache_read: 3 };

test('requests, tokens and latencies are counted, in sum and by model', () => {
  const counted = figures();
  for (const [model, ms] of [
    ['a', 100],
    ['a', 300],
    ['b', 200],
  ] as const) {
    const asked = counted.begin(model);
    now += ms / 2;
    asked.first();
    now += ms / 2;
    asked.answered(TOKENS);
  }
  const { requests, tokens, latency, models, under_way, contact } = counted.now();
  expect({ requests, tokens, under_way }).toEqual({
    requests: 3,
    tokens: { input: 30, output: 15, cache_write: 6, cache_read: 9 },
    under_way: 0,
  });
  expect(latency).toEqual({
    samples: 3,
    p50_ms: 200,
    p95_ms: 300,
    first_token_p50_ms: 100,
    first_token_p95_ms: 150,
  });
  expect(models.get('a')).toMatchObject({ requests: 2, tokens: { input: 20 } });
  expect(contact).toEqual({ state: 'ok', at: now, until: null, reason: null });
});

test('a provider that nobody asked is unknown', () => {
  expect(figures().now()).toMatchObject({
    requests: 0,
    contact: null,
    latency: { samples: 0, p50_ms: null },
  });
});

test.each<[Error, string, number | null]>([
  [new ProviderRateLimitedError('slow down', { retryAfterMs: 5000 }), 'limited', 5000],
  [new ProviderOverloadedError('busy'), 'limited', null],
  [new ProviderUnavailableError('gone'), 'failing', null],
  [new ProviderRefusedError('authentication_error', 'bad key', { status: 401 }), 'failing', null],
  [new ProviderRefusedError('invalid_request_error', 'bad request', { status: 400 }), 'ok', null],
  [new Error('socket hang up'), 'failing', null],
])('an error tells how a provider is (%#)', (error, state, wait) => {
  const counted = figures();
  counted.begin('a').failed(error);
  const { contact, failed, errors } = counted.now();
  expect(contact).toMatchObject({ state, until: wait === null ? null : now + wait });
  expect(failed).toBe(1);
  expect(errors).toMatchObject([{ at: now, message: error.message, model: 'a' }]);
});

test('a list of models says nothing about a limit that still holds', () => {
  const counted = figures();
  counted.begin('a').failed(new ProviderRateLimitedError('slow down', { retryAfterMs: 5000 }));
  counted.listed();
  expect(counted.now().contact?.state).toBe('limited');
  now += 5000;
  counted.listed();
  expect(counted.now().contact?.state).toBe('ok');
});

test('only the newest errors, latencies and names are kept', () => {
  const counted = figures();
  for (let index = 0; index < 500; index++) {
    counted.begin(`model-${index}`).failed(new Error(`no ${index}`));
    counted.begin('fast').answered(TOKENS);
  }
  const { errors, latency, models, requests } = counted.now();
  expect(errors.map(({ message }) => message).slice(0, 2)).toEqual(['no 499', 'no 498']);
  expect([errors.length, latency.samples, models.size, requests]).toEqual([10, 200, 200, 1000]);
});

test.each([
  [[], 0.5, null],
  [[7], 0.95, 7],
  [[4, 1, 3, 2], 0.5, 2],
  [Array.from({ length: 100 }, (_, index) => index + 1), 0.95, 95],
])('of %j the share of %d is %j', (values, share, expected) => {
  expect(percentile(values, share)).toBe(expected);
});

describe('a registry', () => {
  const request = parseMessageRequest(
    { model: 'script', max_tokens: 100, messages: [{ role: 'user', content: '- say: hello' }] },
    { betas: [] },
  );
  const script = createScriptProvider();

  test('counts what its providers are asked, streamed or not, and tells the routes', async () => {
    const registry = createProviderRegistry(
      [
        { model: 'script', provider: script, about: { kind: 'script', address: null, key: 'none' } },
        { model: 'off-*', provider: 'no key', providerName: 'off' },
      ],
      { now: () => now },
    );
    const { signal } = new AbortController();
    await registry.providerFor('script').reply(request, { signal });
    for await (const event of registry.providerFor('script').stream(request, { signal })) {
      // Whoever reads a reply stops at its last event.
      if (event.type === 'message_stop') break;
    }
    const [first, second] = registry.providers();
    expect(first).toMatchObject({
      name: 'script',
      kind: 'script',
      state: 'ok',
      requests: 2,
      failed: 0,
      cancelled: 0,
      under_way: 0,
      checkable: false,
      latency: { samples: 2, first_token_p50_ms: 0 },
      used: [{ model: 'script', requests: 2 }],
    });
    expect(first?.tokens.input).toBeGreaterThan(0);
    expect(second).toMatchObject({
      name: 'off',
      state: 'off',
      reason: 'no key',
      models: [{ position: 1, model: 'off-*', pattern: true, price: null }],
    });
  });

  test('a client that leaves is no error of the provider', async () => {
    const registry = createProviderRegistry([{ model: 'script', provider: script }]);
    for await (const _ of registry.providerFor('script').stream(request, {
      signal: new AbortController().signal,
    }))
      break;
    const stopped = new AbortController();
    const endless: ModelProvider = {
      ...script,
      reply: (_request, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    };
    const other = createProviderRegistry([{ model: 'script', provider: endless }]);
    const reply = other.providerFor('script').reply(request, { signal: stopped.signal });
    await nextTurn();
    expect(other.providers()).toMatchObject([{ under_way: 1 }]);
    stopped.abort(new Error('left'));
    await expect(reply).rejects.toThrow('left');
    for (const each of [registry, other]) {
      expect(each.providers()).toMatchObject([{ failed: 0, cancelled: 1, under_way: 0, errors: [] }]);
    }
  });

  test('a check asks for the list of models; a server without one is there all the same', async () => {
    const listing = (list: () => Promise<readonly { id: string }[]>): ModelProvider => ({
      ...script,
      models: { list, retrieve: async () => undefined },
    });
    const answers = {
      well: async () => [{ id: 'a' }],
      none: () => Promise.reject(Object.assign(new Error('404 page not found'), { status: 404 })),
      down: () => Promise.reject(new Error('connect ECONNREFUSED')),
    };
    const registry = createProviderRegistry(
      Object.entries(answers).map(([name, list]) => ({
        model: `${name}-*`,
        providerName: name,
        provider: listing(list),
      })),
    );
    const { signal } = new AbortController();
    for (const name of Object.keys(answers)) expect(await registry.check(name, signal)).toBe(true);
    expect(await registry.check('nobody', signal)).toBe(false);
    expect(registry.providers().map(({ name, state }) => [name, state])).toEqual([
      ['well', 'ok'],
      ['none', 'ok'],
      ['down', 'failing'],
    ]);
  });
});
