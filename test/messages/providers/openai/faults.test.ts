import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { cut, failure, json, silent } from '../../../support/openai-upstream.ts';
import { userSays } from '../../support.ts';
import { Asking, chatRequest, fault, KEY, useUpstream } from './support.ts';

const upstream = useUpstream();
const ask = new Asking(upstream);

type Way = [string, () => Promise<unknown>];
/** Before the first byte a stream fails as a reply does. */
const WAYS: Way[] = [
  ['a reply', () => ask.reply()],
  ['a stream', () => ask.streamed()],
];

describe.each(WAYS)('asked for %s', (_way, asked) => {
  it.each([
    [429, { message: 'Slow down' }, 'ProviderRateLimitedError', 429, 'Slow down'],
    [
      503,
      { message: 'Loading model', type: 'unavailable_error', code: 503 },
      'ProviderOverloadedError',
      529,
      'Loading model',
    ],
    [529, { message: 'busy' }, 'ProviderOverloadedError', 529, 'busy'],
    [500, { message: 'engine died' }, 'ProviderUnavailableError', 500, 'engine died'],
    [502, { message: 'bad gateway' }, 'ProviderUnavailableError', 500, 'bad gateway'],
    [409, { message: 'again' }, 'ProviderUnavailableError', 500, 'again'],
    [408, { message: 'late' }, 'ProviderTimedOutError', 504, 'late'],
    [504, { message: 'late' }, 'ProviderTimedOutError', 504, 'late'],
  ])('status %d may pass: %j', async (status, error, name, ours, message) => {
    upstream.at.answer = failure(status, error, { 'retry-after': '2' });
    expect(await fault(asked())).toMatchObject({
      name,
      status: ours,
      retryable: true,
      message,
      retryAfterMs: 2000,
    });
    expect(upstream.at.seen).toHaveLength(1);
  });

  it.each([
    [
      400,
      { message: 'bad temperature' },
      'invalid_request_error',
      400,
      'the upstream refused the request: bad temperature',
    ],
    [
      422,
      { message: 'bad body' },
      'invalid_request_error',
      400,
      'the upstream refused the request: bad body',
    ],
    [
      418,
      { message: 'teapot' },
      'invalid_request_error',
      400,
      'the upstream refused the request (418): teapot',
    ],
    [402, { message: 'no credit' }, 'billing_error', 402, 'the upstream: no credit'],
    [
      429,
      { message: 'no credit', code: 'insufficient_quota' },
      'billing_error',
      402,
      'the upstream: no credit',
    ],
    [413, { message: 'too big' }, 'request_too_large', 413, 'the upstream: too big'],
    [
      404,
      { message: 'The model `m` does not exist.', code: 'model_not_found' },
      'not_found_error',
      404,
      'model: local-model (the upstream: The model `m` does not exist.)',
    ],
    [
      404,
      { message: "model 'm' not found, try pulling it first" },
      'not_found_error',
      404,
      "model: local-model (the upstream: model 'm' not found, try pulling it first)",
    ],
    [
      400,
      { message: 'Invalid model name passed in model=m' },
      'not_found_error',
      404,
      'model: local-model (the upstream: Invalid model name passed in model=m)',
    ],
    [
      400,
      { message: 'temperature is not supported with this model' },
      'invalid_request_error',
      400,
      'the upstream refused the request: temperature is not supported with this model',
    ],
  ])('status %d is final: %j', async (status, error, type, ours, message) => {
    upstream.at.answer = failure(status, error);
    expect(await fault(asked())).toMatchObject({
      name: 'ProviderRefusedError',
      type,
      status: ours,
      retryable: false,
      message,
    });
  });

  it.each([
    [
      400,
      { message: "This model's maximum context length is 8192 tokens.", code: 'context_length_exceeded' },
    ],
    [
      400,
      {
        message: 'request (4390 tokens) exceeds the available context size (4096 tokens)',
        type: 'exceed_context_size_error',
        code: 400,
      },
    ],
    [500, { message: 'Context size has been exceeded.', type: 'server_error', code: 500 }],
    [400, { message: 'Requested tokens (2285) exceed context window of 2048' }],
  ])('status %d for a conversation that is too long: %j', async (status, error) => {
    upstream.at.answer = failure(status, error);
    expect(await fault(asked())).toMatchObject({
      type: 'invalid_request_error',
      status: 400,
      retryable: false,
      message: `prompt is too long: ${error.message}`,
    });
  });

  it('a rate limit that speaks of tokens is no long conversation', async () => {
    upstream.at.answer = failure(429, { message: 'Rate limit: context length per minute exceeded' });
    expect(await fault(asked())).toMatchObject({ name: 'ProviderRateLimitedError' });
  });

  it.each([
    [401, { message: `Incorrect API key provided: ${KEY}` }],
    [403, { message: `Key ${KEY} may not use this region` }],
  ])('status %d says whose key it is, and not the key', async (status, error) => {
    upstream.at.answer = failure(status, error);
    const got = await fault(asked());
    // 401 and 403 of ours would say that the client's own key is wrong.
    expect(got).toMatchObject({ type: 'api_error', status: 500, retryable: false });
    expect(got.message).toMatch(new RegExp(`\\(${status}\\); the key of this request is not in question`));
    expect([got.message, got.stack, JSON.stringify(got), JSON.stringify(got.cause)].join()).not.toContain(
      KEY,
    );
  });

  it('a path that is not there says so', async () => {
    upstream.at.answer = json(404, '404 page not found');
    expect(await fault(asked())).toMatchObject({
      type: 'api_error',
      retryable: false,
      message:
        'the upstream has no chat completions at the configured base URL (404); it usually ends in /v1',
    });
  });

  it.each<[unknown, string]>([
    [{ detail: 'Field required' }, 'Field required'],
    [{ detail: [{ loc: ['body', 'n'], msg: 'bad' }] }, '[{"loc":["body","n"],"msg":"bad"}]'],
    [{ object: 'error', message: 'old vLLM', code: 400 }, 'old vLLM'],
    [{ error: 'a text' }, 'a text'],
    ['<html>nginx</html>', 'the upstream answered with status 400'],
    ['', 'the upstream answered with status 400'],
  ])('a refusal of another shape is read: %j', async (body, text) => {
    upstream.at.answer = json(400, body);
    expect((await fault(asked())).message).toBe(`the upstream refused the request: ${text}`);
  });

  it('a connection that is cut may pass', async () => {
    upstream.at.answer = cut;
    expect(await fault(asked())).toMatchObject({
      name: 'ProviderUnavailableError',
      message: expect.stringMatching(/^the upstream cannot be reached: /) as string,
    });
  });

  it('an answer that breaks off may pass', async () => {
    upstream.at.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"id":', () => response.destroy());
    };
    expect(await fault(asked())).toMatchObject({ name: 'ProviderUnavailableError' });
  });

  it('a refused connection may pass', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    const provider = ask.provider({ baseURL: `http://127.0.0.1:${port}/v1` });
    const error = await fault(provider.reply(chatRequest(), { signal: new AbortController().signal }));
    expect(error).toMatchObject({
      name: 'ProviderUnavailableError',
      retryable: true,
      message: expect.stringMatching(/^the upstream cannot be reached: connect ECONNREFUSED/) as string,
    });
  });
});

it('an upstream that does not answer in time may yet', async () => {
  upstream.at.answer = silent;
  for (const asked of [ask.reply({}, { timeoutMs: 50 }), ask.streamed({}, { timeoutMs: 50 })]) {
    expect(await fault(asked)).toMatchObject({ name: 'ProviderTimedOutError', status: 504, retryable: true });
  }
});

it('an answer that stalls half way may come whole yet', async () => {
  upstream.at.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"id":');
  };
  expect(await fault(ask.reply({}, { timeoutMs: 200 }))).toMatchObject({ name: 'ProviderTimedOutError' });
});

describe('giving up', () => {
  it('cuts the connection to the upstream and rejects with the reason', async () => {
    upstream.at.answer = silent;
    const controller = new AbortController();
    const asked = ask.provider().reply(chatRequest(), { signal: controller.signal });
    await upstream.at.arrived();
    const reason = new Error('the user went away');
    controller.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await upstream.at.gone();
    expect(upstream.at.cut()).toBe(1);
  });

  it('before the start asks nobody', async () => {
    const reason = new Error('too late');
    const asked = ask.provider().reply(chatRequest(), { signal: AbortSignal.abort(reason) });
    await expect(asked).rejects.toBe(reason);
    expect(upstream.at.seen).toHaveLength(0);
  });
});

it('neither logs the key nor the conversation, nor has them in its errors', async () => {
  const written: string[] = [];
  const spies = (['debug', 'info', 'log', 'warn', 'error'] as const).map((level) =>
    jest.spyOn(console, level).mockImplementation((...parts: unknown[]) => {
      written.push(parts.map(String).join(' '));
    }),
  );
  process.env['OPENAI_LOG'] = 'debug';
  try {
    upstream.at.answer = failure(400, { message: `no, ${KEY} and token-in-a-header` });
    const options = { headers: { 'x-token': 'token-in-a-header' } };
    const error = await fault(ask.reply({ messages: [userSays('a secret of mine')] }, options));
    expect(error.message).toBe('the upstream refused the request: no, *** and ***');
    expect(written).toEqual([]);
    const everything = [error.message, error.stack, JSON.stringify(error), String(error.cause)].join();
    for (const secret of [KEY, 'a secret of mine', 'token-in-a-header']) {
      expect(everything).not.toContain(secret);
    }
  } finally {
    delete process.env['OPENAI_LOG'];
    for (const spy of spies) spy.mockRestore();
  }
});
