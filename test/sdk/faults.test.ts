import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import Anthropic, { type APIError } from '@anthropic-ai/sdk';
import { clientKey } from '../../server/auth/client-key.ts';
import { startServer } from '../server/harness.ts';
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
  silent,
  stream,
} from '../support/anthropic-upstream.ts';
import { ASK, useFront } from './front.ts';

/** The official TypeScript client, unmodified, where something goes wrong: typed errors, retries, timeouts, cancelling. */

const front = useFront();

const caught = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(
    () => {
      throw new Error('it was answered');
    },
    (error: unknown) => error,
  );

describe('an error of the upstream comes as its class, with the id of our request', () => {
  it.each([
    [400, 'invalid_request_error', Anthropic.BadRequestError],
    [401, 'authentication_error', Anthropic.AuthenticationError],
    [402, 'billing_error', Anthropic.APIError],
    [403, 'permission_error', Anthropic.PermissionDeniedError],
    [404, 'not_found_error', Anthropic.NotFoundError],
    [413, 'request_too_large', Anthropic.APIError],
    [429, 'rate_limit_error', Anthropic.RateLimitError],
    [500, 'api_error', Anthropic.InternalServerError],
    [504, 'timeout_error', Anthropic.InternalServerError],
    [529, 'overloaded_error', Anthropic.OverloadedError],
  ])('%d %s', async (status, type, kind) => {
    front().upstream.queue.push(
      failure(status, type, 'as the upstream says'),
      failure(status, type, 'streamed'),
    );
    const error = await caught(front().client().messages.create(ASK));
    expect(error).toBeInstanceOf(kind);
    expect(error).toMatchObject({
      status,
      type,
      requestID: expect.stringMatching(/^req_[1-9A-Za-z]{24}$/) as string,
      error: {
        type: 'error',
        error: { type, message: expect.stringMatching(/as the upstream says$/) as string },
      },
    });
    const streamed = await caught(
      front()
        .client()
        .messages.create({ ...ASK, stream: true }),
    );
    expect(streamed).toBeInstanceOf(kind);
    expect(streamed).toMatchObject({ status, type });
  });

  it.each([
    ['a cut connection', cut],
    ['an answer that is no JSON', json(200, '<html>')],
    ['an answer that is no message', json(200, { hello: 'world' })],
  ])('%s is a 500', async (_what, handler) => {
    front().upstream.queue.push(handler);
    expect(await caught(front().client().messages.create(ASK))).toMatchObject({
      status: 500,
      type: 'api_error',
    });
  });
});

describe('an error of our own comes as its class', () => {
  it('a field that is missing', async () => {
    const error = await caught(
      front()
        .client()
        .messages.create({ ...ASK, max_tokens: undefined } as never),
    );
    expect(error).toBeInstanceOf(Anthropic.BadRequestError);
    expect(error).toMatchObject({
      error: { error: { type: 'invalid_request_error', message: 'max_tokens: Field required' } },
    });
    expect(front().upstream.seen).toEqual([]);
  });

  it('a model that nobody answers for', async () => {
    const error = await caught(
      front()
        .client()
        .messages.create({ ...ASK, model: 'gpt-x' }),
    );
    expect(error).toBeInstanceOf(Anthropic.NotFoundError);
    expect(error).toMatchObject({ type: 'not_found_error' });
  });

  it('a key that is wrong, or missing', async () => {
    const { url } = await startServer({ access: { kind: 'keys', keys: [clientKey('sk-the-right-one')] } });
    for (const apiKey of ['sk-a-wrong-one', '']) {
      const error = await caught(front().client({ baseURL: url, apiKey }).messages.create(ASK));
      expect(error).toBeInstanceOf(Anthropic.AuthenticationError);
      expect(JSON.stringify(error)).not.toContain('sk-a-wrong-one');
    }
    const known = await caught(
      front().client({ baseURL: url, apiKey: 'sk-the-right-one' }).messages.create(ASK),
    );
    expect(known).toBeInstanceOf(Anthropic.NotFoundError);
  });
});

describe('a stream that fails half way', () => {
  const short = message('half an answer');
  it.each([
    [
      'an error of the upstream',
      failingStream('half an answer', 5, 'overloaded_error', 'Overloaded'),
      'overloaded_error',
    ],
    ['a cut connection', reply('half an answer', { cutAfter: 5 }), 'api_error'],
    ['an end too soon', stream(eventsOf(short).slice(0, 5)), 'api_error'],
    [
      'nonsense',
      stream([...eventsOf(short).slice(0, 5), 'event: content_block_delta\ndata: {"type":\n\n']),
      'api_error',
    ],
  ])('raises what stopped it: %s', async (_what, handler, type) => {
    front().upstream.queue.push(handler);
    const said: string[] = [];
    const events = front().client().messages.stream(ASK);
    events.on('text', (delta) => said.push(delta));
    const error = await caught(events.finalMessage());
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ type });
    expect(said.join('')).not.toBe('');
  });
});

describe('retries', () => {
  it.each([
    ['a rate limit, after the time it names', rateLimited({ 'retry-after': '0' })],
    ['a rate limit, after milliseconds', rateLimited({ 'retry-after-ms': '3' })],
    ['an overload', overloaded({ 'retry-after-ms': '1' })],
    ['a fault', failure(500, 'api_error', 'Oops', { 'retry-after-ms': '1' })],
  ])('follow %s', async (_what, handler) => {
    front().upstream.queue.push(handler, handler);
    const made = await front().client({ maxRetries: 2 }).messages.create(ASK);
    expect(made.stop_reason).toBe('end_turn');
    // Ours asks the upstream once for each time that it is asked.
    expect(front().upstream.seen).toHaveLength(3);
  });

  it('end with the last error, told how long to wait', async () => {
    front().upstream.answer = rateLimited({ 'retry-after-ms': '7' });
    const error = await caught(front().client({ maxRetries: 1 }).messages.create(ASK));
    expect(error).toBeInstanceOf(Anthropic.RateLimitError);
    const { headers } = error as APIError;
    expect([headers?.get('retry-after-ms'), headers?.get('x-should-retry')]).toEqual(['7', 'true']);
    expect(front().upstream.seen).toHaveLength(2);
  });

  it('are not made of what will not succeed', async () => {
    front().upstream.answer = failure(400, 'invalid_request_error', 'no');
    await caught(front().client({ maxRetries: 3 }).messages.create(ASK));
    front().upstream.answer = rateLimited({ 'x-should-retry': 'false' });
    await caught(front().client({ maxRetries: 3 }).messages.create(ASK));
    expect(front().upstream.seen).toHaveLength(2);
  });

  it('are counted in a header that harms nobody', async () => {
    front().upstream.queue.push(overloaded({ 'retry-after-ms': '1' }));
    const counts: (string | null)[] = [];
    await front()
      .client({
        maxRetries: 1,
        fetch: async (url, init) => {
          counts.push(new Headers(init?.headers).get('x-stainless-retry-count'));
          return fetch(url, init);
        },
      })
      .messages.create(ASK);
    expect(counts).toEqual(['0', '1']);
  });

  it('follow a server that is not there', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    await once(closed, 'close');
    let tries = 0;
    const client = front().client({
      maxRetries: 1,
      fetch: (url, init) => {
        tries += 1;
        // Its second try finds us.
        return fetch(tries === 1 ? `http://127.0.0.1:${port}` : url, init);
      },
    });
    expect((await client.messages.create(ASK)).stop_reason).toBe('end_turn');
    expect(tries).toBe(2);
  });
});

describe('giving up', () => {
  it('after a time of the client’s ends the work upstream', async () => {
    front().upstream.queue.push(silent);
    const error = await caught(front().client({ timeout: 1000 }).messages.create(ASK));
    expect(error).toBeInstanceOf(Anthropic.APIConnectionTimeoutError);
    await front().upstream.gone();
  });

  it('by a signal ends the work upstream', async () => {
    front().upstream.queue.push(silent);
    const controller = new AbortController();
    const asked = caught(front().client().messages.create(ASK, { signal: controller.signal }));
    await front().upstream.arrived();
    controller.abort();
    expect(await asked).toBeInstanceOf(Anthropic.APIUserAbortError);
    await front().upstream.gone();
  });
});
