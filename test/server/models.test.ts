import Anthropic, { NotFoundError } from '@anthropic-ai/sdk';
import { createAnthropicProvider } from '../../messages/index.ts';
import { createModelList } from '../../messages/routing/model-list.ts';
import { createProviderRegistry, type Route } from '../../messages/routing/registry.ts';
import { createScriptProvider } from '../../messages/providers/script/script-provider.ts';
import { cut, json, silent, startUpstream } from '../support/anthropic-upstream.ts';
import { ask, startServer, stopServers } from './harness.ts';
import { openedForAll } from '../support/opened.ts';

afterAll(stopServers);

const upstream = openedForAll(startUpstream);
beforeEach(() => upstream.reset());

const script = createScriptProvider();
const provider = (): NonNullable<Route['provider']> =>
  createAnthropicProvider({ apiKey: 'sk-upstream', baseURL: upstream.baseURL });

async function serve(
  routes: readonly Route[],
): Promise<{ readonly url: string; readonly client: Anthropic }> {
  const registry = createProviderRegistry(routes);
  const { url } = await startServer({ providers: registry, catalog: registry });
  return { url, client: new Anthropic({ baseURL: url, apiKey: 'unused', maxRetries: 0 }) };
}

const ids = async (client: Anthropic): Promise<string[]> => {
  const found: string[] = [];
  for await (const { id } of client.models.list()) found.push(id);
  return found;
};

/** A model of which nothing is known but that it is there. */
const BARE = {
  type: 'model',
  id: 'script',
  display_name: 'script',
  created_at: '1970-01-01T00:00:00Z',
  lifecycle: 'active',
  deprecated_at: null,
  retires_at: null,
  line: null,
  capabilities: null,
  max_input_tokens: null,
  max_tokens: null,
};

describe('a table of exact names', () => {
  const routes: Route[] = [
    { model: 'script', provider: script },
    {
      model: 'house',
      aliases: ['house-latest', 'old-house'],
      provider: script,
      listing: {
        displayName: 'The house model',
        createdAt: '2026-02-01T00:00:00Z',
        maxInputTokens: 200_000,
        maxTokens: 8192,
      },
    },
    { model: 'house', provider: script },
    { model: 'off', provider: 'it is switched off' },
    { model: 'any-*', provider: script },
  ];

  it('is listed, newest first, whole', async () => {
    const { client } = await serve(routes);
    const page = await client.models.list();
    expect(page.data).toEqual([
      {
        ...BARE,
        id: 'house',
        display_name: 'The house model',
        created_at: '2026-02-01T00:00:00Z',
        max_input_tokens: 200_000,
        max_tokens: 8192,
      },
      BARE,
    ]);
    expect([page.has_more, page.first_id, page.last_id]).toEqual([false, 'house', 'script']);
  });

  it.each([
    ['script', 'script'],
    ['house-latest', 'house'],
    ['old-house', 'house'],
    // A pattern whose provider cannot be asked takes every name that fits.
    ['any-thing', 'any-thing'],
  ])('knows %s as %s', async (name, id) => {
    const { client } = await serve(routes);
    expect(await client.models.retrieve(name)).toMatchObject({ type: 'model', id });
    expect(await client.beta.models.retrieve(name)).toMatchObject({ type: 'model', id });
  });

  it.each(['off', 'gone', 'any', 'a/b'])('does not know %s', async (name) => {
    const { client } = await serve(routes);
    const refused = await client.models.retrieve(name).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(NotFoundError);
    expect(refused).toMatchObject({ message: expect.stringContaining(`model: ${name}`) as string });
  });
});

describe('a pattern', () => {
  it('is listed as what its upstream has, with what the upstream says of it', async () => {
    upstream.models = [
      {
        id: 'claude-new',
        display_name: 'Claude New',
        created_at: '2026-09-01T00:00:00Z',
        max_tokens: 64_000,
        line: 'opus',
      },
      { id: 'other-model' },
      { id: 'claude-old', created_at: '2024-10-22T00:00:00Z', lifecycle: 'deprecated' },
      { id: 'claude-mine', created_at: '2025-01-01T00:00:00Z' },
      { id: 'claude-undated', created_at: 'yesterday' },
    ];
    const { client } = await serve([
      { model: 'claude-mine', provider: script },
      { model: 'script', provider: script },
      { model: 'claude-*', provider: provider() },
    ]);
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual([
      'claude-new',
      'claude-old',
      'claude-mine',
      'script',
      'claude-undated',
    ]);
    expect(data[0]).toMatchObject({
      display_name: 'Claude New',
      max_tokens: 64_000,
      line: 'opus',
      capabilities: null,
    });
    // An earlier route answers for it, and what another upstream says of that name is nothing to us.
    expect(data[2]).toEqual({ ...BARE, id: 'claude-mine', display_name: 'claude-mine' });
    expect(upstream.seen.map(({ headers }) => headers['authorization'] ?? headers['x-api-key'])).toEqual([
      'Bearer sk-upstream',
    ]);
  });

  it('goes by the client’s names, whatever the upstream’s are', async () => {
    upstream.models = [{ id: 'anthropic.claude-x-v1' }, { id: 'anthropic.claude-y' }, { id: 'one' }];
    const { client } = await serve([
      { model: 'my-*', upstreamModel: 'anthropic.*-v1', provider: provider() },
      { model: 'first', upstreamModel: 'one', provider: provider() },
      { model: 'all-*', upstreamModel: 'one', provider: provider() },
    ]);
    expect(await ids(client)).toEqual(['first', 'my-claude-x']);
    expect(await client.models.retrieve('first')).toMatchObject({ created_at: '2026-01-01T00:00:00Z' });
    expect(await client.models.retrieve('my-claude-x')).toMatchObject({ id: 'my-claude-x' });
  });

  it('goes over pages, there and here', async () => {
    upstream.models = Array.from({ length: 45 }, (_, index) => ({ id: `claude-${index}` }));
    const { client, url } = await serve([{ model: '*', provider: provider() }]);
    expect(await ids(client)).toEqual(Array.from({ length: 45 }, (_, index) => `claude-${index}`));
    const seen = [];
    for (const query of [
      'limit=2&after_id=claude-3',
      'limit=2&before_id=claude-3',
      'before_id=claude-2',
      'after_id=gone',
      'limit=1&before_id=claude-44&after_id=claude-42',
    ]) {
      const { body } = await ask(`${url}/v1/models?${query}`);
      seen.push([(body['data'] as { id: string }[]).map(({ id }) => Number(id.slice(7))), body['has_more']]);
    }
    expect(seen).toEqual([
      [[4, 5], true],
      [[1, 2], true],
      [[0, 1], false],
      [[], false],
      [[43], false],
    ]);
    // One look at the upstream is enough for all of that.
    expect(upstream.seen).toHaveLength(1);
  });

  it('keeps models that have retired out, unless they are asked for', async () => {
    upstream.models = [{ id: 'a' }, { id: 'b', lifecycle: 'retired' }, { id: 'c', lifecycle: 'deprecated' }];
    const { client } = await serve([{ model: '*', provider: provider() }]);
    expect(await ids(client)).toEqual(['a', 'c']);
    const retired = await client.models.list({ lifecycle: ['retired', 'deprecated'] });
    expect(retired.data.map(({ id }) => id)).toEqual(['b', 'c']);
  });

  it('asks its upstream for a name that it does not list: it may be an alias', async () => {
    upstream.models = [{ id: 'claude-x-20260101' }];
    const { client } = await serve([{ model: 'claude-*', provider: provider() }]);
    await expect(client.models.retrieve('claude-unknown')).rejects.toBeInstanceOf(NotFoundError);
    expect(upstream.seen.map(({ url }) => url.split('?')[0])).toEqual([
      '/v1/models',
      '/v1/models/claude-unknown',
    ]);
    upstream.models = json(200, {
      type: 'model',
      id: 'claude-x-20260101',
      display_name: 'X',
      created_at: '2026-01-01T00:00:00Z',
    });
    expect(await client.models.retrieve('claude-x')).toMatchObject({
      id: 'claude-x-20260101',
      display_name: 'X',
    });
  });
});

describe('an upstream that cannot say', () => {
  it.each([
    ['fails', json(500, 'no list today')],
    ['knows no such list', json(404, { type: 'error' })],
    ['answers nonsense', json(200, '{"data": [{"name": "no id"}]}')],
    ['answers no JSON', json(200, '<html>')],
    ['cuts the connection', cut],
  ])('%s: the rest of the list stands', async (_what, handler) => {
    upstream.models = handler;
    const { client } = await serve([
      { model: 'claude-*', provider: provider() },
      { model: 'script', provider: script },
    ]);
    expect(await ids(client)).toEqual(['script']);
    expect(await client.models.retrieve('script')).toEqual(expect.objectContaining(BARE));
  });

  it('and does not answer: the list does, in bounded time', async () => {
    upstream.models = silent;
    const catalog = createProviderRegistry([
      { model: 'claude-*', provider: provider() },
      { model: 'script', provider: script },
    ]);
    const models = createModelList({ catalog, askMs: 300 });
    expect((await models.all()).map(({ id }) => id)).toEqual(['script']);
    await upstream.gone();
    // It takes requests for the name, as far as anybody can say.
    expect(await models.retrieve('claude-x')).toMatchObject({ id: 'claude-x' });
  });

  it('is left alone for a while, and asked again then', async () => {
    upstream.models = json(500, 'no');
    let now = 0;
    const models = createModelList({
      catalog: createProviderRegistry([{ model: '*', provider: provider() }]),
      now: () => now,
    });
    expect(await models.all()).toEqual([]);
    upstream.models = [{ id: 'claude-1' }];
    now += 29_999;
    expect(await models.all()).toEqual([]);
    now += 1;
    expect((await models.all()).map(({ id }) => id)).toEqual(['claude-1']);
    upstream.models = [{ id: 'claude-2' }];
    now += 299_999;
    expect((await models.all()).map(({ id }) => id)).toEqual(['claude-1']);
    now += 1;
    expect((await models.all()).map(({ id }) => id)).toEqual(['claude-2']);
    expect(upstream.seen).toHaveLength(3);
  });
});

it.each([
  ['limit=0', 'limit: Input should be greater than or equal to 1'],
  ['limit=1001', 'limit: Input should be less than or equal to 1000'],
  ['limit=ten', 'limit: Input should be a valid integer, unable to parse string as an integer'],
  ['page=x', 'page: Extra inputs are not permitted'],
  ['lifecycle[]=new', "lifecycle.0: Input should be 'active', 'deprecated' or 'retired'"],
])('refuses %s', async (query, message) => {
  const { url } = await serve([{ model: 'script', provider: script }]);
  const { status, body } = await ask(`${url}/v1/models?${query}`);
  expect([status, body['error']]).toEqual([400, { type: 'invalid_request_error', message }]);
  expect((await ask(`${url}/v1/models?beta=true&limit=`)).status).toBe(200);
});
