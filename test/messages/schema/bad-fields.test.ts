import { InvalidRequest, parseMessageRequest } from '../../../messages/index.ts';
import { COMPUTER_USE, userSays } from '../support.ts';

/** Every case is a valid request with one thing wrong; the API's answer to it, word for word. */
const valid = { model: 'script', max_tokens: 1024, messages: [userSays('hello')] };
const computer = {
  type: 'computer_20241022',
  name: 'computer',
  display_width_px: 1024,
  display_height_px: 768,
};
const bash = { type: 'bash_20241022', name: 'bash' };
const editor = { type: 'text_editor_20241022', name: 'str_replace_editor' };
const weather = {
  name: 'get_weather',
  description: 'The weather at a place',
  input_schema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
};
const text = (value: string, more: object = {}): object => ({ type: 'text', text: value, ...more });
const cache = (ttl?: string): object => ({ cache_control: { type: 'ephemeral', ...(ttl && { ttl }) } });
const tools = (...list: unknown[]): object => ({ tools: list });

const NOT_AN_OBJECT = 'Input should be a valid dictionary or object to extract fields from';

const cases: readonly (readonly [what: string, change: object | null, message: string])[] = [
  // Fields of the request
  ['no model', { model: undefined }, 'model: Field required'],
  ['model of the wrong type', { model: 7 }, 'model: Input should be a valid string'],
  ['empty model', { model: '' }, 'model: String should have at least 1 character'],
  ['long model', { model: 'm'.repeat(257) }, 'model: String should have at most 256 characters'],
  ['no max_tokens', { max_tokens: undefined }, 'max_tokens: Field required'],
  ['null max_tokens', { max_tokens: null }, 'max_tokens: Input should be a valid integer'],
  ['max_tokens as text', { max_tokens: '1024' }, 'max_tokens: Input should be a valid integer'],
  ['fractional max_tokens', { max_tokens: 1.5 }, 'max_tokens: Input should be a valid integer'],
  ['negative max_tokens', { max_tokens: -1 }, 'max_tokens: Input should be greater than or equal to 0'],
  ['no messages', { messages: undefined }, 'messages: Field required'],
  ['messages as a text', { messages: 'hello' }, 'messages: Input should be a valid list'],
  ['empty messages', { messages: [] }, 'messages: at least one message is required'],
  ['unknown field', { tool_choise: 'auto' }, 'tool_choise: Extra inputs are not permitted'],
  ['the first of two unknown fields', { zebra: 1, apple: 2 }, 'zebra: Extra inputs are not permitted'],
  ['temperature too high', { temperature: 1.1 }, 'temperature: Input should be less than or equal to 1'],
  ['temperature too low', { temperature: -1 }, 'temperature: Input should be greater than or equal to 0'],
  ['temperature as text', { temperature: 'hot' }, 'temperature: Input should be a valid number'],
  ['top_p too high', { top_p: 2 }, 'top_p: Input should be less than or equal to 1'],
  ['fractional top_k', { top_k: 1.5 }, 'top_k: Input should be a valid integer'],
  ['stop sequences as a text', { stop_sequences: 'END' }, 'stop_sequences: Input should be a valid list'],
  [
    'a stop sequence that is no text',
    { stop_sequences: ['END', 1] },
    'stop_sequences.1: Input should be a valid string',
  ],
  [
    'blank stop sequence',
    { stop_sequences: [' '] },
    'stop_sequences: each stop sequence must contain non-whitespace',
  ],
  ['unknown metadata', { metadata: { user: 'a' } }, 'metadata.user: Extra inputs are not permitted'],
  ['metadata of the wrong type', { metadata: 'a' }, `metadata: ${NOT_AN_OBJECT}`],
  [
    'long user id',
    { metadata: { user_id: 'u'.repeat(257) } },
    'metadata.user_id: String should have at most 256 characters',
  ],
  ['stream of the wrong type', { stream: 'yes' }, 'stream: Input should be a valid boolean'],
  ['betas as a text', { betas: 'computer-use-2024-10-22' }, 'betas: Input should be a valid list'],
  ['a beta that is no text', { betas: [1] }, 'betas.0: Input should be a valid string'],
  [
    'system_prompt of the wrong type',
    { system_prompt: ['a'] },
    'system_prompt: Input should be a valid string',
  ],
  ['system of the wrong type', { system: 7 }, 'system: Input should be a valid list'],
  [
    'a system block that is no text',
    { system: [{ type: 'image' }] },
    "system.0: Input tag 'image' found using 'type' does not match any of the expected tags: 'text'",
  ],
  ['an empty system block', { system: [text('')] }, 'system: text content blocks must be non-empty'],
  [
    'an unknown service tier',
    { service_tier: 'gold' },
    "service_tier: Input should be 'auto' or 'standard_only'",
  ],

  [
    'a thread of an unknown kind',
    { thread: { type: 'join' } },
    "thread: Input tag 'join' found using 'type' does not match any of the expected tags: 'continue', 'create'",
  ],
  [
    'a thread that names no message',
    { thread: { type: 'continue' } },
    'thread.continue.previous_message_id: Field required',
  ],
  [
    'a thread',
    { thread: { type: 'create' } },
    'thread: this server holds no message threads; send the full conversation without `thread`',
  ],

  // Thinking
  ['thinking without a type', { thinking: {} }, 'thinking.type: Field required'],
  [
    'a small thinking budget',
    { thinking: { type: 'enabled', budget_tokens: 10 } },
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  ],
  [
    'a thinking budget above max_tokens',
    { thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ],
  [
    'a thinking budget of all tokens',
    { max_tokens: 2000, thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`.',
  ],
  [
    'a temperature beside thinking',
    { max_tokens: 4096, temperature: 0.5, thinking: { type: 'enabled', budget_tokens: 2000 } },
    '`temperature` may only be set to 1 when thinking is enabled.',
  ],
  [
    'a forced tool beside thinking',
    {
      max_tokens: 4096,
      tool_choice: 'any',
      ...tools(weather),
      thinking: { type: 'enabled', budget_tokens: 2000 },
    },
    'Thinking may not be enabled when tool_choice forces tool use.',
  ],

  // Tools: the rules of the specification
  [
    'a description on the computer tool',
    tools(bash, { ...computer, description: 'mine' }),
    'tools.1.description: Extra inputs are not permitted',
  ],
  [
    'a description on the editor',
    tools({ ...editor, description: 'mine' }),
    'tools.0.description: Extra inputs are not permitted',
  ],
  [
    'a description on bash',
    tools({ ...bash, description: 'mine' }),
    'tools.0.description: Extra inputs are not permitted',
  ],
  [
    'a tool_schema on bash',
    tools({ ...bash, tool_schema: {} }),
    'tools.0.tool_schema: Extra inputs are not permitted',
  ],
  [
    'an input_schema on the editor',
    tools({ ...editor, input_schema: { type: 'object' } }),
    'tools.0.input_schema: Extra inputs are not permitted',
  ],
  ['two tools of one name', tools(bash, { ...weather, name: 'bash' }), 'tools: Tool names must be unique.'],
  ['the same tool twice', tools(bash, bash), 'tools: Tool names must be unique.'],
  [
    'no display width',
    tools({ ...computer, display_width_px: undefined }),
    'tools.0.display_width_px: Field required',
  ],
  [
    'no display height',
    tools({ ...computer, display_height_px: undefined }),
    'tools.0.display_height_px: Field required',
  ],
  [
    'a display width of zero',
    tools({ ...computer, display_width_px: 0 }),
    'tools.0.display_width_px: Input should be greater than or equal to 1',
  ],
  [
    'a display height as text',
    tools({ ...computer, display_height_px: '768' }),
    'tools.0.display_height_px: Input should be a valid integer',
  ],
  [
    'a fractional display number',
    tools({ ...computer, display_number: 0.5 }),
    'tools.0.display_number: Input should be a valid integer',
  ],
  [
    'a computer of another name',
    tools({ ...computer, name: 'pc' }),
    "tools.0.name: Input should be 'computer'",
  ],
  [
    'an editor of another name',
    tools({ ...editor, name: 'vi' }),
    "tools.0.name: Input should be 'str_replace_editor'",
  ],
  ['a bash of another name', tools({ ...bash, name: 'sh' }), "tools.0.name: Input should be 'bash'"],
  [
    'an unknown tool type',
    tools({ type: 'browser_1', name: 'b' }),
    "tools.0: Input tag 'browser_1' found using 'type' does not match any of the expected tags: 'bash_20241022', 'computer_20241022', 'custom', 'text_editor_20241022'",
  ],
  [
    'a tool type that every object has',
    tools({ type: 'constructor' }),
    "tools.0: Input tag 'constructor' found using 'type' does not match any of the expected tags: 'bash_20241022', 'computer_20241022', 'custom', 'text_editor_20241022'",
  ],
  ['a tool that is no object', tools('bash'), `tools.0: ${NOT_AN_OBJECT}`],
  ['a tool type that is no text', tools({ type: 7 }), 'tools.0.type: Input should be a valid string'],
  ['tools that are no list', { tools: bash }, 'tools: Input should be a valid list'],
  [
    'a custom tool without a name',
    tools({ ...weather, name: undefined }),
    'tools.0.custom.name: Field required',
  ],
  [
    'a custom tool without a description',
    tools({ ...weather, description: undefined }),
    'tools.0.custom.description: Field required',
  ],
  [
    'a custom tool without a schema',
    tools({ ...weather, input_schema: undefined }),
    'tools.0.custom.input_schema: Field required',
  ],
  [
    'a custom tool with an odd name',
    tools({ ...weather, name: 'get weather' }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ],
  [
    'a schema without a type',
    tools({ ...weather, input_schema: {} }),
    'tools.0.custom.input_schema.type: Field required',
  ],
  [
    'a schema of another type',
    tools({ ...weather, input_schema: { type: 'array' } }),
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ],
  [
    'a schema whose property is no schema',
    tools({ ...weather, input_schema: { type: 'object', properties: { x: 'number' } } }),
    'tools.0.custom.input_schema.properties.x: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).',
  ],
  [
    'a schema whose required is no list',
    tools({ ...weather, input_schema: { type: 'object', required: true } }),
    'tools.0.custom.input_schema.required: Input should be a valid list',
  ],
  [
    'a custom tool with an unknown field',
    tools({ ...weather, parameters: {} }),
    'tools.0.custom.parameters: Extra inputs are not permitted',
  ],
  [
    'a display on a custom tool',
    tools({ ...weather, display_width_px: 5 }),
    'tools.0.custom.display_width_px: Extra inputs are not permitted',
  ],
  [
    'an unknown cache lifetime on a tool',
    tools({ ...bash, ...cache('2h') }),
    "tools.0.cache_control.ttl: Input should be '5m' or '1h'",
  ],

  // Tool choice
  [
    'a choice without tools',
    { tool_choice: { type: 'auto' } },
    'tool_choice.auto may only be specified while providing tools.',
  ],
  [
    'a string choice without tools',
    { tool_choice: 'any' },
    'tool_choice.any may only be specified while providing tools.',
  ],
  [
    'an unknown string choice',
    { tool_choice: 'maybe', ...tools(bash) },
    "tool_choice: Input should be 'auto', 'any' or 'tool'",
  ],
  [
    'an unknown choice',
    { tool_choice: { type: 'maybe' }, ...tools(bash) },
    "tool_choice: Input tag 'maybe' found using 'type' does not match any of the expected tags: 'any', 'auto', 'none', 'tool'",
  ],
  ['a choice without a type', { tool_choice: {}, ...tools(bash) }, 'tool_choice.type: Field required'],
  [
    'a choice of a tool without its name',
    { tool_choice: { type: 'tool' }, ...tools(bash) },
    'tool_choice.tool.name: Field required',
  ],
  [
    'a choice of a tool that is not there',
    { tool_choice: { type: 'tool', name: 'x' }, ...tools(bash) },
    "tool_choice: Tool 'x' not found in provided tools",
  ],
  [
    'a choice with an unknown field',
    { tool_choice: { type: 'none', name: 'x' }, ...tools(bash) },
    'tool_choice.none.name: Extra inputs are not permitted',
  ],
];

it.each(cases)('%s', (_what, change, message) => {
  const refused = (): unknown => parseMessageRequest({ ...valid, ...change }, { betas: [COMPUTER_USE] });
  expect(refused).toThrow(
    expect.objectContaining({ message, type: 'invalid_request_error', status: 400 }) as Error,
  );
  expect(refused).toThrow(InvalidRequest);
});

it('refuses a body that is no object', () => {
  for (const body of [null, 'hello', 7, [valid], undefined]) {
    expect(() => parseMessageRequest(body, { betas: [] })).toThrow(InvalidRequest);
  }
  expect(() => parseMessageRequest([], { betas: [] })).toThrow(NOT_AN_OBJECT);
});

it('tells of the first broken rule only: fields before rules between them, known fields before unknown ones', () => {
  const body = { ...valid, zebra: 1, max_tokens: 'x', messages: [], tools: [bash, bash] };
  expect(() => parseMessageRequest(body, { betas: [COMPUTER_USE] })).toThrow(
    'max_tokens: Input should be a valid integer',
  );
  expect(() => parseMessageRequest({ ...body, max_tokens: 1 }, { betas: [COMPUTER_USE] })).toThrow(
    'zebra: Extra',
  );
});
