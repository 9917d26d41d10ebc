import { once } from 'node:events';
import http from 'node:http';
import { Anthropic } from '@anthropic-ai/sdk';
import { createAnthropicProvider, createProviderRegistry, type ModelProvider } from '../../messages/index.ts';
import {
  cut,
  eventsOf,
  failingStream,
  failure,
  json,
  message,
  overloaded,
  rateLimited,
  reply,
  startUpstream,
  stream,
  text,
  thinking,
  toolUse,
} from '../support/anthropic-upstream.ts';
import { startServer, stopServers, type Running } from './harness.ts';
import { madeForAll, openedForAll } from '../support/opened.ts';

/** `POST /v1/messages` with `stream: true`, over sockets on both sides: a client, the server, an upstream. */

const upstream = openedForAll(startUpstream);
const server = madeForAll(() => startServer({ providers: providersFor({}) }));
const client = madeForAll(() => clientOf(server));
beforeEach(() => upstream.reset());
afterAll(stopServers);

function providersFor(change: object): ReturnType<typeof createProviderRegistry> {
  const provider = createAnthropicProvider({ apiKey: 'sk-up', baseURL: upstream.baseURL, ...change });
  return createProviderRegistry([{ model: 'claude-*', provider }]);
}

function clientOf({ url }: Running): Anthropic {
  return new Anthropic({ apiKey: 'any', baseURL: url, maxRetries: 0 });
}

const ask = (words = 'Hello') => ({
  model: 'claude-test',
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content: words }],
});

/** Opens a stream without reading it. */
async function open(body: object, path = '/v1/messages', { url } = server): Promise<http.IncomingMessage> {
  const request = http.request(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
  });
  request.end(JSON.stringify({ ...ask(), stream: true, ...body }));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return response;
}

async function textOf(response: http.IncomingMessage): Promise<string> {
  let whole = '';
  for await (const chunk of response.setEncoding('utf8')) whole += String(chunk);
  return whole;
}

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}

const full = [
  thinking('Let me look.'),
  text('I look at the screen.'),
  toolUse('toolu_1', 'computer', { action: 'screenshot' }),
];

describe('the wire', () => {
  it.each(['/v1/messages', '/v1/messages?beta=true'])(
    'is the events of the API, byte for byte: %s',
    async (path) => {
      const whole = { ...message('Hi.'), model: 'claude-test' };
      upstream.answer = reply(whole);
      const response = await open({}, path);
      expect(response.statusCode).toBe(200);
      expect(response.headers).toMatchObject({
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'request-id': expect.stringMatching(/^req_/) as string,
      });
      expect(response.headers['content-encoding']).toBeUndefined();
      // The upstream's own pings are not handed on: one comes after the first event, others in silence.
      const frames = eventsOf(whole).map((event) =>
        event.type === 'ping'
          ? 'event: ping\ndata: {"type": "ping"}\n\n'
          : `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
      );
      expect(await textOf(response)).toBe(frames.join(''));
    },
  );

  it('takes the stream from the body, not from what the client accepts', async () => {
    upstream.answer = reply('Hi.');
    const response = await open({ stream: false });
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(JSON.parse(await textOf(response))).toMatchObject({ type: 'message' });
    expect(upstream.seen[0]?.body['stream']).toBe(false);
  });
});

describe("the official client's helpers", () => {
  it('give the whole message at the end', async () => {
    upstream.answer = reply(full);
    const messages = client.beta.messages.stream(ask());
    const texts: string[] = [];
    messages.on('text', (delta) => texts.push(delta));
    const final = await messages.finalMessage();
    expect(final.content).toMatchObject(full);
    expect(final).toMatchObject({ stop_reason: 'tool_use', usage: { output_tokens: 12 } });
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe('I look at the screen.');
    expect(messages.request_id).toMatch(/^req_/);
  });

  it('iterate over the events, with betas and without', async () => {
    upstream.answer = reply('Hello there.');
    const expected = eventsOf(message('Hello there.'))
      .map(({ type }) => type)
      .filter((type) => type !== 'ping');
    for (const asked of [
      await client.messages.create({ ...ask(), stream: true }),
      await client.beta.messages.create({ ...ask(), stream: true, betas: ['computer-use-2025-01-24'] }),
    ]) {
      const types: string[] = [];
      for await (const event of asked) types.push(event.type);
      expect(types).toEqual(expected);
    }
    expect(upstream.seen.map(({ headers }) => headers['anthropic-beta'])).toEqual([
      undefined,
      'computer-use-2025-01-24',
    ]);
  });

  it('end with the text', async () => {
    upstream.answer = reply('Hello there.');
    expect(await client.messages.stream(ask()).finalText()).toBe('Hello there.');
  });

  it('work for a provider whose replies are made here', async () => {
    const { createScriptProvider } = await import('../../messages/index.ts');
    const own = await startServer({
      providers: createProviderRegistry([{ model: 'script', provider: createScriptProvider() }]),
    });
    const final = await clientOf(own)
      .messages.stream({ ...ask('- say: Hello.'), model: 'script' })
      .finalMessage();
    expect(final.content[0]).toMatchObject({ type: 'text', text: 'Hello.' });
    expect(final.usage.output_tokens).toBeGreaterThan(0);
  });
});

describe('a fault before the first event is an HTTP error', () => {
  it.each([
    ['a rate limit', rateLimited({ 'retry-after': '7' }), 429, 'rate_limit_error', '7', 'true'],
    ['an overload', overloaded(), 529, 'overloaded_error', undefined, 'true'],
    [
      'a refusal',
      failure(400, 'invalid_request_error', 'no'),
      400,
      'invalid_request_error',
      undefined,
      'false',
    ],
    ['a cut connection', cut, 500, 'api_error', undefined, 'true'],
    ['an answer that is no stream', json(200, message('Hi.')), 500, 'api_error', undefined, 'true'],
    [
      'an error event',
      failingStream('x', 0, 'overloaded_error', 'Overloaded'),
      529,
      'overloaded_error',
      undefined,
      'true',
    ],
    [
      'a stream that begins in its middle',
      stream(eventsOf(message('x')).slice(2)),
      500,
      'api_error',
      undefined,
      'true',
    ],
  ])('%s', async (_what, answer, status, type, retryAfter, shouldRetry) => {
    upstream.answer = answer;
    const response = await open({});
    expect(response.statusCode).toBe(status);
    expect(response.headers['content-type']).toMatch(/^application\/json/);
    expect(response.headers['retry-after']).toBe(retryAfter);
    expect(response.headers['x-should-retry']).toBe(shouldRetry);
    expect(JSON.parse(await textOf(response))).toEqual({
      type: 'error',
      error: { type, message: expect.any(String) as string },
      request_id: response.headers['request-id'],
    });
  });

  it('which the official client types and tries again', async () => {
    upstream.queue.push(overloaded({ 'retry-after-ms': '1' }), reply('At last.'));
    const patient = new Anthropic({ apiKey: 'any', baseURL: server.url, maxRetries: 1 });
    expect(await patient.messages.stream(ask()).finalText()).toBe('At last.');
    upstream.queue.push(rateLimited());
    await expect(client.messages.stream(ask()).finalText()).rejects.toBeInstanceOf(Anthropic.RateLimitError);
    await expect(client.messages.create({ ...ask(), model: 'nobody', stream: true })).rejects.toBeInstanceOf(
      Anthropic.NotFoundError,
    );
  });
});

describe('a fault after the first event', () => {
  it.each([
    [
      'an error event',
      failingStream('Hello there.', 4, 'overloaded_error', 'Overloaded'),
      'overloaded_error',
      /^Overloaded$/,
    ],
    ['a cut connection', reply('Hello there.', { cutAfter: 5 }), 'api_error', /^the upstream/],
    [
      'an end without a last event',
      stream(eventsOf(message('Hello.')).slice(0, -1)),
      'api_error',
      /broke off/,
    ],
    [
      'an event that is no JSON',
      stream([...eventsOf(message('Hello.')).slice(0, 3), 'event: x\ndata: {"type":\n\n']),
      'api_error',
      /no JSON/,
    ],
    [
      'an event out of order',
      stream([...eventsOf(message('Hello.')).slice(0, 3), { type: 'message_stop' }]),
      'api_error',
      /out of order/,
    ],
  ])('%s is the last event of the stream', async (_what, answer, type, words) => {
    upstream.answer = answer;
    const response = await open({});
    const events = (await textOf(response)).trim().split('\n\n');
    expect(events[0]).toMatch(/^event: message_start\n/);
    const last = /^event: error\ndata: (.*)$/.exec(events.at(-1) ?? '')?.[1] ?? '';
    expect(JSON.parse(last)).toEqual({
      type: 'error',
      error: { type, message: expect.stringMatching(words) as string },
      request_id: response.headers['request-id'],
    });
    expect(response.complete).toBe(true);
  });

  it("becomes the official client's error", async () => {
    upstream.answer = failingStream('Hello there.', 4, 'overloaded_error', 'Overloaded');
    await expect(client.messages.stream(ask()).finalMessage()).rejects.toMatchObject({
      name: 'APIError',
      type: 'overloaded_error',
      apiMessage: 'Overloaded',
    });
  });
});

describe('silence', () => {
  it('of an upstream after its first event is filled with pings', async () => {
    const { opened, open: go } = gate();
    upstream.answer = reply('Hi.', { before: (index) => (index === 2 ? opened : undefined) });
    const own = await quick();
    const response = await open({}, '/v1/messages', own);
    let whole = '';
    for await (const chunk of response.setEncoding('utf8')) {
      whole += String(chunk);
      if (whole.split('event: ping').length > 3) go();
    }
    expect(whole.split('event: message_stop')).toHaveLength(2);
  });

  it('before the first event opens the stream, and a late fault is its only event', async () => {
    const { opened, open: go } = gate();
    upstream.answer = async (request, response) => {
      await opened;
      await overloaded()(request, response);
    };
    const own = await quick();
    const response = await open({}, '/v1/messages', own);
    expect(response.statusCode).toBe(200);
    let whole = '';
    for await (const chunk of response.setEncoding('utf8')) {
      whole += String(chunk);
      if (whole.includes('event: ping')) go();
    }
    expect(whole).toMatch(/event: error\ndata: \{"type":"error","error":\{"type":"overloaded_error"/);
  });

  it('that lasts is a fault of the upstream', async () => {
    upstream.answer = reply('Hi.', { before: (index) => (index === 3 ? new Promise(() => {}) : undefined) });
    const own = await startServer({ providers: providersFor({ idleTimeoutMs: 100 }) });
    await expect(clientOf(own).messages.stream(ask()).finalMessage()).rejects.toMatchObject({
      type: 'timeout_error',
    });
    await upstream.gone();
  });
});

/** A server whose patience is short. */
async function quick(): Promise<Running> {
  return await startServer({ providers: providersFor({}), streaming: { firstEventMs: 50, pingMs: 50 } });
}

describe('who leaves', () => {
  it('ends the work upstream at once, in the middle of a stream', async () => {
    upstream.answer = reply('Hello there.', {
      before: (index) => (index === 4 ? new Promise(() => {}) : undefined),
    });
    const messages = client.messages.stream(ask());
    messages.on('text', () => messages.abort());
    await expect(messages.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    await upstream.gone();
  });

  it('ends the work upstream before the first event, too', async () => {
    upstream.answer = () => undefined;
    const gone = new AbortController();
    const asked = client.messages.create({ ...ask(), stream: true }, { signal: gone.signal });
    await upstream.arrived();
    gone.abort();
    await expect(asked).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    await upstream.gone();
  });

  it('by breaking off its loop, ends the work upstream', async () => {
    upstream.answer = reply('Hello there.', {
      before: (index) => (index === 6 ? new Promise(() => {}) : undefined),
    });
    for await (const event of await client.messages.create({ ...ask(), stream: true })) {
      if (event.type === 'content_block_delta') break;
    }
    await upstream.gone();
    expect(upstream.cut()).toBe(1);
  });
});

it('a reader that does not read slows the upstream down', async () => {
  const piece = { type: 'text_delta', text: 'x'.repeat(64 * 1024) };
  const delta = `event: content_block_delta\ndata: ${JSON.stringify({ type: 'content_block_delta', index: 0, delta: piece })}\n\n`;
  const [start = '', , open0 = '', , ...rest] = eventsOf(message('x'));
  // Below the most that an upstream may send for one reply.
  const total = 960;
  let written = 0;
  upstream.answer = async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [start, open0]) {
      response.write(`event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`);
    }
    for (; written < total; written++) if (!response.write(delta)) await once(response, 'drain');
    for (const event of rest) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  };
  const response = await open({});
  // 60 MiB are on offer; it stops by itself once the buffers on the way are full.
  let seen = -1;
  while (seen !== written || written === 0) {
    seen = written;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(written).toBeLessThan(total / 2);
  let bytes = 0;
  for await (const chunk of response) bytes += (chunk as Buffer).length;
  expect(bytes).toBeGreaterThan(total * delta.length);
  expect(written).toBe(total);
}, 180_000);

it('a hundred streams at once do not mix', async () => {
  const WORDS = 12;
  upstream.answer = async (request, response) => {
    const [asked] = request.body['messages'] as { content: string }[];
    const words = `${asked?.content} `.repeat(WORDS);
    await reply(words, { before: () => new Promise((resolve) => setImmediate(resolve)) })(request, response);
  };
  const words = Array.from({ length: 100 }, (_, index) => `question-${index}`);
  const texts = await Promise.all(words.map((word) => client.messages.stream(ask(word)).finalText()));
  expect(texts).toEqual(words.map((word) => `${word} `.repeat(WORDS)));
}, 180_000);

it('a server that ends lets a stream finish, and tells one that does not', async () => {
  const own = await startServer({ providers: providersFor({}) });
  const { opened, open: go } = gate();
  const reached = gate();
  const held = (open: Promise<void>) =>
    reply('Hello there.', {
      before: (index) => {
        if (index === 4) reached.open();
        return index === 4 ? open : undefined;
      },
    });
  upstream.queue.push(held(opened), held(new Promise(() => {})));
  const finishing = clientOf(own).messages.stream(ask()).finalText();
  await reached.opened;
  const waiting = await open({}, '/v1/messages', own);
  const stopped = own.server.close(2000);
  go();
  expect(await finishing).toBe('Hello there.');
  expect(await textOf(waiting)).toMatch(/event: error\ndata: .*"overloaded_error".*shutting down.*\n\n$/);
  await stopped;
  await upstream.gone();
});

it('a provider that fails in its own way is an internal error, and logged', async () => {
  const provider: ModelProvider = {
    name: 'broken',
    reply: () => Promise.reject(new Error('never')),
    async *stream() {
      yield eventsOf(message('Hi.'))[0] as never;
      throw new TypeError('secret detail');
    },
  };
  const own = await startServer({ providers: createProviderRegistry([{ model: 'claude-*', provider }]) });
  const whole = await textOf(await open({}, '/v1/messages', own));
  expect(whole).toContain('"message":"Internal server error"');
  expect(whole).not.toContain('secret detail');
  expect(JSON.stringify(own.logged)).toContain('secret detail');
});
