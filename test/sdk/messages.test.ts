import type Anthropic from '@anthropic-ai/sdk';
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { z } from 'zod';
import { eventsOf, message, reply, stream, text, thinking, toolUse } from '../support/anthropic-upstream.ts';
import { ASK, MODEL, useFront } from './front.ts';
import { fromUser } from '../support/blocks.ts';

/** The official TypeScript client, unmodified: messages, streams, tools, structured outputs. */

const front = useFront();

const WEATHER: Anthropic.Tool = {
  name: 'get_weather',
  description: 'Tells the weather',
  input_schema: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};

describe('messages', () => {
  it('come back, under the id of their request', async () => {
    const made = await front().client().messages.create(ASK);
    expect(made).toMatchObject({
      type: 'message',
      role: 'assistant',
      model: MODEL,
      stop_reason: 'end_turn',
      content: [{ type: 'text', text: 'Hello there. You can unwrap() it.' }],
      usage: { input_tokens: 30, output_tokens: 12 },
    });
    expect(made._request_id).toMatch(/^req_/);
    const { data, response, request_id } = await front().client().messages.create(ASK).withResponse();
    expect(data.id).toBe(made.id);
    expect(request_id).toBe(response.headers.get('request-id'));
  });

  it('are asked of the upstream with its own key, and the betas of header and body', async () => {
    await front()
      .client()
      .beta.messages.create({ ...ASK, betas: ['context-1m-2025-08-07'] });
    await front()
      .client()
      .messages.create(ASK, { headers: { 'anthropic-beta': 'one,two' } });
    const [first, second] = front().upstream.seen;
    expect(first?.headers['anthropic-beta']).toBe('context-1m-2025-08-07');
    expect(second?.headers['anthropic-beta']).toBe('one,two');
    expect(JSON.stringify([first?.headers, second?.headers])).not.toContain('sk-client');
    expect(JSON.stringify(first?.headers)).toContain('sk-upstream');
  });

  it('carry system prompts, pictures, documents and thinking both ways', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const client = front().client();
    const asked: Anthropic.MessageCreateParamsNonStreaming = {
      ...ASK,
      max_tokens: 4096,
      system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [
        fromUser([
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } },
          { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'A text' } },
          { type: 'text', text: 'What is it?' },
        ]),
      ],
    };
    const first = await client.messages.create(asked);
    expect(first.content[0]).toEqual({ type: 'thinking', thinking: 'Let me think.', signature: 'c2lnbmVk' });
    await client.messages.create({
      ...asked,
      messages: [
        ...asked.messages,
        { role: 'assistant', content: first.content },
        { role: 'user', content: 'Go on' },
      ],
    });
    expect(front().upstream.seen[1]?.body['messages']).toHaveLength(3);
    expect(front().upstream.seen[0]?.body).toMatchObject({ system: asked.system, messages: asked.messages });
  });

  it('fill in a form and are parsed', async () => {
    const form = z.object({ city: z.string(), days: z.number(), kind: z.enum(['sun', 'rain']) });
    const parsed = await front()
      .client()
      .messages.parse({ ...ASK, output_config: { format: zodOutputFormat(form) } });
    expect(parsed.parsed_output).toEqual({ city: 'a city', days: 7, kind: 'sun' });
  });
});

describe('streams', () => {
  it('are raw events, in the order of the API', async () => {
    const types: string[] = [];
    const events = await front()
      .client()
      .messages.create({ ...ASK, stream: true });
    for await (const { type } of events) types.push(type);
    expect([types[0], types[1], ...types.slice(-3)]).toEqual([
      'message_start',
      'content_block_start',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
    expect(new Set(types.slice(2, -3))).toEqual(new Set(['content_block_delta']));
  });

  it('are put together by the helper, with its events on the way', async () => {
    const blocks = [
      thinking('step by step'),
      text('Grüße, 世界 👋🏽'),
      toolUse('toolu_1', 'get_weather', { location: 'Genève' }),
    ];
    front().upstream.queue.push(reply(blocks));
    const events = front()
      .client()
      .messages.stream({ ...ASK, tools: [WEATHER] });
    const said: string[] = [];
    const thought: string[] = [];
    const inputs: unknown[] = [];
    const ended: string[] = [];
    events
      .on('text', (delta) => said.push(delta))
      .on('thinking', (delta) => thought.push(delta))
      .on('inputJson', (_delta, snapshot) => inputs.push(snapshot))
      .on('contentBlock', ({ type }) => ended.push(type))
      .on('end', () => ended.push('end'));
    const final = await events.finalMessage();
    await events.done();
    expect(final).toMatchObject({
      content: blocks,
      stop_reason: 'tool_use',
      model: MODEL,
      usage: { output_tokens: 12 },
    });
    expect([said.join(''), thought.join('')]).toEqual(['Grüße, 世界 👋🏽', 'step by step']);
    expect(said.length).toBeGreaterThan(1);
    expect(inputs.at(-1)).toEqual({ location: 'Genève' });
    expect(ended).toEqual(['thinking', 'text', 'tool_use', 'end']);
    expect(events.request_id).toMatch(/^req_/);
    expect(await front().client().messages.stream(ASK).finalText()).toBe('Hello there. You can unwrap() it.');
  });

  it('bring each event as it comes: the reader has the first while the upstream holds the rest back', async () => {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    front().upstream.queue.push(
      stream(eventsOf(message('one two three four')), { before: (at) => (at === 4 ? gate : undefined) }),
    );
    const seen: string[] = [];
    for await (const event of await front()
      .client()
      .messages.create({ ...ASK, stream: true })) {
      seen.push(event.type);
      if (event.type === 'content_block_delta') open();
    }
    expect(seen.at(-1)).toBe('message_stop');
  });

  it('fill in a form on the way', async () => {
    const form = z.object({ name: z.string(), price: z.number() });
    const events = front()
      .client()
      .messages.stream({ ...ASK, output_config: { format: zodOutputFormat(form) } });
    expect((await events.finalMessage()).parsed_output).toEqual({ name: 'a name', price: 7 });
  });

  it('end upstream when the reader breaks off, or aborts', async () => {
    const never = new Promise<void>(() => undefined);
    const held = reply('a very long answer indeed', { before: (at) => (at === 4 ? never : undefined) });
    front().upstream.queue.push(held, held);
    for await (const event of await front()
      .client()
      .messages.create({ ...ASK, stream: true })) {
      if (event.type === 'content_block_delta') break;
    }
    await front().upstream.gone(1);
    const events = front().client().messages.stream(ASK);
    events.on('text', () => events.abort());
    await expect(events.done()).rejects.toThrow('Request was aborted.');
    await front().upstream.gone(2);
  });
});

describe('tools', () => {
  it('are asked for, and their results taken', async () => {
    const client = front().client();
    const asked = await client.messages.create({ ...ASK, tools: [WEATHER] });
    expect(asked.stop_reason).toBe('tool_use');
    const use = asked.content.find((block) => block.type === 'tool_use');
    expect(use).toMatchObject({ name: 'get_weather', input: { location: 'a location' } });
    const done = await client.messages.create({
      ...ASK,
      tools: [WEATHER],
      messages: [
        ...ASK.messages,
        { role: 'assistant', content: asked.content },
        fromUser([{ type: 'tool_result', tool_use_id: use?.id ?? '', content: '20 degrees' }]),
      ],
    });
    expect(done.stop_reason).toBe('end_turn');
  });

  const ran: unknown[] = [];
  const tools = [
    betaZodTool({
      name: 'weather',
      description: 'Tells the weather',
      inputSchema: z.object({ location: z.string() }),
      run: (input) => {
        ran.push(input);
        return `20 degrees in ${input.location}`;
      },
    }),
    betaTool({
      name: 'broken',
      description: 'Fails',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const,
      run: (input) => {
        ran.push(input);
        throw new Error('out of order');
      },
    }),
  ];

  it.each([false, true])('are run by the tool runner until the turn ends (stream: %p)', async (streams) => {
    ran.length = 0;
    const runner = front()
      .client()
      .beta.messages.toolRunner({ ...ASK, tools, max_iterations: 5, stream: streams as false });
    const final = await runner;
    expect(final.stop_reason).toBe('end_turn');
    expect(ran).toEqual([{ location: 'a location' }, { n: 7 }]);
    const results = (front().upstream.seen[1]?.body['messages'] as { content: unknown }[] | undefined)?.at(
      -1,
    );
    expect(results?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_0', content: '20 degrees in a location' },
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'Error: out of order', is_error: true },
    ]);
    expect(front().upstream.seen).toHaveLength(2);
  });
});
