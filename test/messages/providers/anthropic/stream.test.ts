import {
  createAnthropicProvider,
  type AnthropicProviderOptions,
  type ModelRequest,
  type StreamEvent,
} from '../../../../messages/index.ts';
import {
  cut,
  errorBody,
  eventsOf,
  failingStream,
  failure,
  json,
  message,
  overloaded,
  rateLimited,
  reply,
  silent,
  startUpstream,
  stream,
  type Handler,
} from '../../../support/anthropic-upstream.ts';
import { COMPUTER_USE, modelRequest } from '../../support.ts';
import { openedForAll } from '../../../support/opened.ts';

const upstream = openedForAll(startUpstream);
beforeEach(() => upstream.reset());

const request = (change: Partial<ModelRequest> = {}): ModelRequest =>
  modelRequest({ model: 'claude-upstream', ...change });

function open(
  change: Partial<AnthropicProviderOptions> = {},
  { signal = new AbortController().signal, trace = (_fact: object): void => {} } = {},
): AsyncIterator<StreamEvent> {
  const provider = createAnthropicProvider({ apiKey: 'sk-up', baseURL: upstream.baseURL, ...change });
  return provider.stream(request(), { signal, trace })[Symbol.asyncIterator]();
}

/** What stays as it is where a test moves the clock of timeouts: sockets go by these. */
const REAL_TIMERS = [
  ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
  ...(['setImmediate', 'clearImmediate', 'setInterval', 'clearInterval'] as const),
];

async function all(iterator: AsyncIterator<StreamEvent>): Promise<StreamEvent[]> {
  const events: StreamEvent[] = [];
  for (;;) {
    const result = await iterator.next();
    if (result.done === true) return events;
    events.push(result.value);
  }
}

const whole = message('Hello there.');
const expected = eventsOf(whole).filter(({ type }) => type !== 'ping');

it('comes as the upstream sends it, without its pings, asked for with the betas in the header', async () => {
  upstream.answer = reply(whole);
  const traced: object[] = [];
  expect(await all(open({}, { trace: (fact) => traced.push(fact) }))).toEqual(expected);
  const [seen] = upstream.seen;
  expect(seen).toMatchObject({
    url: '/v1/messages',
    headers: {
      'anthropic-beta': COMPUTER_USE,
      authorization: 'Bearer sk-up',
      // Compressed, events might be held back.
      'accept-encoding': 'identity',
    },
    body: { stream: true },
  });
  expect(traced).toEqual([{ upstreamRequestId: 'req_upstream' }]);
});

it('asks nothing before the first event is wanted', async () => {
  const provider = createAnthropicProvider({ apiKey: 'sk-up', baseURL: upstream.baseURL });
  const asked = provider.stream(request(), { signal: new AbortController().signal });
  await provider.countTokens?.(request(), { signal: new AbortController().signal });
  expect(upstream.seen.map(({ url }) => url)).toEqual(['/v1/messages/count_tokens']);
  for await (const _event of asked) break;
  expect(upstream.seen).toHaveLength(2);
});

it('uses a connection again after a stream', async () => {
  const ports = new Set<number | undefined>();
  const answer = reply(whole);
  upstream.answer = (asked, response) => {
    ports.add(response.socket?.remotePort);
    return answer(asked, response);
  };
  const provider = createAnthropicProvider({ apiKey: 'sk-up', baseURL: upstream.baseURL });
  for (let turn = 0; turn < 4; turn++) {
    await all(provider.stream(request(), { signal: new AbortController().signal })[Symbol.asyncIterator]());
    // Until the connection is free again, which nobody is told of.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(ports.size).toBeLessThan(4);
});

it('passes events and deltas on that are not known yet', async () => {
  const news = { type: 'something_new', of: 'tomorrow' };
  const events = eventsOf(whole);
  upstream.answer = stream([...events.slice(0, 3), news, ...events.slice(3)]);
  expect(await all(open())).toContainEqual(news);
});

it('takes events by the type in their data where they have no name', async () => {
  upstream.answer = stream(eventsOf(whole).map((event) => `data: ${JSON.stringify(event)}\n\n`));
  expect(await all(open())).toEqual(expected);
});

describe('a fault', () => {
  it.each<[string, Handler, object]>([
    ['429', rateLimited({ 'retry-after': '7' }), { name: 'ProviderRateLimitedError', retryAfterMs: 7000 }],
    ['529', overloaded(), { name: 'ProviderOverloadedError', status: 529 }],
    ['400', failure(400, 'invalid_request_error', 'no'), { name: 'ProviderRefusedError', message: 'no' }],
    ['500', json(500, errorBody('api_error', 'oops')), { name: 'ProviderUnavailableError', message: 'oops' }],
    ['a cut connection', cut, { name: 'ProviderUnavailableError' }],
    [
      'an answer that is no stream',
      json(200, whole),
      { message: /did not stream its answer: content-type application\/json/ },
    ],
    ['an empty stream', stream([': nothing\n\n']), { message: 'the reply broke off before its end' }],
  ])('before the first event: %s', async (_what, answer, error) => {
    upstream.answer = answer;
    const { message: words, ...rest } = error as { message?: string | RegExp };
    const asked = open().next();
    await expect(asked).rejects.toMatchObject(rest);
    await expect(asked).rejects.toThrow(words ?? '');
  });

  it.each<[string, Handler, object]>([
    [
      'overloaded_error',
      failingStream('x', 4, 'overloaded_error', 'Overloaded'),
      { name: 'ProviderOverloadedError', retryable: true },
    ],
    [
      'rate_limit_error',
      failingStream('x', 4, 'rate_limit_error', 'Slow'),
      { name: 'ProviderRateLimitedError', message: 'Slow' },
    ],
    ['timeout_error', failingStream('x', 4, 'timeout_error', 'Late'), { name: 'ProviderTimedOutError' }],
    ['api_error', failingStream('x', 4, 'api_error', 'Oops'), { name: 'ProviderUnavailableError' }],
    [
      'an unknown type',
      failingStream('x', 4, 'who_knows', 'Oops'),
      { name: 'ProviderUnavailableError', message: 'Oops' },
    ],
    [
      'invalid_request_error',
      failingStream('x', 4, 'invalid_request_error', 'no'),
      { name: 'ProviderRefusedError', retryable: false },
    ],
    [
      'an error without a body',
      stream([...eventsOf(whole).slice(0, 3), 'event: error\ndata: oops\n\n']),
      { name: 'ProviderUnavailableError' },
    ],
    ['a cut connection', reply(whole, { cutAfter: 5 }), { name: 'ProviderUnavailableError' }],
    ['an early end', stream(eventsOf(whole).slice(0, -2)), { message: 'the reply broke off before its end' }],
    [
      'half a frame',
      stream([...eventsOf(whole).slice(0, 3), 'event: content_block_delta\ndata: {"type":']),
      { message: "the upstream's stream holds an event that is no JSON" },
    ],
    [
      'an event without a type',
      stream([...eventsOf(whole).slice(0, 3), 'data: {}\n\n']),
      { name: 'ProviderUnavailableError' },
    ],
    [
      'data that is no object',
      stream([...eventsOf(whole).slice(0, 3), 'data: null\n\n']),
      { name: 'ProviderUnavailableError' },
    ],
  ])('in the middle: %s', async (_what, answer, error) => {
    upstream.answer = answer;
    const iterator = open();
    expect((await iterator.next()).value).toMatchObject({ type: 'message_start' });
    await expect(all(iterator)).rejects.toMatchObject(error);
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});

describe('time', () => {
  it('runs out for the first byte', async () => {
    upstream.answer = silent;
    await expect(open({ timeoutMs: 500 }).next()).rejects.toMatchObject({ name: 'ProviderTimedOutError' });
    await upstream.gone();
  });

  it('runs out between two events', async () => {
    upstream.answer = reply(whole, { before: (index) => (index === 3 ? new Promise(() => {}) : undefined) });
    await expect(all(open({ idleTimeoutMs: 80 }))).rejects.toMatchObject({
      name: 'ProviderTimedOutError',
      status: 504,
      retryable: true,
    });
    await upstream.gone();
  });

  it('does not run out while pings come', async () => {
    const events = eventsOf(whole);
    const pings = Array.from({ length: 40 }, () => ({ type: 'ping' }));
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));
    upstream.answer = stream([...events.slice(0, 3), ...pings, ...events.slice(3)], { before: pause });
    expect(await all(open({ idleTimeoutMs: 1000 }))).toEqual(expected);
  });

  it('does not run out because the reader is slow', async () => {
    jest.useFakeTimers({ doNotFake: REAL_TIMERS });
    try {
      upstream.answer = reply(whole);
      const iterator = open({ idleTimeoutMs: 500 });
      const events = [(await iterator.next()).value];
      jest.advanceTimersByTime(700);
      events.push(...(await all(iterator)));
      expect(events).toEqual(expected);
    } finally {
      jest.useRealTimers();
    }
  });

  it('runs out for the whole, whatever comes', async () => {
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));
    const pings = Array.from({ length: 1000 }, () => ({ type: 'ping' }));
    upstream.answer = stream([...eventsOf(whole).slice(0, 3), ...pings], { before: pause });
    await expect(all(open({ streamTimeoutMs: 500 }))).rejects.toMatchObject({
      name: 'ProviderTimedOutError',
    });
    await upstream.gone();
  });
});

describe('giving up', () => {
  const held = reply(whole, { before: (index) => (index === 4 ? new Promise(() => {}) : undefined) });

  it('in the middle rejects with the reason and leaves the upstream', async () => {
    upstream.answer = held;
    const controller = new AbortController();
    const iterator = open({}, { signal: controller.signal });
    await iterator.next();
    const rest = all(iterator);
    const reason = new Error('the user went away');
    controller.abort(reason);
    await expect(rest).rejects.toBe(reason);
    await upstream.gone();
  });

  it('before the first byte too', async () => {
    upstream.answer = silent;
    const controller = new AbortController();
    const first = open({}, { signal: controller.signal }).next();
    await upstream.arrived();
    const reason = new Error('the user went away');
    controller.abort(reason);
    await expect(first).rejects.toBe(reason);
    await upstream.gone();
  });

  it('by leaving the loop leaves the upstream', async () => {
    upstream.answer = held;
    const iterator = open();
    await iterator.next();
    await iterator.return?.();
    await upstream.gone();
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });

  it('at once asks nobody', async () => {
    const reason = new Error('too late');
    await expect(open({}, { signal: AbortSignal.abort(reason) }).next()).rejects.toBe(reason);
    expect(upstream.seen).toEqual([]);
  });
});

describe('a count of tokens', () => {
  const count = (change: Partial<ModelRequest> = {}): Promise<number> | undefined =>
    createAnthropicProvider({ apiKey: 'sk-up', baseURL: upstream.baseURL }).countTokens?.(request(change), {
      signal: new AbortController().signal,
    });

  it("is the upstream's, asked for with what counts", async () => {
    expect(await count({ temperature: 1, stop_sequences: ['x'], system_prompt: 'Be brief.' })).toBe(42);
    expect(upstream.seen[0]).toMatchObject({ url: '/v1/messages/count_tokens' });
    expect(Object.keys(upstream.seen[0]?.body ?? {}).sort()).toEqual([
      'messages',
      'model',
      'system',
      'tools',
    ]);
  });

  it('fails as a reply does', async () => {
    upstream.countTokens = rateLimited();
    await expect(count()).rejects.toMatchObject({ name: 'ProviderRateLimitedError' });
    upstream.countTokens = json(200, { tokens: 3 });
    await expect(count()).rejects.toThrow("the upstream's answer is not a count of tokens: input_tokens");
  });
});
