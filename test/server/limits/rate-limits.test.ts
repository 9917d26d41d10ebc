import { Anthropic, RateLimitError } from '@anthropic-ai/sdk';
import { createAnthropicProvider, createProviderRegistry } from '../../../messages/index.ts';
import { clientKey, type KeyLimits } from '../../../server/auth/client-key.ts';
import {
  eventsOf,
  failure,
  json,
  message,
  reply,
  startUpstream,
  stream,
  text,
} from '../../support/anthropic-upstream.ts';
import { ask, type Answer, type Running, startServer, stopServers } from '../harness.ts';
import { openedForAll } from '../../support/opened.ts';
import { posted } from '../../support/posted.ts';

const KEY = 'sk-alice-0123456789';
const OTHER = 'sk-bob-0123456789';
const ORGANIZATION = '0b6a2c1e-9a7e-4d7e-8f52-1f1e2d3c4b5a';

let now: number;
const upstream = openedForAll(startUpstream);
beforeEach(() => {
  now = Date.parse('2026-11-22T10:00:00Z');
});
afterEach(async () => {
  await stopServers();
  upstream.reset();
});

async function served(limits: KeyLimits, others: KeyLimits = {}): Promise<Running> {
  const provider = createAnthropicProvider({ apiKey: 'upstream-key-0', baseURL: upstream.baseURL });
  return startServer({
    access: { kind: 'keys', keys: [clientKey(KEY, 'alice', limits), clientKey(OTHER, 'bob', others)] },
    organization: ORGANIZATION,
    providers: createProviderRegistry([{ model: 'm', provider }]),
    now: () => now,
  });
}

const body = (change: object = {}): string =>
  JSON.stringify({ model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }], ...change });

const post = (running: Running, change: object = {}, key = KEY, path = '/v1/messages'): Promise<Answer> =>
  ask(`${running.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: body(change),
  });

const postStream = (running: Running, signal?: AbortSignal): Promise<Response> =>
  fetch(`${running.url}/v1/messages`, {
    method: 'POST',
    headers: { 'x-api-key': KEY, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
    body: body({ stream: true }),
    ...(signal === undefined ? {} : { signal }),
  });

function limitHeaders({ headers }: Answer | Response): Record<string, string> {
  const prefix = 'anthropic-ratelimit-';
  return Object.fromEntries(
    [...headers].flatMap(([name, value]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : [],
    ),
  );
}

const usage = (input: number, output: number, more: object = {}): { usage: Record<string, unknown> } => ({
  usage: { input_tokens: input, output_tokens: output, ...more },
});

it('requests a minute: the headers count down, then 429 with the time to wait in the usual words', async () => {
  const running = await served({ requests: 2 });
  expect(limitHeaders(await post(running))).toEqual({
    'requests-limit': '2',
    'requests-remaining': '1',
    'requests-reset': '2026-11-22T10:00:30Z',
  });
  expect(limitHeaders(await post(running))['requests-remaining']).toBe('0');
  const refused = await post(running);
  expect(refused.status).toBe(429);
  expect(refused.body).toMatchObject({
    type: 'error',
    error: {
      type: 'rate_limit_error',
      message:
        "This request would exceed your organization's rate limit of 2 requests per minute " +
        `(org: ${ORGANIZATION}, model: m). For details, refer to: https://docs.claude.com/en/api/rate-limits. ` +
        'You can see the response headers for current usage. Please reduce the prompt length or the maximum tokens ' +
        'requested, or try again later.',
    },
    request_id: refused.headers.get('request-id'),
  });
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(refused.headers.get('x-should-retry')).toBe('true');
  expect(limitHeaders(refused)).toEqual({
    'requests-limit': '2',
    'requests-remaining': '0',
    'requests-reset': '2026-11-22T10:01:00Z',
  });
  expect(upstream.seen).toHaveLength(2);
  now += 30_000;
  expect((await post(running)).status).toBe(200);
});

it("keys have allowances of their own, answers of every kind the organization's id, and no limit has no headers", async () => {
  const running = await served({ requests: 1 });
  await post(running);
  expect((await post(running)).status).toBe(429);
  const other = await post(running, {}, OTHER);
  expect(other.status).toBe(200);
  expect(limitHeaders(other)).toEqual({});
  expect(other.headers.get('anthropic-organization-id')).toBe(ORGANIZATION);
  const refused = await post(running, { max_tokens: 'many' }, OTHER);
  expect([refused.status, refused.headers.get('anthropic-organization-id')]).toEqual([400, ORGANIZATION]);
});

it('the official client waits for as long as it is told, and reads the headers', async () => {
  const running = await served({ requests: 1 });
  const client = new Anthropic({ apiKey: KEY, baseURL: running.url, maxRetries: 0 });
  const params = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'hello' }] };
  const { response } = await client.messages.create(params).withResponse();
  expect(response.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
  const error: unknown = await client.messages.create(params).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(RateLimitError);
  expect((error as RateLimitError).headers?.get('retry-after')).toBe('60');
});

it("input is estimated before and corrected after: the upstream's count stands, a cache's hits do not count", async () => {
  const running = await served({ inputTokens: 1000 });
  upstream.answer = json(
    200,
    message('Hi.', usage(300, 5, { cache_creation_input_tokens: 100, cache_read_input_tokens: 9000 })),
  );
  const first = await post(running);
  expect(limitHeaders(first)).toEqual({
    'input-tokens-limit': '1000',
    'input-tokens-remaining': '600',
    'input-tokens-reset': '2026-11-22T10:00:24Z',
  });
  upstream.answer = reply(message('Hi.', usage(700, 5)));
  await (await postStream(running)).text();
  const refused = await post(running);
  expect(refused.status).toBe(429);
  expect(JSON.stringify(refused.body)).toContain('rate limit of 1,000 input tokens per minute');
  expect(limitHeaders(refused)['input-tokens-remaining']).toBe('0');
});

it('a request that is larger than a whole minute is refused before anybody is asked', async () => {
  const running = await served({ inputTokens: 100 });
  const refused = await post(running, { messages: [{ role: 'user', content: 'many words '.repeat(500) }] });
  expect(refused.status).toBe(429);
  expect(upstream.seen).toEqual([]);
  expect(limitHeaders(refused)['input-tokens-remaining']).toBe('100');
});

it('an estimate that nothing came of is given back', async () => {
  const running = await served({ inputTokens: 1000 });
  upstream.answer = failure(500, 'api_error', 'down');
  expect((await post(running)).status).toBe(500);
  upstream.answer = json(200, message('Hi.', usage(10, 1)));
  expect(limitHeaders(await post(running))['input-tokens-remaining']).toBe('990');
});

it('output is counted: a reply is never cut, the next one waits', async () => {
  const running = await served({ outputTokens: 100, inputTokens: 1000 });
  upstream.answer = json(200, message('Hi.', usage(10, 400)));
  const first = await post(running);
  expect(first.status).toBe(200);
  expect(limitHeaders(first)).toEqual({
    'input-tokens-limit': '1000',
    'input-tokens-remaining': '990',
    'input-tokens-reset': '2026-11-22T10:00:01Z',
    'output-tokens-limit': '100',
    'output-tokens-remaining': '0',
    'output-tokens-reset': '2026-11-22T10:04:00Z',
    'tokens-limit': '1100',
    'tokens-remaining': '990',
    'tokens-reset': '2026-11-22T10:04:00Z',
  });
  const refused = await post(running);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '181']);
  expect(JSON.stringify(refused.body)).toContain('100 output tokens per minute');
});

it('streamed output is counted while it comes, and by the true count at its end', async () => {
  const running = await served({ outputTokens: 100 });
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const words = 'x'.repeat(800);
  const events = eventsOf(message([text(words)], usage(10, 20)));
  const end = events.findIndex(({ type }) => type === 'content_block_stop');
  upstream.answer = stream(events, { before: (index) => (index === end ? gate : undefined) });
  const response = await postStream(running);
  expect(limitHeaders(response)['output-tokens-remaining']).toBe('100');
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  while ((read.match(/x/g)?.length ?? 0) < 800) read += (await reader?.read())?.value ?? '';
  // 800 characters are 200 tokens or so: the minute is used up although the reply goes on.
  expect((await post(running)).status).toBe(429);
  open();
  for (;;) {
    const { done = true, value = '' } = (await reader?.read()) ?? {};
    read += value;
    if (done) break;
  }
  expect(read).toContain('message_stop');
  upstream.answer = json(200, message('Hi.', usage(10, 1)));
  expect(limitHeaders(await post(running))['output-tokens-remaining']).toBe('79');
});

it('a number of streams at a time: one more is refused, and one that its client left makes room', async () => {
  const running = await served({ streams: 1 });
  upstream.answer = stream(eventsOf(message('Hi.')), {
    before: (index) => (index > 0 ? new Promise(() => {}) : undefined),
  });
  const left = new AbortController();
  const open = await postStream(running, left.signal);
  expect(open.status).toBe(200);
  const refused = await post(running, { stream: true });
  expect([refused.status, refused.body['error']]).toEqual([
    429,
    {
      type: 'rate_limit_error',
      message: 'Number of concurrent connections has exceeded your rate limit. Please try again later.',
    },
  ]);
  left.abort();
  await upstream.gone();
  upstream.answer = reply('Hi.');
  const after = await postStream(running);
  expect(after.status).toBe(200);
  await after.text();
});

it('of many at once exactly as many are let in as there is room for', async () => {
  const running = await served({ requests: 25, streams: 200 });
  const answers = await Promise.all(Array.from({ length: 200 }, () => post(running)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(25);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(175);
  expect(upstream.seen).toHaveLength(25);
  expect(Math.min(...answers.map((answer) => Number(limitHeaders(answer)['requests-remaining'])))).toBe(0);
});

it('the clients of an open server share one allowance', async () => {
  const provider = createAnthropicProvider({ apiKey: 'upstream-key-0', baseURL: upstream.baseURL });
  const running = await startServer({
    access: { kind: 'local', limits: { requests: 1 } },
    providers: createProviderRegistry([{ model: 'm', provider }]),
    now: () => now,
  });
  expect((await post(running)).status).toBe(200);
  expect((await post(running, {}, OTHER)).status).toBe(429);
});

it('counting tokens and creating batches have allowances of their own', async () => {
  const running = await served({ requests: 1 });
  upstream.countTokens = json(200, { input_tokens: 3 });
  const count = (): Promise<Answer> =>
    post(running, { max_tokens: undefined }, KEY, '/v1/messages/count_tokens');
  const batch = (): Promise<Answer> =>
    ask(
      `${running.url}/v1/messages/batches`,
      posted({ requests: [{ custom_id: 'a', params: JSON.parse(body()) as object }] }, { 'x-api-key': KEY }),
    );
  for (const each of [() => post(running), batch, count]) {
    const first = await each();
    expect([first.status, limitHeaders(first)['requests-remaining']]).toEqual([200, '0']);
    expect((await each()).status).toBe(429);
  }
});
