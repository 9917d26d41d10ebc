import Anthropic, { type APIError, OverloadedError, RateLimitError } from '@anthropic-ai/sdk';
import {
  cut,
  failingStream,
  message,
  overloaded,
  rateLimited,
  reply,
  silent,
  startUpstream,
  stream,
  text,
  thinking,
  toolUse,
  eventsOf,
} from './anthropic-upstream.ts';
import { madeForAll, openedForAll } from './opened.ts';

const upstream = openedForAll(startUpstream);
const client = madeForAll(
  () => new Anthropic({ baseURL: upstream.baseURL, apiKey: 'sk-double', maxRetries: 0, logLevel: 'off' }),
);
beforeEach(() => upstream.reset());

const body = { model: 'claude-x', max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi' }] };

it('says the same as JSON and as a stream, to the official client', async () => {
  const blocks = [
    thinking('let me see, step by step'),
    text('Grüße, 世界 👋🏽!'),
    toolUse('toolu_1', 'f', { a: 'b"c', n: [1, 2] }),
  ];
  upstream.queue.push(reply(blocks), reply(blocks));
  const whole = await client.messages.create(body);
  const streamed = await client.messages.stream(body).finalMessage();
  expect(whole).toMatchObject({ content: blocks, stop_reason: 'tool_use', model: 'claude-x' });
  expect(streamed).toMatchObject({ content: blocks, stop_reason: 'tool_use', usage: { output_tokens: 12 } });
  expect(upstream.seen.map(({ method, body: { stream: streams } }) => [method, streams])).toEqual([
    ['POST', undefined],
    ['POST', true],
  ]);
});

it('fails as the API fails', async () => {
  upstream.queue.push(rateLimited({ 'retry-after': '7' }), overloaded(), cut);
  const limited = await client.messages.create(body).catch((error: unknown) => error);
  expect(limited).toBeInstanceOf(RateLimitError);
  expect((limited as APIError).headers?.get('retry-after')).toBe('7');
  await expect(client.messages.create(body)).rejects.toBeInstanceOf(OverloadedError);
  await expect(client.messages.create(body)).rejects.toThrow('Connection error');
});

it('fails in the middle of a stream: an error event, a cut, nonsense', async () => {
  upstream.queue.push(
    failingStream('half an answer', 4, 'overloaded_error', 'Overloaded'),
    reply('half an answer', { cutAfter: 4 }),
    stream([...eventsOf(message('half')).slice(0, 3), 'event: content_block_delta\ndata: {"type":\n\n']),
  );
  for (const expected of [/Overloaded/, /terminated|aborted|Connection|without/i, /JSON/]) {
    await expect(client.messages.stream(body).finalMessage()).rejects.toThrow(expected);
  }
});

it('waits at a gate and sees who leaves', async () => {
  let open = (): void => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  upstream.queue.push(reply('slow', { before: (index) => (index === 3 ? gate : undefined) }), silent);
  const events = client.messages.stream(body);
  const seen: string[] = [];
  events.on('streamEvent', ({ type }) => {
    seen.push(type);
    if (type === 'content_block_start') open();
  });
  await events.done();
  expect(seen.at(-1)).toBe('message_stop');

  const controller = new AbortController();
  const asked = client.messages.create(body, { signal: controller.signal });
  await upstream.arrived(1);
  controller.abort();
  await expect(asked).rejects.toThrow('aborted');
  await upstream.gone();
});

it('counts tokens and lists models by pages', async () => {
  expect(await client.messages.countTokens({ ...body, max_tokens: undefined } as never)).toMatchObject({
    input_tokens: 42,
  });
  upstream.models = Array.from({ length: 5 }, (_, index) => ({ id: `claude-${index}` }));
  const ids: string[] = [];
  for await (const { id } of client.models.list({ limit: 2 })) ids.push(id);
  expect(ids).toEqual(['claude-0', 'claude-1', 'claude-2', 'claude-3', 'claude-4']);
  const back = await client.models.list({ limit: 2, before_id: 'claude-3' });
  expect(back).toMatchObject({ has_more: true, first_id: 'claude-1', last_id: 'claude-2' });
  await expect(client.models.retrieve('claude-9')).rejects.toMatchObject({ status: 404 });
});
