import { parseMessageRequest } from '../../../messages/index.ts';
import { COMPUTER_USE, png, TOOLS, userSays } from '../support.ts';
import { toolResult, fromModel, fromUser } from '../../support/blocks.ts';

const valid = { model: 'script', max_tokens: 1024, messages: [userSays('hello')] };
const parse = (change: object, betas: string[] = [COMPUTER_USE]): ReturnType<typeof parseMessageRequest> =>
  parseMessageRequest({ ...valid, ...change }, { betas });

it('fills in what a plain request leaves out', () => {
  expect(parseMessageRequest(valid, { betas: [] })).toEqual({
    ...valid,
    tools: [],
    betas: [],
    stream: false,
  });
});

it('takes every field of the specification', () => {
  const body = {
    ...valid,
    tools: TOOLS,
    betas: [COMPUTER_USE],
    system_prompt: 'Be brief.',
    tool_choice: 'auto',
  };
  expect(parseMessageRequest(body, { betas: [] })).toEqual({
    ...body,
    tool_choice: { type: 'auto' },
    stream: false,
  });
});

it('takes the other fields of the API', () => {
  const fields = {
    system: [{ type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    temperature: 1,
    top_p: 0.9,
    top_k: 40,
    stop_sequences: ['END'],
    metadata: { user_id: 'someone' },
    thinking: {
      type: 'adaptive',
      display: 'omitted',
      block_binding: { prefix_mismatch_behavior: 'drop_block' },
    },
    service_tier: 'auto',
    output_config: { effort: 'high' },
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    cache_control: { type: 'ephemeral' },
    inference_geo: null,
    speed: 'standard',
  };
  expect(parse(fields)).toMatchObject(fields);
});

it('keeps each kind of block as it came', () => {
  const messages = [
    fromUser([
      { type: 'text', text: 'look', cache_control: { type: 'ephemeral' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(10, 10) } },
      {
        type: 'image',
        source: { type: 'url', url: 'https://example.com/a.png' },
        cache_control: null,
        transformations: { oversized_image: 'error' },
      },
      { type: 'image', source: { type: 'file', file_id: 'file_1' } },
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'a' },
        title: 'A',
        context: null,
      },
      { type: 'document', source: { type: 'content', content: 'b' }, citations: { enabled: true } },
      { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
      { type: 'search_result', source: 'here', title: 'C', content: [{ type: 'text', text: 'c' }] },
    ]),
    fromModel([
      { type: 'thinking', thinking: 'hm', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'looking', citations: null },
      {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'computer',
        input: { action: 'screenshot' },
        caller: { type: 'direct' },
      },
      { type: 'tool_use', id: 'toolu_2', name: 'bash', input: { command: 'ls' } },
      { type: 'tool_use', id: 'toolu_3', name: 'bash', input: { restart: true } },
    ]),
    fromUser([
      toolResult(
        'toolu_1',
        [
          { type: 'text', text: 'here' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(1024, 768) } },
        ],
        { is_error: false },
      ),
      { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: 'no such file' },
      // A restart answers with nothing at all in the reference loop, and the API takes that.
      { type: 'tool_result', tool_use_id: 'toolu_3', content: [] },
      { type: 'text', text: 'go on' },
    ]),
    { role: 'system', content: 'It is late.', clear_at: 'next_user_message' },
  ];
  expect(parse({ messages }).messages).toEqual(messages);
});

it('takes results that are spread over neighbouring messages of the user: they are one turn', () => {
  const use = (id: string): object => ({ type: 'tool_use', id, name: 'bash', input: {} });
  const result = (id: string): object => fromUser([{ type: 'tool_result', tool_use_id: id }]);
  const messages = [
    userSays('go'),
    { role: 'assistant', content: [use('toolu_1')] },
    { role: 'assistant', content: [use('toolu_2')] },
    result('toolu_1'),
    result('toolu_2'),
    userSays('and?'),
  ];
  expect(parse({ messages }).messages).toEqual(messages);
});

it('takes an unfinished last text of the assistant', () => {
  const messages = [userSays('go'), { role: 'assistant', content: 'The answer is (' }];
  expect(parse({ messages }).messages).toEqual(messages);
});

describe('the beta', () => {
  const tools = TOOLS;

  it('enables the tools from the header, among others and once', () => {
    expect(parse({ tools }, ['prompt-caching-2024-07-31', ` ${COMPUTER_USE}`, COMPUTER_USE]).betas).toEqual([
      'prompt-caching-2024-07-31',
      COMPUTER_USE,
    ]);
  });

  it('enables the tools from the body', () => {
    expect(parse({ tools, betas: [COMPUTER_USE] }, []).betas).toEqual([COMPUTER_USE]);
  });

  it.each(TOOLS.map((tool) => [tool.type, tool]))('is required for %s', (type, tool) => {
    const given = (): unknown => parse({ tools: [tool] }, ['prompt-caching-2024-07-31']);
    expect(given).toThrow(
      `tools.0: Input tag '${type}' found using 'type' does not match any of the expected tags: `,
    );
    expect(given).toThrow(
      `'. The tool '${type}' needs the beta '${COMPUTER_USE}' in the 'anthropic-beta' header or in 'betas'.`,
    );
  });

  it('is not asked of custom tools', () => {
    const custom = { name: 'f', description: 'd', input_schema: { type: 'object' } };
    expect(parse({ tools: [custom] }, []).tools).toEqual([custom]);
  });
});

describe('names of tools', () => {
  const custom = { name: 'bash', description: 'My own', input_schema: { type: 'object', properties: {} } };

  it('lets a custom tool have the name of a provider-defined one that is not there', () => {
    const tools = [TOOLS[0], custom];
    expect(parse({ tools }).tools).toEqual(tools);
  });

  it('refuses it beside that one', () => {
    expect(() => parse({ tools: [TOOLS[2], custom] })).toThrow('tools: Tool names must be unique.');
  });
});

it('takes the display number as a number, as null and not at all', () => {
  for (const display of [{ display_number: 1 }, { display_number: 0 }, { display_number: null }, {}]) {
    const tools = [{ ...TOOLS[0], ...display }];
    expect(parse({ tools }).tools).toEqual(tools);
  }
});

it('takes the schema of the specification: types, enums, descriptions, a list of required names', () => {
  const tool = {
    type: 'custom',
    name: 'get_weather',
    description: 'The weather at a place',
    input_schema: {
      type: 'object',
      properties: {
        place: { type: 'string', description: 'City and country' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
        anything: true,
      },
      required: ['place'],
      additionalProperties: false,
    },
    strict: true,
    cache_control: { type: 'ephemeral' },
  };
  expect(parse({ tools: [tool] }).tools).toEqual([tool]);
});

describe('tool_choice', () => {
  const choose = (tool_choice: unknown, tools: readonly unknown[] = TOOLS): unknown =>
    parse({ tools, tool_choice }).tool_choice;

  it('takes the modes as texts', () => {
    expect(choose('auto')).toEqual({ type: 'auto' });
    expect(choose('any')).toEqual({ type: 'any' });
  });

  it('understands the mode `tool` as the only tool, or as any of several', () => {
    expect(choose('tool', [TOOLS[2]])).toEqual({ type: 'tool', name: 'bash' });
    expect(choose('tool')).toEqual({ type: 'any' });
  });

  it.each([
    { type: 'auto', disable_parallel_tool_use: true },
    { type: 'any' },
    { type: 'tool', name: 'bash' },
    { type: 'none' },
  ])('keeps the object %j', (choice) => {
    expect(choose(choice)).toEqual(choice);
  });
});

it('takes twenty wide pictures, and four breakpoints', () => {
  const wide = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png(8000, 5) } };
  const cached = { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } };
  const content = [...Array.from({ length: 20 }, () => wide), cached, cached, cached];
  const request = parse({ messages: [{ role: 'user', content }], cache_control: { type: 'ephemeral' } });
  expect(request.messages[0]?.content).toHaveLength(23);
});

it('keeps every key of a tool’s input, whatever it is called', () => {
  const input = JSON.parse('{"__proto__":{"a":1},"constructor":2,"deep":{"__proto__":3}}') as object;
  const messages = [
    userSays('go'),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
  ];
  expect(JSON.stringify(parse({ messages }).messages)).toBe(JSON.stringify(messages));
});

it('takes betas that it does not know', () => {
  expect(parse({}, ['telepathy-2031-01-01', 'x']).betas).toEqual(['telepathy-2031-01-01', 'x']);
});

it('takes a budget of thinking above max_tokens where the model thinks between tools', () => {
  const thinking = { thinking: { type: 'enabled', budget_tokens: 5000 }, tools: TOOLS };
  expect(parse(thinking, [COMPUTER_USE, 'interleaved-thinking-2025-05-14'])).toMatchObject(thinking);
  expect(() => parse(thinking)).toThrow('`max_tokens` must be greater than `thinking.budget_tokens`.');
});

it('takes a loop of tools without thinking blocks while thinking is on: not every model makes them', () => {
  const messages = [
    userSays('go'),
    { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'bash', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1' }] },
  ];
  const thinking = { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2000 } };
  expect(parse({ ...thinking, messages }).messages).toEqual(messages);
});

it('takes pictures up to the limits: 5 MB of base64, 600 of them, 8000 pixels, 2000 from the 21st on', () => {
  const picture = (data: string): object => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data },
  });
  const say = (content: object[]): object => ({ messages: [{ role: 'user', content }] });
  const largest = png(9, 9, (5 * 1024 * 1024 * 3) / 4);
  expect(largest).toHaveLength(5 * 1024 * 1024);
  expect(() => parse(say([picture(largest)]))).not.toThrow();
  const many = Array.from({ length: 600 }, () => picture(png(2000, 1)));
  expect(() => parse(say(many))).not.toThrow();
});

it('takes 100 pages for a model of 200,000 tokens, and 600 for others', () => {
  const pdf = (pages: number): object => ({
    type: 'document',
    source: {
      type: 'base64',
      media_type: 'application/pdf',
      data: Buffer.from(`%PDF-1.7 /Type /Pages ${'/Type /Page '.repeat(pages)}`).toString('base64'),
    },
  });
  const say = (pages: number): object => ({ messages: [{ role: 'user', content: [pdf(pages)] }] });
  expect(() => parse({ model: 'claude-haiku-4-5', ...say(100) })).not.toThrow();
  expect(() => parse({ model: 'claude-opus-4-8', ...say(600) })).not.toThrow();
});

it('takes a breakpoint at the top that says the same as that of the last block', () => {
  const cached = { type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } };
  const messages = [{ role: 'user', content: [cached] }];
  expect(() => parse({ messages, cache_control: { type: 'ephemeral', ttl: '1h' } })).not.toThrow();
});

it('takes a message of more blocks than a function takes arguments, behind another of its role', () => {
  const content = Array.from({ length: 200_000 }, () => ({ type: 'text', text: 'a' }));
  const messages = [userSays('hello'), { role: 'user', content }];
  expect(parse({ messages }).messages[1]?.content).toHaveLength(content.length);
});
