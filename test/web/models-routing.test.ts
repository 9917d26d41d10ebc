import { costOf } from '../../web/models/price.ts';
import { modelRows } from '../../web/models/model-rows.ts';
import { type Price, priceFor, type Provider, routeFor } from '../../web/models/routing.ts';

/** Which route a model's name takes, and what its tokens cost. */

const PRICE: Price = { currency: 'USD', input: 3, output: 15, cache_write: 3.75, cache_read: 0.3 };
const TOKENS = { input: 0, output: 0, cache_write: 0, cache_read: 0 };

function provider(
  name: string,
  models: readonly (readonly [number, string, Price | null, string?])[],
): Provider {
  return {
    type: 'model_provider',
    name,
    kind: 'anthropic',
    address: null,
    key: 'set',
    state: 'ok',
    reason: null,
    waiting_until: null,
    last_contact_at: null,
    checkable: true,
    requests: 0,
    failed: 0,
    cancelled: 0,
    under_way: 0,
    tokens: TOKENS,
    latency: {
      samples: 0,
      p50_ms: null,
      p95_ms: null,
      first_token_p50_ms: null,
      first_token_p95_ms: null,
    },
    errors: [],
    models: models.map(([position, model, price, alias]) => ({
      position,
      model,
      pattern: model.endsWith('*'),
      aliases: alias === undefined ? [] : [alias],
      display_name: null,
      price,
    })),
    used: [{ model: 'claude-new', requests: 3, failed: 0, tokens: TOKENS }],
  };
}

const PROVIDERS = [
  provider('claude', [
    [1, 'claude-opus', PRICE, 'opus'],
    [3, 'claude-*', null],
  ]),
  provider('cloud', [[2, 'claude-cloud-*', { ...PRICE, currency: 'EUR' }]]),
];

test.each([
  ['claude-opus', 'claude', 1],
  ['opus', 'claude', 1],
  ['claude-cloud-x', 'cloud', 2],
  ['claude-haiku', 'claude', 3],
])('%s goes to %s by the route %i', (name, owner, position) => {
  const found = routeFor(PROVIDERS, name);
  expect([found?.provider.name, found?.route.position]).toEqual([owner, position]);
});

test('a name without a route, and a route without a price, have none', () => {
  expect(routeFor(PROVIDERS, 'gpt')).toBeUndefined();
  expect([priceFor(PROVIDERS, 'gpt'), priceFor(PROVIDERS, 'claude-haiku')]).toEqual([undefined, undefined]);
  expect(priceFor(PROVIDERS, 'claude-cloud-x')?.currency).toBe('EUR');
});

test('tokens cost what a million of their kind costs', () => {
  const tokens = { input: 1_000_000, output: 200_000, cacheRead: 1_000_000, cacheWritten: 400_000 };
  expect(costOf(tokens, PRICE)).toBeCloseTo(3 + 3 + 0.3 + 1.5);
  expect(costOf({ input: 0, output: 0, cacheRead: 0, cacheWritten: 0 }, PRICE)).toBe(0);
});

test('below a pattern stand the names that its upstream lists and that clients used', () => {
  const [claude] = PROVIDERS;
  if (claude === undefined) throw new Error('there is one');
  const listed = [
    { id: 'claude-haiku', display_name: 'Haiku' },
    { id: 'claude-cloud-x', display_name: 'Another’s' },
    { id: 'claude-opus', display_name: 'Opus' },
  ];
  const rows = modelRows({ provider: claude, providers: PROVIDERS, listed });
  expect(rows.map(({ name, note, use }) => [name, note, use?.requests])).toEqual([
    ['claude-opus', 'also opus', undefined],
    ['claude-*', 'every name that begins so', undefined],
    ['claude-haiku', 'Haiku', undefined],
    ['claude-new', undefined, 3],
  ]);
});
