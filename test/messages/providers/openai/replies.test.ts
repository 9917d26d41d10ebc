import { parseMessageRequest } from '../../../../messages/index.ts';
import { chat, type Completion, json, completion } from '../../../support/openai-upstream.ts';
import { TOOLS, userSays } from '../../support.ts';
import { Asking, useUpstream } from './support.ts';
import { fromModel, fromUser } from '../../../support/blocks.ts';

const upstream = useUpstream();
const ask = new Asking(upstream);

/** The reply as it is and as a stream of it: they must not differ. */
async function both(said: Completion | string, ...how: Parameters<Asking['reply']>): Promise<object> {
  upstream.at.answer = chat(said);
  const whole = await ask.reply(...how);
  expect(await ask.streamed(...how)).toEqual(whole);
  return whole;
}

const NEXT = { type: 'text', text: 'next' };

it('a text is a text block', async () => {
  expect(await both('Hello, world.')).toEqual({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'local-model',
    content: [{ type: 'text', text: 'Hello, world.', citations: null }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    stop_details: null,
    container: null,
    context_management: null,
    diagnostics: null,
    usage: expect.objectContaining({
      input_tokens: 30,
      output_tokens: 12,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    }) as object,
  });
});

it('without an id of the caller’s it has one of its own', async () => {
  const reply = await ask
    .provider()
    .reply(
      { model: 'm', max_tokens: 9, messages: [userSays('hi')], tools: [], betas: [] },
      { signal: new AbortController().signal },
    );
  expect(reply.id).toMatch(/^msg_[0-9a-f]{24}$/);
});

describe('tool calls', () => {
  it('are tool uses, with their ids, after the text', async () => {
    const calls = [
      { id: 'call_a', name: 'bash', arguments: { command: 'ls "a b"' } },
      { id: 'call_b', name: 'computer', arguments: { action: 'screenshot' } },
    ];
    expect(await both({ content: 'Looking.', calls }, { tools: TOOLS })).toMatchObject({
      content: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool_use', id: 'call_a', name: 'bash', input: { command: 'ls "a b"' } },
        { type: 'tool_use', id: 'call_b', name: 'computer', input: { action: 'screenshot' } },
      ],
      stop_reason: 'tool_use',
    });
  });

  it.each(['stop', 'tool_calls', 'function_call', 'eos', 'stop_sequence'])(
    'make a reply that wants tools run, whatever its end is called: %s',
    async (finish_reason) => {
      const calls = [{ id: 'a', name: 'bash', arguments: {} }];
      expect(await both({ calls, finish_reason }, { tools: TOOLS })).toMatchObject({
        stop_reason: 'tool_use',
      });
    },
  );

  it('that are none make a reply that ends the turn', async () => {
    expect(await both({ content: 'No.', finish_reason: 'tool_calls' })).toMatchObject({
      stop_reason: 'end_turn',
    });
  });

  it.each([undefined, '', 'call with spaces', 'functions.bash:0', 'é'])(
    'with an id that the API does not take get one: %p',
    async (id) => {
      const call = { name: 'bash', arguments: { command: 'ls' }, ...(id === undefined ? {} : { id }) };
      const reply = await both({ calls: [call, call] }, { tools: TOOLS });
      const ids = (reply as { content: { id: string }[] }).content.map((block) => block.id);
      expect(new Set(ids).size).toBe(2);
      for (const made of ids) expect(made).toMatch(/^toolu_[0-9a-f]{24}$/);
    },
  );

  it('with an id that the conversation has already get another', async () => {
    const messages = [
      userSays('hi'),
      fromModel([{ type: 'tool_use' as const, id: 'call_0', name: 'bash', input: { command: 'ls' } }]),
      fromUser([{ type: 'tool_result' as const, tool_use_id: 'call_0', content: 'a' }]),
    ];
    const reply = await both(
      { calls: [{ id: 'call_0', name: 'bash', arguments: { command: 'pwd' } }] },
      { tools: TOOLS, messages },
    );
    const { content } = reply as { content: { id: string }[] };
    expect(content[0]?.id).toMatch(/^toolu_/);
    // The next request is one that the API takes.
    expect(() =>
      parseMessageRequest(
        {
          model: 'm',
          max_tokens: 9,
          messages: [
            ...messages,
            { role: 'assistant', content },
            { role: 'user', content: [{ type: 'tool_result', tool_use_id: content[0]?.id, content: 'b' }] },
          ],
        },
        { betas: [] },
      ),
    ).not.toThrow();
  });

  it.each([
    ['', {}],
    ['  ', {}],
    ['null', {}],
    ['{}', {}],
    ['{"a": [1, {"b": null}]}', { a: [1, { b: null }] }],
    ['"{\\"a\\":1}"', { a: 1 }],
  ])('read arguments %j', async (given, input) => {
    expect(await both({ calls: [{ id: 'a', name: 'bash', arguments: given }] })).toMatchObject({
      content: [{ input }],
    });
  });

  it.each(['{"command": "rm -rf /tmp/x', '{command: ls}', '[1]', '7', '"ls"', 'ls', '{"a":1}}'])(
    'say that their arguments are no object, in full: %j',
    async (given) => {
      const reply = await both({ content: 'So:', calls: [{ id: 'a', name: 'bash', arguments: given }] });
      expect(reply).toMatchObject({
        content: [{ type: 'text' }, { type: 'tool_use', name: 'bash', input: { INVALID_JSON: given } }],
        stop_reason: 'tool_use',
      });
    },
  );

  it('cut short by the bound are never a smaller command', async () => {
    const calls = [{ id: 'a', name: 'bash', arguments: '{"command":"rm -rf /home' }];
    expect(await both({ calls, finish_reason: 'length' })).toMatchObject({
      content: [{ input: { INVALID_JSON: '{"command":"rm -rf /home' } }],
      stop_reason: 'max_tokens',
    });
  });

  it('are one alone where the request wants one at a time', async () => {
    const calls = [
      { id: 'a', name: 'bash', arguments: { command: 'a' } },
      { id: 'b', name: 'bash', arguments: { command: 'b' } },
    ];
    const reply = await both(
      { calls },
      { tools: TOOLS, tool_choice: { type: 'auto', disable_parallel_tool_use: true } },
    );
    expect(reply).toMatchObject({ content: [{ id: 'a' }], stop_reason: 'tool_use' });
    expect((reply as { content: unknown[] }).content).toHaveLength(1);
  });

  it('of members of a toolset carry its name', async () => {
    const calls = [{ id: 'a', name: 'left_click', arguments: { coordinate: [1, 2] } }];
    expect(await both({ calls }, { tools: [{ type: 'computer_toolset_20260801' }] })).toMatchObject({
      content: [{ name: 'left_click', toolset_name: 'computer', input: { coordinate: [1, 2] } }],
    });
  });

  it('of a member whose name another tool has are told apart', async () => {
    const custom = { name: 'key', description: 'A musical key.', input_schema: { type: 'object' as const } };
    const tools = [custom, { type: 'computer_toolset_20260801' as const }];
    const calls = [
      { id: 'a', name: 'key', arguments: {} },
      { id: 'b', name: 'computer_key', arguments: { text: 'Return' } },
    ];
    const reply = await both({ calls }, { tools });
    expect(reply).toMatchObject({
      content: [{ name: 'key' }, { name: 'key', toolset_name: 'computer' }],
    });
    expect((reply as { content: object[] }).content[0]).not.toHaveProperty('toolset_name');
  });

  it('with arguments that are an object already are read as they are', async () => {
    upstream.at.answer = json(200, {
      choices: [
        {
          message: { tool_calls: [{ id: 'a', function: { name: 'bash', arguments: { command: 'ls' } } }] },
          finish_reason: 'tool_calls',
        },
      ],
    });
    expect(await ask.reply()).toMatchObject({ content: [{ input: { command: 'ls' } }] });
  });
});

describe('how a reply ends', () => {
  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['eos', 'end_turn'],
  ])('%s is %s', async (finish_reason, stop_reason) => {
    expect(await both({ content: 'So.', finish_reason })).toMatchObject({ stop_reason, stop_sequence: null });
  });

  it.each(['stop_reason', 'matched_stop'])(
    'a stop sequence is named where the server names it, as `%s`',
    async (field) => {
      const said = { content: 'one, ', choice: { [field]: 'two' } };
      expect(await both(said, { stop_sequences: ['two'] })).toMatchObject({
        stop_reason: 'stop_sequence',
        stop_sequence: 'two',
      });
      // A token's number, or a word that was not asked for.
      expect(
        await both({ content: 'one', choice: { [field]: 128_009 } }, { stop_sequences: ['two'] }),
      ).toMatchObject({ stop_reason: 'end_turn' });
      expect(await both({ content: 'one', choice: { [field]: '</s>' } })).toMatchObject({
        stop_reason: 'end_turn',
      });
    },
  );

  it('a refusal’s words are the reply and its explanation', async () => {
    expect(await both({ refusal: 'I cannot help with that.' })).toMatchObject({
      content: [{ type: 'text', text: 'I cannot help with that.' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', explanation: 'I cannot help with that.' },
    });
  });
});

describe('reasoning', () => {
  const said = { reasoning_content: 'Let me think about it.', content: 'Four.' };

  it('comes as a thinking block where the request enables thinking', async () => {
    const reply = await both(said, { thinking: { type: 'enabled', budget_tokens: 1024 } });
    expect(reply).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'Let me think about it.', signature: '' },
        { type: 'text', text: 'Four.' },
      ],
    });
    const { content } = reply as { content: object[] };
    // It may be sent back.
    const request = parseMessageRequest(
      {
        model: 'm',
        max_tokens: 9,
        messages: [userSays('hi'), { role: 'assistant', content }, { role: 'user', content: [NEXT] }],
      },
      { betas: [] },
    );
    const body = await ask.body({ messages: request.messages });
    expect(body['messages']).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Four.' },
      { role: 'user', content: 'next' },
    ]);
  });

  it.each([
    ['nothing said of thinking', {}, {}],
    ['thinking disabled', { thinking: { type: 'disabled' as const } }, {}],
    ['thinking not shown', { thinking: { type: 'adaptive' as const, display: 'omitted' as const } }, {}],
    [
      'a provider that leaves it out',
      { thinking: { type: 'adaptive' as const } },
      { reasoning: 'never' as const },
    ],
  ])('is left out with %s', async (_what, change, options) => {
    expect(await both(said, change, options)).toMatchObject({ content: [{ type: 'text', text: 'Four.' }] });
  });

  it('always comes and goes back where the provider is told so', async () => {
    const reply = await both(said, {}, { reasoning: 'always' });
    const { content } = reply as { content: never };
    const messages = [userSays('hi'), { role: 'assistant' as const, content }, userSays('next')];
    const body = await ask.body({ messages }, { reasoning: 'always' });
    expect(body['messages']).toMatchObject([
      {},
      { role: 'assistant', content: 'Four.', reasoning_content: 'Let me think about it.' },
      {},
    ]);
  });

  it('is read under its other name and from parts of the content', async () => {
    const thinking = { type: 'adaptive' as const };
    const message = { role: 'assistant', content: 'Four.', reasoning: 'Hm.' };
    upstream.at.answer = json(200, { choices: [{ message, finish_reason: 'stop' }] });
    expect(await ask.reply({ thinking })).toMatchObject({
      content: [{ thinking: 'Hm.' }, { text: 'Four.' }],
    });
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'Hm, ' }] },
      { type: 'text', text: 'Five.' },
    ];
    upstream.at.answer = json(200, { choices: [{ message: { content }, finish_reason: 'stop' }] });
    expect(await ask.reply({ thinking })).toMatchObject({
      content: [{ thinking: 'Hm, ' }, { text: 'Five.' }],
    });
  });
});

describe('text', () => {
  it('of white space alone is no block: the API would not take it back', async () => {
    const calls = [{ id: 'a', name: 'bash', arguments: {} }];
    expect(await both({ content: '\n\n', calls })).toMatchObject({ content: [{ type: 'tool_use' }] });
    expect(await both({ content: ' ' })).toMatchObject({ content: [] });
  });

  it('keeps the white space that it begins with', async () => {
    expect(await both('\n\n  Indented.')).toMatchObject({ content: [{ text: '\n\n  Indented.' }] });
  });

  it('of every script and of half characters between pieces arrives whole', async () => {
    const words = 'Grüße 👩‍🚀 と 漢字 '.repeat(9).trim();
    expect(await both(words)).toMatchObject({ content: [{ text: words }] });
  });
});

describe('usage', () => {
  it('tells what came from a cache apart, and what was thought', async () => {
    const usage = {
      prompt_tokens: 1000,
      completion_tokens: 70,
      total_tokens: 1070,
      prompt_tokens_details: { cached_tokens: 800 },
      completion_tokens_details: { reasoning_tokens: 50 },
    };
    expect(await both({ content: 'a', usage })).toMatchObject({
      usage: {
        input_tokens: 200,
        cache_read_input_tokens: 800,
        output_tokens: 70,
        output_tokens_details: { thinking_tokens: 50 },
      },
    });
  });

  it.each([
    ['none', null],
    ['zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ])('is counted here when the upstream gives %s', async (_what, usage) => {
    const reply = await both({ content: 'Four words, or so.', usage }, { tools: TOOLS });
    const { input_tokens: input, output_tokens: output } = (
      reply as { usage: { input_tokens: number; output_tokens: number } }
    ).usage;
    // The provider-defined tools alone come to more.
    expect(input).toBeGreaterThan(1600);
    expect(output).toBeGreaterThan(3);
    expect(output).toBeLessThan(20);
  });
});

it.each([
  ['another object', { hello: 'world' }],
  ['no choices', { choices: [] }],
  ['a choice that is not finished', { choices: [{ message: { content: 'a' }, finish_reason: null }] }],
  ['content of another type', { choices: [{ message: { content: 7 }, finish_reason: 'stop' }] }],
  ['a call without a name', { choices: [{ message: { tool_calls: [{ id: 'a' }] }, finish_reason: 'stop' }] }],
  ['no JSON', '<html>'],
  ['JSON that breaks off', '{"choices":['],
  ['a list', []],
])('an answer that is no completion may pass: %s', async (_what, body) => {
  upstream.at.answer = json(200, body);
  await expect(ask.reply()).rejects.toMatchObject({ name: 'ProviderUnavailableError', retryable: true });
});

it('only the first choice counts', async () => {
  const whole = completion({ content: 'first' }) as { choices: object[] };
  upstream.at.answer = json(200, {
    ...whole,
    choices: [{ index: 1, message: { content: 'second' }, finish_reason: 'stop' }, ...whole.choices],
  });
  expect(await ask.reply()).toMatchObject({ content: [{ text: 'first' }] });
});
