import type { MessageParam, ModelRequest } from '../../../../messages/index.ts';
import type { OpenAiProviderOptions } from '../../../../messages/providers/openai/options.ts';
import { COMPUTER_USE, TOOLS, userSays } from '../../support.ts';
import { Asking, KEY, useUpstream } from './support.ts';
import { toolUse, fromModel, fromUser } from '../../../support/blocks.ts';

const upstream = useUpstream();
const ask = new Asking(upstream);

type Sent = { role: string; content: unknown; tool_calls?: unknown }[];

/** The messages that the upstream is sent. */
async function sent(
  messages: MessageParam[],
  change: Partial<ModelRequest> = {},
  options: Partial<OpenAiProviderOptions> = {},
): Promise<Sent> {
  return (await ask.body({ messages, ...change }, options))['messages'] as Sent;
}

const PNG = 'iVBORw0KGgo=';
const image = (
  data = PNG,
): { type: 'image'; source: { type: 'base64'; media_type: 'image/png'; data: string } } => ({
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data },
});
const use = (id: string, name = 'bash', input: object = { command: 'ls' }): MessageParam =>
  fromModel([{ type: 'tool_use', id, name, input }]);
const results = (...content: Extract<MessageParam['content'], unknown[]>): MessageParam => fromUser(content);

describe('the fields of a request', () => {
  it('have their counterparts, and nothing else is sent', async () => {
    const body = await ask.body({
      system: 'Be kind.',
      system_prompt: 'Be brief.',
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop_sequences: ['END'],
      metadata: { user_id: 'u' },
      cache_control: { type: 'ephemeral' },
      service_tier: 'auto',
    });
    expect(body).toEqual({
      model: 'local-model',
      messages: [
        { role: 'system', content: 'Be brief.\n\nBe kind.' },
        { role: 'user', content: 'hello' },
      ],
      max_tokens: 4096,
      temperature: 0.5,
      top_p: 0.9,
      top_k: 40,
      stop: ['END'],
      user: 'u',
    });
  });

  it('go to the chat completions of the base URL, with the key and the headers', async () => {
    await ask.reply({}, { headers: { 'x-team': 'blue' } });
    expect(upstream.at.seen[0]).toMatchObject({
      method: 'POST',
      url: '/v1/chat/completions',
      headers: { authorization: `Bearer ${KEY}`, 'x-team': 'blue' },
    });
  });

  it('without a key carry none, whatever the environment holds', async () => {
    const names = ['OPENAI_API_KEY', 'OPENAI_ADMIN_KEY', 'OPENAI_ORG_ID', 'OPENAI_PROJECT_ID'];
    for (const name of names) process.env[name] = 'of-another-server';
    try {
      const { createOpenAiProvider } =
        await import('../../../../messages/providers/openai/openai-provider.ts');
      const provider = createOpenAiProvider({ baseURL: upstream.at.baseURL });
      await provider.reply(
        { model: 'm', max_tokens: 9, messages: [userSays('hi')], tools: [], betas: [] },
        { signal: new AbortController().signal },
      );
      const headers = upstream.at.seen[0]?.headers ?? {};
      expect(headers['authorization']).toBeUndefined();
      expect(JSON.stringify(headers)).not.toContain('of-another-server');
    } finally {
      for (const name of names) delete process.env[name];
    }
  });

  it('that bound the reply go by the name that the server takes', async () => {
    const body = await ask.body({}, { maxTokensField: 'max_completion_tokens' });
    expect(body).toMatchObject({ max_completion_tokens: 4096 });
    expect(body).not.toHaveProperty('max_tokens');
  });

  it('are overridden by those of the configuration', async () => {
    const extraBody = { chat_template_kwargs: { enable_thinking: false }, temperature: 0 };
    expect(await ask.body({ temperature: 1 }, { extraBody })).toMatchObject(extraBody);
  });

  it('that ask for a form of the output or an effort are asked for', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } } };
    expect(
      await ask.body({ output_config: { effort: 'max', format: { type: 'json_schema', schema } } }),
    ).toMatchObject({
      reasoning_effort: 'xhigh',
      response_format: { type: 'json_schema', json_schema: { name: 'output', strict: true, schema } },
    });
  });

  it('that ask for a form by the older field do so too', async () => {
    const schema = { type: 'object' };
    expect(await ask.body({ output_format: { type: 'json_schema', schema } })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema } },
    });
  });

  it.each<[string, Partial<ModelRequest>]>([
    ['speed', { speed: 'fast' }],
    ['mcp_servers', { mcp_servers: [{ type: 'url', name: 'a', url: 'https://example.org' }] }],
    ['tools.0', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ])('that no such server has are refused: %s', async (field, change) => {
    await expect(ask.reply(change)).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringContaining(`${field}: the provider 'openai-compatible' of this model`) as string,
    });
    expect(upstream.at.seen).toHaveLength(0);
  });

  it('that warm a cache are refused', async () => {
    await expect(ask.reply({ max_tokens: 0 })).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: 'max_tokens: this model has no cache to warm; it must be at least 1',
    });
    expect(upstream.at.seen).toHaveLength(0);
  });
});

describe('the system prompt', () => {
  it('holds the generated prompt for the provider-defined tools, then the client’s', async () => {
    const [system] = await sent([userSays('hi')], {
      tools: TOOLS,
      betas: [COMPUTER_USE],
      system: 'Be kind.',
    });
    expect(system).toMatchObject({ role: 'system' });
    expect(system?.content).toMatch(
      /^You have access to a set of functions[^]*1024 pixels wide[^]*Be kind\.$/,
    );
  });

  it('is a developer’s where the model wants that', async () => {
    const [system] = await sent([userSays('hi')], { system: 'Be kind.' }, { systemRole: 'developer' });
    expect(system).toEqual({ role: 'developer', content: 'Be kind.' });
  });

  it('stands in the first user message for models without one', async () => {
    const options = { systemRole: 'user' as const };
    expect(await sent([userSays('hi')], { system: 'Be kind.' }, options)).toEqual([
      { role: 'user', content: 'Be kind.\n\nhi' },
    ]);
    const [first] = await sent([results(image())], { system: 'Be kind.' }, options);
    expect(first?.content).toMatchObject([{ type: 'text', text: 'Be kind.' }, { type: 'image_url' }]);
  });

  it('in the middle stays there, unless it was for an earlier turn alone', async () => {
    const messages: MessageParam[] = [
      userSays('one'),
      { role: 'system', content: 'for now', clear_at: 'next_user_message' },
      { role: 'assistant', content: 'a' },
      userSays('two'),
      { role: 'system', content: [{ type: 'text', text: 'from here on' }] },
    ];
    expect((await sent(messages)).map(({ role, content }) => [role, content])).toEqual([
      ['user', 'one'],
      ['assistant', 'a'],
      ['user', 'two'],
      ['system', 'from here on'],
    ]);
  });
});

describe('messages', () => {
  it('of one role in a row are one', async () => {
    expect(await sent([userSays('one'), userSays('two')])).toEqual([{ role: 'user', content: 'one\n\ntwo' }]);
  });

  it('with images hold them as data or as addresses, in their order', async () => {
    const url = 'https://example.org/a.png';
    const [message] = await sent([
      results({ type: 'text', text: 'Compare' }, image(), { type: 'image', source: { type: 'url', url } }),
    ]);
    expect(message).toEqual(
      fromUser([
        { type: 'text', text: 'Compare' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        { type: 'image_url', image_url: { url } },
      ]),
    );
  });

  it('with documents of text and search results hold their text', async () => {
    const [message] = await sent([
      results(
        {
          type: 'document',
          title: 'Notes',
          context: 'From Monday',
          source: { type: 'text', media_type: 'text/plain', data: 'Buy milk.' },
        },
        { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'Part.' }] } },
        { type: 'document', source: { type: 'content', content: 'Whole.' } },
        {
          type: 'search_result',
          source: 'https://example.org',
          title: 'Found',
          content: [{ type: 'text', text: 'It.' }],
        },
      ),
    ]);
    expect(message?.content).toBe(
      ['Notes\nFrom Monday', 'Buy milk.', 'Part.', 'Whole.', 'Found (https://example.org)\nIt.'].join('\n\n'),
    );
  });

  it.each<[string, Extract<MessageParam['content'], unknown[]>[number]]>([
    [
      'source: a PDF document',
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' } },
    ],
    [
      'source: a document by `url`',
      { type: 'document', source: { type: 'url', url: 'https://example.org/a.pdf' } },
    ],
    ['source: an image by `file`', { type: 'image', source: { type: 'file', file_id: 'file_1' } }],
  ])('with what has no form there are refused: %s', async (what, block) => {
    await expect(ask.reply({ messages: [results(block)] })).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: `messages.0.content.0.${what} cannot be sent to this model`,
    });
    const inResult = results({ type: 'tool_result', tool_use_id: 'a', content: [block as never] });
    await expect(ask.reply({ messages: [userSays('hi'), use('a'), inResult] })).rejects.toMatchObject({
      message: `messages.2.content.0.content.0.${what} cannot be sent to this model`,
    });
    expect(upstream.at.seen).toHaveLength(0);
  });

  it('with PDFs hold them as files where the server reads those', async () => {
    const pdf = { type: 'base64' as const, media_type: 'application/pdf' as const, data: 'JVBERi0=' };
    const [message] = await sent(
      [results({ type: 'document', source: pdf, title: 'a.pdf' })],
      {},
      { pdf: 'file' },
    );
    expect(message?.content).toEqual([
      { type: 'text', text: 'a.pdf' },
      {
        type: 'file',
        file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
      },
    ]);
  });

  it('that end with the assistant’s words are refused, or sent where the server goes on from them', async () => {
    const messages: MessageParam[] = [userSays('hi'), { role: 'assistant', content: 'Well,' }];
    await expect(ask.reply({ messages })).rejects.toMatchObject({
      type: 'invalid_request_error',
      message: expect.stringMatching(/^messages\.1: this model does not go on/) as string,
    });
    expect(await sent(messages, {}, { prefill: 'send' })).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'Well,' },
    ]);
    expect(await sent([userSays('hi'), { role: 'assistant', content: '' }])).toHaveLength(1);
  });
});

describe('tool uses and results', () => {
  it('are tool calls and tool messages, several in their order', async () => {
    const messages: MessageParam[] = [
      userSays('hi'),
      fromModel([
        { type: 'text', text: 'Both.' },
        { type: 'tool_use', id: 'a', name: 'bash', input: { command: 'ls' } },
        { type: 'tool_use', id: 'b', name: 'bash', input: {} },
      ]),
      results(
        { type: 'tool_result', tool_use_id: 'a', content: 'one\ntwo', is_error: false },
        { type: 'tool_result', tool_use_id: 'b', content: 'no command provided.', is_error: true },
        { type: 'text', text: 'Go on.' },
      ),
    ];
    expect(await sent(messages, { tools: TOOLS.slice(2) })).toMatchObject([
      { role: 'system' },
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'Both.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'bash', arguments: '{"command":"ls"}' } },
          { id: 'b', type: 'function', function: { name: 'bash', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one\ntwo' },
      { role: 'tool', tool_call_id: 'b', content: 'Error:\nno command provided.' },
      { role: 'user', content: 'Go on.' },
    ]);
  });

  it('without words around them have none', async () => {
    const [, assistant, tool] = await sent([
      userSays('hi'),
      use('a'),
      results({ type: 'tool_result', tool_use_id: 'a', content: [] }),
    ]);
    expect(assistant).toMatchObject({ content: null });
    expect(tool).toEqual({ role: 'tool', tool_call_id: 'a', content: '(no output)' });
  });

  it('with pictures say where they are, and a user message says whose they are', async () => {
    const messages = [
      userSays('hi'),
      fromModel(['a', 'b'].map((id) => toolUse(id, 'computer', { action: 'screenshot' }))),
      results(
        { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'Done.' }, image('AAAA')] },
        { type: 'tool_result', tool_use_id: 'b', content: [image('BBBB')] },
        { type: 'text', text: 'What do you see?' },
      ),
    ];
    expect((await sent(messages)).slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'Done.\n[1 picture: in the next user message]' },
      { role: 'tool', tool_call_id: 'b', content: '[1 picture: in the next user message]' },
      fromUser([
        { type: 'text', text: 'From the result of the tool call a:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        { type: 'text', text: 'From the result of the tool call b:' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,BBBB' } },
        { type: 'text', text: 'What do you see?' },
      ]),
    ]);
    expect((await sent(messages, {}, { toolResultImages: 'tool' })).slice(2)).toEqual([
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [
          { type: 'text', text: 'Done.' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
        ],
      },
      {
        role: 'tool',
        tool_call_id: 'b',
        content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,BBBB' } }],
      },
      { role: 'user', content: 'What do you see?' },
    ]);
  });

  it('take turns with the assistant for templates that insist', async () => {
    const messages = [
      userSays('hi'),
      use('a'),
      results({ type: 'tool_result', tool_use_id: 'a', content: [image()] }),
    ];
    const roles = (await sent(messages, {}, { alternate: true })).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
  });

  it('of a toolset’s member go by its function’s name', async () => {
    const custom = { name: 'key', description: 'A musical key.', input_schema: { type: 'object' as const } };
    const messages: MessageParam[] = [
      userSays('hi'),
      fromModel([
        { type: 'tool_use', id: 'a', name: 'key', input: {} },
        { type: 'tool_use', id: 'b', name: 'key', toolset_name: 'computer', input: { text: 'Return' } },
        { type: 'tool_use', id: 'c', name: 'screenshot', toolset_name: 'computer', input: {} },
      ]),
      results(
        ...['a', 'b', 'c'].map((id) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'ok' })),
      ),
    ];
    const body = await ask.body({ messages, tools: [custom, { type: 'computer_toolset_20260801' }] });
    const assistant = (body['messages'] as Sent).find(({ role }) => role === 'assistant');
    expect(assistant?.tool_calls).toMatchObject([
      { function: { name: 'key' } },
      { function: { name: 'computer_key' } },
      { function: { name: 'screenshot' } },
    ]);
    const offered = (body['tools'] as { function: { name: string } }[]).map((tool) => tool.function.name);
    expect(new Set(offered).size).toBe(offered.length);
    expect(offered).toEqual(expect.arrayContaining(['key', 'computer_key', 'screenshot', 'left_click']));
  });
});

describe('tools', () => {
  const custom = {
    name: 'get_weather',
    description: 'The weather of a place.',
    input_schema: {
      type: 'object' as const,
      properties: { place: { type: 'string' }, unit: { type: 'string', enum: ['C', 'F'] } },
      required: ['place'],
    },
  };

  it('of the client’s own are functions as they are', async () => {
    expect((await ask.body({ tools: [custom] }))['tools']).toEqual([
      {
        type: 'function',
        function: {
          name: 'get_weather',
          description: 'The weather of a place.',
          parameters: custom.input_schema,
        },
      },
    ]);
  });

  it('are strict where the client asks for it', async () => {
    expect((await ask.body({ tools: [{ ...custom, strict: true }] }))['tools']).toMatchObject([
      { function: { strict: true } },
    ]);
  });

  it.each<[string, ModelRequest['tools']]>([
    ['20241022', TOOLS],
    [
      '20250124',
      [
        { type: 'computer_20250124', name: 'computer', display_width_px: 1024, display_height_px: 768 },
        { type: 'text_editor_20250124', name: 'str_replace_editor' },
        { type: 'bash_20250124', name: 'bash' },
      ],
    ],
    [
      '20251124',
      [
        {
          type: 'computer_20251124',
          name: 'computer',
          display_width_px: 1024,
          display_height_px: 768,
          enable_zoom: true,
        },
        { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
      ],
    ],
  ])('of the generation %s are functions with a schema and a description', async (_what, tools) => {
    const offered = (await ask.body({ tools }))['tools'] as {
      type: string;
      function: { name: string; description: string; parameters: { type: string; properties: object } };
    }[];
    expect(offered.map((tool) => tool.function.name)).toEqual(
      tools.map((tool) => ('name' in tool ? tool.name : '')),
    );
    for (const {
      type,
      function: { description, parameters },
    } of offered) {
      expect(type).toBe('function');
      expect(description.length).toBeGreaterThan(20);
      expect(parameters.type).toBe('object');
      expect(Object.keys(parameters.properties).length).toBeGreaterThan(0);
    }
  });

  it('of a toolset are one function for each member that is on', async () => {
    const tools: ModelRequest['tools'] = [
      { type: 'computer_toolset_20260801', configs: { zoom: { enabled: false } } },
    ];
    const offered = (await ask.body({ tools }))['tools'] as { function: { name: string } }[];
    const names = offered.map((tool) => tool.function.name);
    expect(names).toHaveLength(16);
    expect(names).toEqual(expect.arrayContaining(['screenshot', 'left_click', 'type']));
    expect(names).not.toContain('zoom');
  });

  it.each<[ModelRequest['tool_choice'], object]>([
    [{ type: 'auto' }, { tool_choice: 'auto' }],
    [{ type: 'none' }, { tool_choice: 'none' }],
    [{ type: 'any' }, { tool_choice: 'required' }],
    [
      { type: 'any', disable_parallel_tool_use: true },
      { tool_choice: 'required', parallel_tool_calls: false },
    ],
    [
      { type: 'auto', disable_parallel_tool_use: false },
      { tool_choice: 'auto', parallel_tool_calls: true },
    ],
    [
      { type: 'tool', name: 'get_weather' },
      { tool_choice: { type: 'function', function: { name: 'get_weather' } } },
    ],
  ])('are chosen as the request says: %j', async (choice, expected) => {
    const { tool_choice, parallel_tool_calls } = await ask.body({
      tools: [custom],
      ...(choice === undefined ? {} : { tool_choice: choice }),
    });
    expect({ tool_choice, ...(parallel_tool_calls === undefined ? {} : { parallel_tool_calls }) }).toEqual(
      expected,
    );
  });

  it('that are none leave the choice out', async () => {
    const body = await ask.body({ tool_choice: { type: 'auto' } });
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('tools');
  });
});

it('sends a message of more blocks than a function takes arguments, behind another of its role', async () => {
  const content = Array.from({ length: 200_000 }, () => ({ type: 'text' as const, text: 'a' }));
  const messages = [userSays('hello'), { role: 'user' as const, content }];
  const { messages: sent } = await ask.body({ messages });
  expect((sent as { content: string }[])[0]?.content).toHaveLength('hello'.length + 3 * content.length);
});
