import fs from 'node:fs';
import path from 'node:path';
import { ConfigFileError } from '../../app/config/yaml-file.ts';
import { readProvidersFile, type ProvidersFile } from '../../app/config/providers-file.ts';
import {
  collectMessage,
  createDefaultProviders,
  parseMessageRequest,
  ProvidersFileError,
  type Message,
  type TextRecognizer,
} from '../../messages/index.ts';
import { json, message, startUpstream } from '../support/anthropic-upstream.ts';
import { COMPUTER_USE, TOOLS } from '../messages/support.ts';
import { openedForAll } from '../support/opened.ts';
import { folderForEach } from '../support/temporary-folder.ts';

const blind: TextRecognizer = { read: async () => [] };
const { signal } = new AbortController();

const folder = folderForEach();
let file: string;
beforeEach(() => {
  file = path.join(folder(), 'providers.yaml');
});

function read(text: string, env: Record<string, string> = {}, mode = 0o600): ProvidersFile {
  fs.writeFileSync(file, text, { mode });
  fs.chmodSync(file, mode);
  const found = readProvidersFile({ named: file, env, recognizer: blind });
  if (found === undefined) throw new Error('the file is there');
  return found;
}

const SECRET = 'sk-ant-0123456789';
const WHOLE = `
providers:
  claude:
    type: anthropic
    api_key: \${CLAUDE_KEY}
    base_url: BASE
  scripts:
    type: script
models:
  - model: fast
    provider: claude
    upstream_model: claude-haiku-4-5
    aliases: [quick, fastest]
    display_name: Fast
    created_at: "2026-01-02T03:04:05Z"
    max_input_tokens: 200000
    max_tokens: 64000
  - model: play
    provider: scripts
  - model: up/*
    provider: claude
    upstream_model: anthropic.*-v1:0
    tools: 20241022
    context: {cache_breakpoints: auto, keep_screenshots: 3}
  - model: "*"
    provider: claude
    tools: as_listed
`;

describe('the routes of a file', () => {
  const upstream = openedForAll(startUpstream);
  afterEach(() => upstream.reset());

  const providersOf = (text = WHOLE): ReturnType<typeof createDefaultProviders> => {
    return createDefaultProviders({
      table: read(text.replace('BASE', upstream.baseURL), { CLAUDE_KEY: SECRET }).table,
    });
  };
  const ask = async (model: string, more: object = {}): Promise<Message> => {
    const body = { model, max_tokens: 10, messages: [{ role: 'user', content: '- say: hello' }], ...more };
    const request = parseMessageRequest(body, { betas: [COMPUTER_USE] });
    return providersOf().providerFor(model).reply(request, { signal });
  };

  it.each([
    ['fast', 'claude-haiku-4-5'],
    ['quick', 'claude-haiku-4-5'],
    ['up/claude-sonnet-4-5', 'anthropic.claude-sonnet-4-5-v1:0'],
    ['anything', 'anything'],
  ])('%s is asked for upstream as %s', async (model, asked) => {
    upstream.answer = json(200, message('Hi.', { model: 'claude-dated-20260101' }));
    const answer = await ask(model);
    expect(upstream.seen[0]?.body['model']).toBe(asked);
    expect(upstream.seen[0]?.headers.authorization).toBe(`Bearer ${SECRET}`);
    // The client's name comes back, but where it is the upstream's own: that may name a dated release.
    expect(answer.model).toBe(asked === model ? 'claude-dated-20260101' : model);
  });

  it('a streamed answer carries the name that was asked for, too', async () => {
    const request = parseMessageRequest(
      { model: 'fastest', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
      { betas: [] },
    );
    const events = providersOf().providerFor('fastest').stream(request, { signal });
    const { model } = await collectMessage(events);
    expect(model).toBe('fastest');
    expect(upstream.seen[0]?.body).toMatchObject({ model: 'claude-haiku-4-5', stream: true });
  });

  it('script is always there, and may be had under other names', async () => {
    expect((await ask('script')).content[0]).toMatchObject({ type: 'text', text: 'hello' });
    expect((await ask('play')).model).toBe('play');
    expect(upstream.seen).toEqual([]);
    expect(() => providersOf('providers: {}\nmodels: []').providerFor('claude-x')).toThrow('model: claude-x');
  });

  it('tools are said in the generation of the route, else in that of the model, else as listed', async () => {
    const tools = [...TOOLS];
    const typesSent = async (model: string): Promise<unknown> => {
      upstream.reset();
      await ask(model, { tools });
      return ((upstream.seen[0]?.body['tools'] ?? []) as { type: string }[]).map(({ type }) => type);
    };
    const listed = ['computer_20241022', 'text_editor_20241022', 'bash_20241022'];
    expect(await typesSent('up/x')).toEqual(listed);
    expect(await typesSent('claude-opus-5')).toEqual(listed);
    expect(await typesSent('fast')).toEqual(['computer_20250124', 'text_editor_20250728', 'bash_20250124']);
  });

  it("a route's care of the context holds where the request says nothing else", async () => {
    await ask('up/x', { system: 'Be brief.' });
    expect(upstream.seen[0]?.body['system']).toEqual([
      { type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } },
    ]);
    await ask('up/x', { system: 'Be brief.', context_care: { cache_breakpoints: 'off' } });
    expect(upstream.seen[1]?.body['system']).toBe('Be brief.');
  });

  it('the models are listed with what the file tells of them', () => {
    const catalog = providersOf();
    expect(catalog.models().map(({ id, pattern, provider }) => [id, pattern, provider])).toEqual([
      ['script', false, 'script'],
      ['fast', false, 'claude'],
      ['play', false, 'scripts'],
      ['up/*', true, 'claude'],
      ['*', true, 'claude'],
    ]);
    expect(catalog.describe('quick')).toMatchObject({
      id: 'quick',
      displayName: 'Fast',
      createdAt: '2026-01-02T03:04:05Z',
      maxInputTokens: 200_000,
      maxTokens: 64_000,
    });
  });

  it('whoever answers is told to the one who asks for it', async () => {
    const told: object[] = [];
    const request = parseMessageRequest(
      { model: 'fast', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] },
      { betas: [] },
    );
    await providersOf()
      .providerFor('fast')
      .reply(request, { signal, trace: (fact) => void told.push(fact) });
    expect(Object.assign({}, ...told)).toEqual({ provider: 'claude', upstreamRequestId: 'req_upstream' });
  });
});

const minimal = (provider: string, model = 'model: m\n    provider: a'): string =>
  `providers:\n  a:\n    ${provider}\nmodels:\n  - ${model}\n`;
const SCRIPT = 'type: script';

// What is wrong, and what is said of it after the file's name.
const WRONG: [string, string, string][] = [
  ['an empty file', '', 'providers: this field is required'],
  ['no models', 'providers: {}', 'models: this field is required'],
  ['a list', '- a', 'expected object'],
  [
    'a foreign field',
    'providers: {}\nmodels: []\nroutes: []',
    'routes: no such field; expected one of providers, models',
  ],
  [
    'no type',
    minimal('base_url: http://x'),
    'providers.a.type: this field is required; one of anthropic, openai-compatible, ',
  ],
  [
    'an unknown type',
    minimal('type: antropic'),
    'providers.a.type: expected one of anthropic, openai-compatible, ',
  ],
  ['no object', 'providers:\n  a: anthropic\nmodels: []', 'providers.a: expected an object with a type: '],
  [
    'a bad name',
    'providers:\n  "a b": {type: script}\nmodels: []',
    'providers.a b: a name is letters, digits',
  ],
  ['no key', minimal('type: anthropic'), 'providers.a.api_key: this field is required'],
  [
    'a foreign field of a provider',
    minimal('type: anthropic\n    api_key: k\n    baseurl: http://x'),
    'providers.a.baseurl: no such field; expected one of type, api_key, base_url, ',
  ],
  [
    'no URL',
    minimal('type: anthropic\n    api_key: k\n    base_url: ftp://x'),
    'providers.a.base_url: expected an http or https URL',
  ],
  [
    'an unset variable',
    minimal('type: anthropic\n    api_key: ${NOT_SET}'),
    'providers.a.api_key: the environment variable NOT_SET is not set (provider a)',
  ],
  [
    'an unset variable in a header',
    minimal(
      'type: openai-compatible\n    base_url: http://x/v1\n    headers:\n      x-key: Bearer ${NOT_SET}',
    ),
    'providers.a.headers.x-key: the environment variable NOT_SET is not set (provider a)',
  ],
  [
    'an unquoted reference in a flow',
    'providers:\n  a: {type: anthropic, api_key: ${K}}\nmodels: []',
    'not valid YAML at line 2, column 34 (UNEXPECTED_TOKEN); inside {...} a reference is quoted, "${NAME}"',
  ],
  ['a twin', 'models: []\nmodels: []\nproviders: {}', 'not valid YAML at line 2, column 1 (DUPLICATE_KEY)'],
  [
    'a style without its fields',
    minimal('type: anthropic\n    api_key: k\n    style: vertex'),
    'providers.a.region: style vertex needs this field',
  ],
  [
    'an unknown style',
    minimal('type: anthropic\n    api_key: k\n    style: azure'),
    'providers.a.style: expected api or bedrock or vertex',
  ],
  [
    'an unknown provider',
    minimal(SCRIPT, 'model: m\n    provider: b'),
    'models.0.provider: there is no provider b; expected one of a',
  ],
  [
    'no provider at all',
    'providers: {}\nmodels: [{model: m, provider: b}]',
    'models.0.provider: there is no provider b; expected one, but none is listed',
  ],
  [
    'a foreign field of a route',
    minimal(SCRIPT, 'model: m\n    provider: a\n    upstream: x'),
    'models.0.upstream: no such field; expected one of model, provider, upstream_model, ',
  ],
  [
    'a foreign field of its context',
    minimal(SCRIPT, 'model: m\n    provider: a\n    context: {keep: 3}'),
    'models.0.context.keep: no such field; expected one of keep_screenshots, cache_breakpoints, fit_images',
  ],
  [
    'a wrong value of its context',
    minimal(SCRIPT, 'model: m\n    provider: a\n    context: {keep_screenshots: 0}'),
    'models.0.context.keep_screenshots: input should be greater than or equal to 1',
  ],
  [
    'a price without its output',
    minimal(SCRIPT, 'model: m\n    provider: a\n    price: {input: 3}'),
    'models.0.price.output: this field is required',
  ],
  [
    'a foreign field of a price',
    minimal(SCRIPT, 'model: m\n    provider: a\n    price: {input: 3, output: 15, cached: 1}'),
    'models.0.price.cached: no such field; expected one of currency, input, output, cache_write, cache_read',
  ],
  [
    'a price in words',
    minimal(SCRIPT, 'model: m\n    provider: a\n    price: {input: "3 USD", output: 15}'),
    'models.0.price.input: expected number',
  ],
  [
    'a price below nothing',
    minimal(SCRIPT, 'model: m\n    provider: a\n    price: {input: 3, output: -1}'),
    'models.0.price.output: expected 0 or more',
  ],
  [
    'no currency',
    minimal(SCRIPT, 'model: m\n    provider: a\n    price: {currency: $, input: 3, output: 15}'),
    'models.0.price.currency: expected the three capital letters of a currency, e.g. USD',
  ],
  [
    'a star in the middle',
    minimal(SCRIPT, 'model: a*b\n    provider: a'),
    'models.0.model: expected a name, or the beginning of names with * behind it',
  ],
  [
    'a star without one',
    minimal(SCRIPT, 'model: m\n    provider: a\n    upstream_model: x-*'),
    'models.0.upstream_model: a star needs one at the end of model',
  ],
  [
    'an alias of many',
    minimal(SCRIPT, 'model: m*\n    provider: a\n    aliases: [x]'),
    'models.0.aliases: an alias needs a model without a star',
  ],
  [
    'a name twice',
    minimal(SCRIPT, 'model: m\n    provider: a\n  - model: m\n    provider: a'),
    'models.1.model: m has a route already, in models.0.model',
  ],
  [
    'an alias that is a name',
    minimal(SCRIPT, 'model: m\n    provider: a\n  - model: n\n    provider: a\n    aliases: [m]'),
    'models.1.aliases.0: m has a route already, in models.0.model',
  ],
  [
    'script',
    minimal(SCRIPT, 'model: script\n    provider: a'),
    "models.0.model: script is always the script provider's",
  ],
  [
    'an unknown generation',
    minimal(SCRIPT, 'model: m\n    provider: a\n    tools: 20241023'),
    'models.0.tools: expected 20241022, 20250124, ',
  ],
  [
    'half a set of tools',
    minimal(SCRIPT, 'model: m\n    provider: a\n    tools: {computer: computer_20241022}'),
    'models.0.tools.editor: this field is required',
  ],
  [
    'a recording of two',
    minimal(
      SCRIPT,
      'model: m\n    provider: a\n    record: ./x\n  - model: n\n    provider: a\n    record: x',
    ),
    'models.1.record: the file is written for models.0 already',
  ],
  [
    'no time',
    minimal(SCRIPT, 'model: m\n    provider: a\n    created_at: yesterday'),
    'models.0.created_at: expected a time as RFC 3339, quoted',
  ],
  [
    'no count',
    minimal(SCRIPT, 'model: m\n    provider: a\n    max_tokens: many'),
    'models.0.max_tokens: expected number',
  ],
];

it.each(WRONG)('%s ends the start with one line', (_what, text, message) => {
  let thrown: unknown;
  try {
    read(text);
  } catch (error) {
    thrown = error;
  }
  expect(thrown instanceof ConfigFileError || thrown instanceof ProvidersFileError).toBe(true);
  const told = (thrown as Error).message;
  expect(told.slice(0, `${file}: ${message}`.length)).toBe(`${file}: ${message}`);
  expect(told).not.toContain('\n');
});

it('an error never repeats a key', () => {
  for (const text of [
    minimal(`type: anthropic\n    api_key: ${SECRET}\n    api_key: ${SECRET}`),
    minimal(`type: anthropic\n    api_key: [${SECRET}]`),
    minimal(`type: anthropic\n    api_key: ${SECRET}\n    style: x`),
    `providers: {a: {type: anthropic, api_key: ${SECRET}`,
  ]) {
    let told = '';
    try {
      read(text);
    } catch (error) {
      told = (error as Error).message;
    }
    expect(told).toContain(file);
    expect(told).not.toContain(SECRET);
  }
});

it('keys in the file are known as secrets, and warned about where others can read them', () => {
  const text = minimal(`type: anthropic\n    api_key: ${SECRET}`);
  expect(read(text).warning).toBeUndefined();
  const open = read(text, {}, 0o644);
  expect(open.table.secrets).toEqual([SECRET]);
  expect(open.warning).toBe(
    `${file} holds a key and can be read by others on this machine: chmod 600 it, or refer to a variable`,
  );
  const headers = (line: string): string =>
    minimal(`type: openai-compatible\n    base_url: http://x/v1\n    headers:\n      ${line}`);
  expect(read(headers('x-title: My application'), {}, 0o644)).toMatchObject({
    warning: undefined,
    table: { secrets: [] },
  });
  expect(read(headers(`x-api-key: ${SECRET}`), {}, 0o644).table.secrets).toEqual([SECRET]);
  expect(read(headers('x-title: ${K}'), { K: SECRET }).table.secrets).toEqual([SECRET]);
  const referring = read(minimal('type: anthropic\n    api_key: ${K}'), { K: SECRET }, 0o644);
  expect(referring.warning).toBeUndefined();
  expect(referring.table.secrets).toEqual([SECRET]);
});

it('JSON is YAML; a file that is named must be there, the default one need not', () => {
  const json = JSON.stringify({
    providers: { a: { type: 'script' } },
    models: [{ model: 'm', provider: 'a' }],
  });
  expect(read(json).table.models).toHaveLength(1);
  const missing = path.join(folder(), 'other.yaml');
  expect(() => readProvidersFile({ named: missing, env: {}, recognizer: blind })).toThrow(
    `${missing}: cannot be read: ENOENT`,
  );
  expect(readProvidersFile({ named: undefined, env: {}, recognizer: blind })).toBeUndefined();
});

it('a route may write down what is said, for the replay provider to answer from', async () => {
  const upstream = await startUpstream();
  try {
    const text = `
providers:
  claude: {type: anthropic, api_key: ${SECRET}, base_url: "${upstream.baseURL}"}
  replayed: {type: replay, file: recorded/local.jsonl}
models:
  - {model: local-model, provider: claude, upstream_model: claude-haiku-4-5, record: recorded/local.jsonl}
  - {model: again, provider: replayed}
`;
    const providers = createDefaultProviders({ table: read(text).table });
    const asked = (model: string, content: string): ReturnType<typeof parseMessageRequest> =>
      parseMessageRequest({ model, max_tokens: 10, messages: [{ role: 'user', content }] }, { betas: [] });
    const ask = (model: string, content: string): Promise<Message> =>
      providers.providerFor(model).reply(asked(model, content), { signal });
    upstream.queue.push(json(200, message('One.')), json(200, message('Two.')));
    await ask('local-model', 'first');
    await ask('local-model', 'second');
    expect((await ask('again', 'second')).content).toMatchObject([{ text: 'Two.' }]);
    expect((await ask('again', 'first')).content).toMatchObject([{ text: 'One.' }]);
    await expect(ask('again', 'third')).rejects.toMatchObject({ status: 400 });
    expect(upstream.seen).toHaveLength(2);
    const recorded = fs.readFileSync(path.join(folder(), 'recorded/local.jsonl'), 'utf8');
    expect(recorded).not.toContain(SECRET);
  } finally {
    await upstream.close();
  }
});

it('the example of docs/configuration.md is a providers file', () => {
  const page = fs.readFileSync(path.resolve(__dirname, '../../docs/configuration.md'), 'utf8');
  const example = /```yaml\n(providers:[^]*?)```/.exec(page)?.[1] ?? '';
  const { table } = read(example, { ANTHROPIC_API_KEY: SECRET, VERTEX_TOKEN: 'vertex-token-0' });
  const providers = createDefaultProviders({ table });
  for (const model of ['vision', 'vision-latest', 'cloud/claude-opus-5', 'claude-opus-5', 'script']) {
    expect(providers.describe(model)?.id).toBe(model);
  }
  expect(providers.describe('gpt')).toBeUndefined();
});

test('nothing is recorded where several processes serve the same sessions', () => {
  const text =
    'providers: {s: {type: script}}\nmodels: [{model: a, provider: s}, {model: b, provider: s, record: r.jsonl}]';
  fs.writeFileSync(file, text);
  const options = { named: file, env: {}, recognizer: blind };
  expect(readProvidersFile({ ...options, isShared: false })?.table.models).toHaveLength(2);
  expect(() => readProvidersFile({ ...options, isShared: true })).toThrow(
    `${file}: models.1.record: where STORE is PostgreSQL, a recording would lie in pieces in several processes`,
  );
});
