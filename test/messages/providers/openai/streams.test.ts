import { once } from 'node:events';
import type { StreamEvent } from '../../../../messages/api/api-types.ts';
import { collectMessage, type ModelReply } from '../../../../messages/index.ts';
import { eventData } from '../../../../messages/providers/openai/sse.ts';
import {
  callPiece,
  chat,
  chunk,
  completion,
  json,
  sse,
  usageChunk,
} from '../../../support/openai-upstream.ts';
import { Asking, chatRequest, fault, NOW, useUpstream } from './support.ts';

const upstream = useUpstream();
const ask = new Asking(upstream);

const END = chunk({}, 'tool_calls');

/** The reply of a stream of these chunks. */
async function replyOf(events: readonly (object | string)[], ...plan: unknown[]): Promise<ModelReply> {
  upstream.at.answer = sse(events, ...(plan as []));
  return ask.streamed();
}

/** What the blocks of a stream say, one line an event. */
function told(events: readonly StreamEvent[]): string[] {
  return events.map((event) => {
    switch (event.type) {
      case 'content_block_start':
        return `${event.index} ${event.content_block.type}`;
      case 'content_block_delta':
        return `${event.index} ${event.delta.type} ${Object.values(event.delta).find((value) => value !== event.delta.type)}`;
      case 'content_block_stop':
        return `${event.index} stop`;
      default:
        return event.type;
    }
  });
}

describe('the request', () => {
  it('asks for a stream with its counts', async () => {
    await ask.streamed();
    expect(upstream.at.seen[0]?.body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  it('leaves the counts out for servers that refuse the field, and they are counted here', async () => {
    const { usage } = await ask.streamed({}, { streamUsage: false });
    expect(upstream.at.seen[0]?.body).not.toHaveProperty('stream_options');
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(usage.output_tokens).toBeGreaterThan(0);
  });
});

describe('events', () => {
  it('come as the words come, in the API’s order', async () => {
    upstream.at.answer = chat({
      content: 'Looking at it.',
      calls: [{ id: 'a', name: 'bash', arguments: { command: 'ls' } }],
    });
    expect(told(await ask.events())).toEqual([
      'message_start',
      '0 text',
      '0 text_delta Looking',
      '0 text_delta  at it.',
      '0 stop',
      '1 tool_use',
      '1 input_json_delta {"command":"ls"}',
      '1 stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('open a tool use as soon as it is named', async () => {
    let go: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    upstream.at.answer = sse(
      [callPiece(0, { id: 'a', name: 'bash' }), callPiece(0, { arguments: '{}' }), END, usageChunk()],
      { before: (index) => (index === 1 ? gate : undefined) },
    );
    const events: string[] = [];
    const stream = ask.provider().stream(chatRequest(), { signal: new AbortController().signal });
    for await (const event of stream) {
      events.push(event.type);
      if (event.type === 'content_block_start') go();
    }
    expect(events).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('of thinking come before those of the text', async () => {
    upstream.at.answer = chat({ reasoning_content: 'Let me see.', content: 'Four.' });
    const events = await ask.events({ thinking: { type: 'adaptive' } });
    expect(told(events).filter((line) => /start|stop|thinking|text$/.test(line))).toEqual([
      'message_start',
      '0 thinking',
      '0 thinking_delta Let me se',
      '0 thinking_delta e.',
      '0 stop',
      '1 text',
      '1 stop',
      'message_stop',
    ]);
  });
});

describe('tool calls', () => {
  it('that come interleaved are blocks one after the other', async () => {
    upstream.at.answer = sse([
      chunk({ role: 'assistant', content: null }),
      callPiece(0, { id: 'a', name: 'bash', arguments: '' }),
      callPiece(1, { id: 'b', name: 'computer', arguments: '{"action":' }),
      callPiece(0, { arguments: '{"command":' }),
      callPiece(2, { id: 'c', name: 'bash', arguments: '{"command":"pwd"}' }),
      callPiece(1, { arguments: '"screenshot"}' }),
      callPiece(0, { arguments: '"ls"}' }),
      END,
    ]);
    expect(told(await ask.events())).toEqual([
      'message_start',
      '0 tool_use',
      '0 input_json_delta {"command":"ls"}',
      '0 stop',
      '1 tool_use',
      '1 input_json_delta {"action":"screenshot"}',
      '1 stop',
      '2 tool_use',
      '2 input_json_delta {"command":"pwd"}',
      '2 stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('that come whole in one chunk, also several at once', async () => {
    const calls = [0, 1].map((index) => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name: 'bash', arguments: JSON.stringify({ command: `echo ${index}` }) },
    }));
    expect(await replyOf([chunk({ tool_calls: calls }, 'stop')])).toMatchObject({
      content: [
        { id: 'c0', input: { command: 'echo 0' } },
        { id: 'c1', input: { command: 'echo 1' } },
      ],
      stop_reason: 'tool_use',
    });
  });

  it.each([
    ['all numbered 0', 0, true],
    ['without a number', undefined, true],
    ['without a number or an id', undefined, false],
  ])('that are whole and %s are calls of their own', async (_what, index, hasId) => {
    const call = (n: number): object =>
      callPiece(index, {
        name: 'bash',
        arguments: JSON.stringify({ command: `echo ${n}` }),
        ...(hasId ? { id: `c${n}` } : {}),
      });
    const reply = await replyOf([call(0), call(1), call(2), END]);
    expect(reply.content.map((block) => (block.type === 'tool_use' ? block.input : block))).toEqual([
      { command: 'echo 0' },
      { command: 'echo 1' },
      { command: 'echo 2' },
    ]);
  });

  it('whose pieces repeat the name, or each have an id of their own, are one', async () => {
    const repeated = await replyOf([
      callPiece(0, { id: 'a', name: 'bash', arguments: '{"command":' }),
      callPiece(0, { id: 'a', name: 'bash', arguments: '"ls"}' }),
      END,
    ]);
    expect(repeated.content).toEqual([{ type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } }]);
    const renamed = await replyOf([
      callPiece(0, { id: 'a', name: 'bash', arguments: '{"command":' }),
      callPiece(0, { id: 'b', arguments: '"ls"' }),
      callPiece(0, { id: 'c', arguments: '}' }),
      END,
    ]);
    expect(renamed.content).toEqual(repeated.content);
  });

  it('are read once they are whole, not with each piece: a long file comes in thousands', async () => {
    const parse = jest.spyOn(JSON, 'parse');
    const words = Array.from({ length: 300 }, (_, n) => `long text ${n} `);
    try {
      const { content } = await replyOf([
        callPiece(0, { id: 'call_1', name: 'edit', arguments: '{"text":"' }),
        ...words.map((piece) => callPiece(0, { arguments: piece })),
        callPiece(0, { arguments: '"}' }),
        END,
      ]);
      expect(content).toMatchObject([{ type: 'tool_use', input: { text: words.join('') } }]);
      const read = parse.mock.calls.filter(([text]) => text.startsWith('{"text":"long text 0 '));
      expect(read.length).toBeLessThan(5);
    } finally {
      parse.mockRestore();
    }
  });

  it('that are not finished by their server are told as they are', async () => {
    const reply = await replyOf([callPiece(0, { id: 'a', name: 'bash', arguments: '{"comm' }), END]);
    expect(reply.content).toMatchObject([{ input: { INVALID_JSON: '{"comm' } }]);
  });

  it('that go on after their end are a fault, not a guess', async () => {
    upstream.at.answer = sse([
      callPiece(0, { id: 'a', name: 'bash', arguments: '{"a":1}' }),
      callPiece(1, { id: 'b', name: 'bash', arguments: '{' }),
      callPiece(0, { arguments: ',"b":2}' }),
      END,
    ]);
    expect(await fault(ask.streamed())).toMatchObject({
      name: 'ProviderUnavailableError',
      message: 'the upstream went on with the arguments of `bash` after their end',
    });
  });

  it('before the last words leave those for the end', async () => {
    const reply = await replyOf([
      callPiece(0, { id: 'a', name: 'bash', arguments: '{}' }),
      chunk({ content: '\n' }),
      END,
    ]);
    expect(reply.content).toHaveLength(1);
    const more = await replyOf([
      callPiece(0, { id: 'a', name: 'bash', arguments: '{}' }),
      chunk({ content: 'and so on' }),
      END,
    ]);
    expect(more.content).toMatchObject([{ type: 'tool_use' }, { type: 'text', text: 'and so on' }]);
  });
});

describe('a stream', () => {
  const HELLO = [chunk({ role: 'assistant' }), chunk({ content: 'Hello' })];

  it.each<[string, (object | string)[], { end?: string; open?: boolean }]>([
    ['with the counts last', [...HELLO, chunk({}, 'stop'), usageChunk()], {}],
    [
      'with the counts in the chunk that ends it',
      [...HELLO, { ...chunk({}, 'stop'), usage: { prompt_tokens: 30, completion_tokens: 12 } }],
      {},
    ],
    [
      'with the counts in every chunk',
      [
        ...HELLO.map((c) => ({ ...c, usage: { prompt_tokens: 30, completion_tokens: 1 } })),
        chunk({}, 'stop'),
        usageChunk(),
      ],
      {},
    ],
    [
      'with comments that keep it alive',
      [': waiting\n\n', ...HELLO, ': ping\n\n', ':\n\n', chunk({}, 'stop'), usageChunk()],
      {},
    ],
    [
      'with chunks of nothing',
      [
        chunk({}),
        { choices: [] },
        {},
        ...HELLO,
        chunk({ content: '' }),
        chunk({ content: null }),
        chunk({}, 'stop'),
        usageChunk(),
      ],
      {},
    ],
    ['without its end mark', [...HELLO, chunk({}, 'stop'), usageChunk()], { end: '' }],
    ['that stays open after its end', [...HELLO, chunk({}, 'stop'), usageChunk()], { open: true }],
    [
      'that stays open without an end mark',
      [...HELLO, chunk({}, 'stop'), usageChunk()],
      { open: true, end: '' },
    ],
    [
      'with line ends of two characters',
      [...HELLO, chunk({}, 'stop'), usageChunk()].map((c) => `data: ${JSON.stringify(c)}\r\n\r\n`),
      { end: 'data: [DONE]\r\n\r\n' },
    ],
    [
      'with names for its events',
      [...HELLO, chunk({}, 'stop'), usageChunk()].map(
        (c) => `event: message\nid: 7\ndata:${JSON.stringify(c)}\n\n`,
      ),
      {},
    ],
    [
      'with usage null until the end',
      [...HELLO.map((c) => ({ ...c, usage: null })), chunk({}, 'stop'), usageChunk()],
      {},
    ],
  ])('%s', async (_what, events, plan) => {
    upstream.at.answer = sse(events, plan);
    expect(await ask.streamed()).toMatchObject({
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 30, output_tokens: 12 },
    });
  });

  it('without counts is counted here', async () => {
    const { usage } = await replyOf([...HELLO, chunk({}, 'stop')]);
    expect(usage.input_tokens).toBeGreaterThan(0);
    expect(usage.output_tokens).toBeGreaterThan(0);
  });

  it('asked of a server that does not stream is the whole answer', async () => {
    upstream.at.answer = json(200, completion({ content: 'All at once.' }));
    expect(await ask.streamed()).toMatchObject({ content: [{ text: 'All at once.' }] });
  });

  it.each([1, 2, 3])('cut after %d events rejects, after what came', async (cutAfter) => {
    upstream.at.answer = sse([...HELLO, chunk({ content: ', world' }), chunk({}, 'stop')], { cutAfter });
    const seen: string[] = [];
    const asked = (async () => {
      const stream = ask.provider().stream(chatRequest(), { signal: new AbortController().signal });
      for await (const event of stream) seen.push(event.type);
    })();
    expect(await fault(asked)).toMatchObject({ name: 'ProviderUnavailableError', retryable: true });
    expect(seen).not.toContain('message_delta');
  });

  it.each([
    ['', 'the upstream broke off in the middle of the reply'],
    ['data: [DONE]\n\n', 'the upstream broke off in the middle of the reply'],
    ['data: {"choices":[{"del', "the upstream's answer is no JSON"],
  ])('that ends without saying how rejects: %j', async (end, message) => {
    upstream.at.answer = sse(HELLO, { end });
    expect(await fault(ask.streamed())).toMatchObject({ name: 'ProviderUnavailableError', message });
  });

  it.each<[string, string | object, object]>([
    ['a text', { error: 'engine died' }, { name: 'ProviderUnavailableError', message: 'engine died' }],
    [
      'a rate limit',
      { error: { message: 'slow down', type: 'rate_limit_error' } },
      { name: 'ProviderRateLimitedError' },
    ],
    [
      'no capacity',
      { error: { message: 'Loading model', type: 'unavailable_error', code: 503 } },
      { name: 'ProviderOverloadedError' },
    ],
    [
      'too long',
      { error: { message: 'the request exceeds the available context size', code: 400 } },
      { name: 'ProviderRefusedError', type: 'invalid_request_error' },
    ],
    [
      'a code that every object has as a field',
      { error: { message: 'engine died', code: 'constructor' } },
      { name: 'ProviderUnavailableError', message: 'engine died' },
    ],
    [
      'vLLM’s older form',
      { object: 'error', message: 'no such thing', code: 400 },
      { type: 'invalid_request_error' },
    ],
  ])('with an error in it rejects with it: %s', async (_what, event, expected) => {
    upstream.at.answer = sse([...HELLO, event]);
    expect(await fault(ask.streamed())).toMatchObject(expected);
  });

  it('with an end that is an error rejects', async () => {
    upstream.at.answer = sse([...HELLO, chunk({}, 'error')]);
    expect(await fault(ask.streamed())).toMatchObject({ name: 'ProviderUnavailableError' });
    upstream.at.answer = sse([...HELLO, chunk({}, 'insufficient_system_resource')]);
    expect(await fault(ask.streamed())).toMatchObject({ name: 'ProviderOverloadedError' });
  });

  it('that stalls in the middle times out', async () => {
    upstream.at.answer = sse([...HELLO, chunk({}, 'stop')], {
      before: (index) => (index === 2 ? new Promise(() => undefined) : undefined),
    });
    expect(await fault(ask.streamed({}, { timeoutMs: 100 }))).toMatchObject({
      name: 'ProviderTimedOutError',
    });
  });
});

describe('leaving', () => {
  const waiting = (): void => {
    upstream.at.answer = sse([chunk({ content: 'Hello' }), chunk({}, 'stop')], {
      before: (index) => (index === 1 ? new Promise(() => undefined) : undefined),
    });
  };

  it('the loop ends the work upstream', async () => {
    waiting();
    const stream = ask.provider().stream(chatRequest(), { signal: new AbortController().signal });
    for await (const event of stream) if (event.type === 'content_block_delta') break;
    await upstream.at.gone();
    expect(upstream.at.cut()).toBe(1);
  });

  it('by the signal rejects with its reason and ends the work upstream', async () => {
    waiting();
    const controller = new AbortController();
    const reason = new Error('the user went away');
    const asked = (async () => {
      const stream = ask.provider().stream(chatRequest(), { signal: controller.signal });
      for await (const event of stream) if (event.type === 'content_block_delta') controller.abort(reason);
    })();
    await expect(asked).rejects.toBe(reason);
    await upstream.at.gone();
  });

  it('before the first event asks nobody', async () => {
    ask.provider().stream(chatRequest(), { signal: new AbortController().signal });
    await new Promise((resolve) => setImmediate(resolve));
    expect(upstream.at.seen).toHaveLength(0);
  });
});

it('a connection serves later requests too', async () => {
  const ports = new Set<unknown>();
  upstream.at.answer = async (request, response) => {
    ports.add(response.req.socket.remotePort);
    await chat('Hello.')(request, response);
    await once(response, 'close');
  };
  for (let n = 0; n < 6; n += 1) await ask.streamed();
  // The very next one may come before the stream's last bytes have been read.
  expect(ports.size).toBeLessThan(6);
});

it('tells the id that the upstream gave the request', async () => {
  const facts: object[] = [];
  const options = {
    signal: new AbortController().signal,
    now: () => NOW,
    trace: (fact: object) => void facts.push(fact),
  };
  await collectMessage(ask.provider().stream(chatRequest(), options));
  await ask.provider().reply(chatRequest(), options);
  expect(facts).toEqual([{ upstreamRequestId: 'req_openai' }, { upstreamRequestId: 'req_openai' }]);
});

it.each([1, 2, 3, 5])('events are the same however the bytes are cut: every %d', async (length) => {
  const wire = Buffer.from(': hi\r\n\r\ndata: {"a":"é👩‍🚀"}\r\n\r\nid: 1\rdata: one\rdata: two\r\rdata:last');
  async function* cut(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < wire.length; at += length) yield wire.subarray(at, at + length);
  }
  const events: string[] = [];
  for await (const data of eventData(cut())) events.push(data);
  expect(events).toEqual(['{"a":"é👩‍🚀"}', 'one\ntwo', 'last']);
});
