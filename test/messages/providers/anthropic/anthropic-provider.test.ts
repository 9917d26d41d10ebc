import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import {
  createAnthropicProvider,
  type ModelReply,
  type ModelRequest,
  ProviderOverloadedError,
} from '../../../../messages/index.ts';
import {
  ProviderRateLimitedError,
  ProviderRefusedError,
  ProviderTimedOutError,
  ProviderUnavailableError,
} from '../../../../messages/api/errors.ts';
import type { ApiError } from '@steadyhand/contracts';
import { retryAfterMs } from '../../../../messages/providers/upstream-errors.ts';
import { COMPUTER_USE, modelRequest, TOOLS, userSays } from '../../support.ts';
import {
  reply,
  toolUse,
  errorBody,
  json,
  startUpstream,
  type SeenRequest,
} from '../../../support/anthropic-upstream.ts';
import { openedForAll } from '../../../support/opened.ts';

const KEY = 'sk-ant-secret-of-the-upstream';

const message = {
  id: 'msg_upstream',
  type: 'message',
  role: 'assistant',
  model: 'claude-3-5-sonnet-20241022',
  content: [{ type: 'tool_use', id: 'toolu_9', name: 'bash', input: { command: 'ls' } }],
  stop_reason: 'tool_use',
  stop_sequence: null,
  usage: { input_tokens: 3000, output_tokens: 60 },
};

const upstream = openedForAll(startUpstream);
beforeEach(() => {
  upstream.seen.length = 0;
});

const request = (change: Partial<ModelRequest> = {}): ModelRequest =>
  modelRequest({ model: 'claude-3-5-sonnet-20241022', ...change });

const ask = (change: Partial<ModelRequest> = {}, timeoutMs?: number): Promise<ModelReply> =>
  createAnthropicProvider({ apiKey: KEY, baseURL: upstream.baseURL, ...(timeoutMs && { timeoutMs }) }).reply(
    request(change),
    { signal: new AbortController().signal, now: () => Date.parse('2026-11-21T12:00:00Z') },
  );

async function refusal(change: Partial<ModelRequest> = {}, timeoutMs?: number): Promise<ApiError> {
  try {
    await ask(change, timeoutMs);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('the provider answered');
}

describe('a reply', () => {
  it('comes back as the upstream gave it', async () => {
    upstream.answer = json(200, message);
    expect(await ask()).toMatchObject(message);
  });

  it('is asked for with the upstream key and the betas in the header', async () => {
    upstream.answer = json(200, message);
    await ask();
    const { url, headers } = upstream.seen[0] as SeenRequest;
    expect(url).toMatch(/^\/v1\/messages(\?beta=true)?$/);
    // Which of the API's two headers carries the key is the SDK's choice, and changed with its version 1.
    expect([headers['x-api-key'], headers['authorization']]).toContain(`Bearer ${KEY}`);
    expect(headers['anthropic-version']).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(headers['anthropic-beta']).toBe(COMPUTER_USE);
  });

  it('is asked for with the fields of the request, and none that the API does not know', async () => {
    upstream.answer = json(200, message);
    await ask({
      system_prompt: 'Be brief.',
      system: 'Be kind.',
      tool_choice: { type: 'auto' },
      temperature: 0.5,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
    });
    expect(upstream.seen[0]?.body).toEqual({
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 4096,
      messages: [userSays('hello')],
      tools: TOOLS,
      // The generated prompt is the upstream's own affair.
      system: 'Be brief.\n\nBe kind.',
      tool_choice: { type: 'auto' },
      temperature: 0.5,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      stream: false,
    });
  });

  it('is asked for without what the request has not', async () => {
    upstream.answer = json(200, message);
    await ask({ tools: [], betas: [] });
    expect(upstream.seen[0]?.headers['anthropic-beta']).toBeUndefined();
    expect(upstream.seen[0]?.body).toEqual({
      model: 'claude-3-5-sonnet-20241022',
      max_tokens: 4096,
      messages: [userSays('hello')],
      stream: false,
    });
  });

  it('that may be long is streamed from the upstream, so that no bound on its whole cuts it', async () => {
    upstream.answer = reply([toolUse('toolu_9', 'bash', { command: 'ls' })]);
    expect(await ask({ max_tokens: 64_000 })).toMatchObject({
      id: 'msg_upstream',
      content: message.content,
      stop_reason: 'tool_use',
    });
    expect(upstream.seen[0]?.body).toMatchObject({ max_tokens: 64_000, stream: true });
  });
});

describe('a rate limit', () => {
  it('is told with the time to wait in seconds', async () => {
    upstream.answer = json(429, errorBody('rate_limit_error', 'Slow down'), { 'retry-after': '7' });
    const error = await refusal();
    expect(error).toBeInstanceOf(ProviderRateLimitedError);
    expect(error).toMatchObject({ message: 'Slow down', status: 429, retryable: true, retryAfterMs: 7000 });
  });

  it('is not tried again here: one request, one answer', async () => {
    upstream.answer = json(429, errorBody('rate_limit_error', 'Slow down'), { 'retry-after': '0' });
    await refusal();
    expect(upstream.seen).toHaveLength(1);
  });

  it('is told with the time in milliseconds, which goes first', async () => {
    upstream.answer = json(429, errorBody('rate_limit_error', 'x'), {
      'retry-after-ms': '1500.5',
      'retry-after': '9',
    });
    expect(await refusal()).toMatchObject({ retryAfterMs: 1501 });
  });

  it('is told with a date, measured from now', async () => {
    upstream.answer = json(429, errorBody('rate_limit_error', 'x'), {
      'retry-after': 'Sat, 21 Nov 2026 12:00:30 GMT',
    });
    expect(await refusal()).toMatchObject({ retryAfterMs: 30_000 });
  });

  it('is told without a time where there is none', async () => {
    upstream.answer = json(429, errorBody('rate_limit_error', 'x'));
    expect((await refusal()).retryAfterMs).toBeUndefined();
  });

  it('is final where the upstream says so', async () => {
    upstream.answer = json(429, errorBody('rate_limit_error', 'x'), { 'x-should-retry': 'false' });
    expect(await refusal()).toMatchObject({ name: 'ProviderRateLimitedError', retryable: false });
  });
});

describe('other faults of the upstream', () => {
  it.each([
    [529, errorBody('overloaded_error', 'Overloaded'), ProviderOverloadedError, 529, 'Overloaded'],
    [
      500,
      errorBody('api_error', 'Internal server error'),
      ProviderUnavailableError,
      500,
      'Internal server error',
    ],
    [503, 'no JSON', ProviderUnavailableError, 500, 'the upstream answered with status 503'],
    [502, '<html>Bad gateway</html>', ProviderUnavailableError, 500, 'the upstream answered with status 502'],
    [500, errorBody('overloaded_error', 'Overloaded'), ProviderOverloadedError, 529, 'Overloaded'],
    [504, errorBody('timeout_error', 'Too late'), ProviderTimedOutError, 504, 'Too late'],
    [408, errorBody('timeout_error', 'Too late'), ProviderTimedOutError, 504, 'Too late'],
    [409, errorBody('conflict_error', 'Again'), ProviderUnavailableError, 500, 'Again'],
  ])('status %d may pass: %j', async (status, body, type, ours, text) => {
    upstream.answer = json(status, body, { 'retry-after': '2' });
    const error = await refusal();
    expect(error).toBeInstanceOf(type);
    expect(error).toMatchObject({ status: ours, retryable: true, message: text, retryAfterMs: 2000 });
  });

  it.each([
    [400, 'invalid_request_error', 'messages: at least one message is required'],
    [402, 'billing_error', 'no credit'],
    [404, 'not_found_error', 'model: claude-0'],
    [413, 'request_too_large', 'Request exceeds the maximum size'],
  ])('status %d is final and passed on as it is: %s', async (status, type, text) => {
    upstream.answer = json(status, errorBody(type, text));
    const error = await refusal();
    expect(error).toBeInstanceOf(ProviderRefusedError);
    expect(error).toMatchObject({ status, type, message: text, retryable: false });
  });

  it.each([
    [401, 'authentication_error', 'invalid x-api-key'],
    [403, 'permission_error', 'not yours'],
  ])('status %d is final and says whose key is at fault', async (status, type, text) => {
    upstream.answer = json(status, errorBody(type, text));
    expect(await refusal()).toMatchObject({
      name: 'ProviderRefusedError',
      status,
      type,
      message: `the upstream refused the provider's own key: ${text}`,
    });
  });

  it('a refusal keeps the code that names its cause', async () => {
    const details = { error_code: 'tool_name_conflict' };
    const body = errorBody('invalid_request_error', 'two of a name') as { error: object };
    upstream.answer = json(400, { ...body, error: { ...body.error, details } });
    expect((await refusal()).body()).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: 'two of a name', details },
    });
  });

  it('a refusal without an error body gets the type of its status', async () => {
    upstream.answer = json(404, 'nothing here');
    expect(await refusal()).toMatchObject({ type: 'not_found_error', status: 404 });
    upstream.answer = json(418, 'a teapot');
    expect(await refusal()).toMatchObject({ type: 'invalid_request_error', retryable: false });
  });

  it.each([
    ['JSON that breaks off', '{"id":"msg_1",'],
    ['another object', { hello: 'world' }],
    ['a message without content', { ...message, content: undefined }],
    ['a message that is not finished', { ...message, stop_reason: null }],
    ['no object at all', '"message"'],
  ])('an answer that is no message may pass: %s', async (_what, body) => {
    upstream.answer = json(200, body);
    const error = await refusal();
    expect(error).toBeInstanceOf(ProviderUnavailableError);
    expect(error.retryable).toBe(true);
    expect(error.message).toMatch(/^the upstream('s answer|.cannot)/);
  });

  it('a connection that is cut may pass', async () => {
    upstream.answer = (_request, response) => response.destroy();
    expect(await refusal()).toBeInstanceOf(ProviderUnavailableError);
    upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":', () => response.destroy());
    };
    expect(await refusal()).toBeInstanceOf(ProviderUnavailableError);
  });

  it('a refused connection may pass', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const provider = createAnthropicProvider({ apiKey: KEY, baseURL: `http://127.0.0.1:${port}` });
    const asked = provider.reply(request(), { signal: new AbortController().signal });
    await expect(asked).rejects.toMatchObject({
      name: 'ProviderUnavailableError',
      retryable: true,
      message: expect.stringMatching(/^the upstream cannot be reached: connect ECONNREFUSED/) as string,
    });
  });

  it('an upstream that does not answer in time may yet', async () => {
    upstream.answer = () => undefined;
    const error = await refusal({}, 50);
    expect(error).toBeInstanceOf(ProviderTimedOutError);
    expect(error).toMatchObject({ status: 504, retryable: true });
  });

  it('an answer that stalls half way may come whole yet', async () => {
    upstream.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"id":');
    };
    expect(await refusal({}, 200)).toMatchObject({
      name: 'ProviderTimedOutError',
      status: 504,
      retryable: true,
    });
  });
});

describe('giving up', () => {
  it('cuts the connection to the upstream and rejects with the reason', async () => {
    const controller = new AbortController();
    const arrived = new Promise<void>((resolve) => {
      upstream.answer = () => resolve();
    });
    const before = upstream.cut();
    const provider = createAnthropicProvider({ apiKey: KEY, baseURL: upstream.baseURL });
    const asked = provider.reply(request(), { signal: controller.signal });
    await arrived;
    const reason = new Error('the user went away');
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    while (upstream.cut() === before) await new Promise((resolve) => setImmediate(resolve));
    expect(upstream.cut()).toBe(before + 1);
  });

  it('before the start asks nobody', async () => {
    const reason = new Error('too late');
    const provider = createAnthropicProvider({ apiKey: KEY, baseURL: upstream.baseURL });
    await expect(provider.reply(request(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(upstream.seen).toHaveLength(0);
  });
});

it('neither logs the key nor the conversation, nor has them in its errors', async () => {
  const written: string[] = [];
  const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
    jest.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      written.push(parts.map(String).join(' '));
    }),
  );
  process.env['ANTHROPIC_LOG'] = 'debug';
  try {
    upstream.answer = json(401, errorBody('authentication_error', 'invalid x-api-key'));
    const error = await refusal({ messages: [userSays('a secret of mine')] });
    expect(written).toEqual([]);
    const everything = [
      error.message,
      error.stack,
      JSON.stringify(error),
      JSON.stringify(error.cause),
    ].join();
    expect(everything).not.toContain(KEY);
    expect(everything).not.toContain('a secret of mine');
  } finally {
    delete process.env['ANTHROPIC_LOG'];
    for (const spy of spies) spy.mockRestore();
  }
});

it.each([
  [{}, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, 0],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after-ms': 'x', 'retry-after': '2' }, 2000],
  [{ 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 0],
])('reads the hint %j as %p milliseconds', (headers, expected) => {
  expect(retryAfterMs(new Headers(headers as Record<string, string>), Date.parse('2026-11-21'))).toBe(
    expected,
  );
});
