import {
  bad,
  type BadRequest,
  bash,
  cache,
  computer,
  editor,
  NOT_AN_OBJECT,
  tools,
  weather,
} from './bad-request.ts';
/** Under the beta of October 2024: the generations of that beta, those that need none, and what only the API itself has. */
const TAGS = [
  'advisor_20260301',
  'bash_20241022',
  'bash_20250124',
  'browser_toolset_20260801',
  'code_execution_20250522',
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
  'computer_20241022',
  'computer_toolset_20260801',
  'custom',
  'mcp_toolset',
  'memory_20250818',
  'text_editor_20241022',
  'text_editor_20250124',
  'text_editor_20250429',
  'text_editor_20250728',
  'tool_search_tool_bm25',
  'tool_search_tool_bm25_20251119',
  'tool_search_tool_regex',
  'tool_search_tool_regex_20251119',
  'web_fetch_20250910',
  'web_fetch_20260209',
  'web_fetch_20260309',
  'web_fetch_20260318',
  'web_search_20250305',
  'web_search_20260209',
  'web_search_20260318',
]
  .map((tag) => `'${tag}'`)
  .join(', ');

/** Definitions of tools: the rules of the specification first. */
export const TOOLS: readonly BadRequest[] = [
  bad(
    'a description on the computer tool',
    tools(bash, { ...computer, description: 'mine' }),
    'tools.1.description: Extra inputs are not permitted',
  ),
  bad(
    'a description on the editor',
    tools({ ...editor, description: 'mine' }),
    'tools.0.description: Extra inputs are not permitted',
  ),
  bad(
    'a description on bash',
    tools({ ...bash, description: 'mine' }),
    'tools.0.description: Extra inputs are not permitted',
  ),
  bad(
    'a tool_schema on bash',
    tools({ ...bash, tool_schema: {} }),
    'tools.0.tool_schema: Extra inputs are not permitted',
  ),
  bad(
    'an input_schema on the editor',
    tools({ ...editor, input_schema: { type: 'object' } }),
    'tools.0.input_schema: Extra inputs are not permitted',
  ),
  bad(
    'two tools of one name',
    tools(bash, { ...weather, name: 'bash' }),
    'tools: Tool names must be unique.',
  ),
  bad('the same tool twice', tools(bash, bash), 'tools: Tool names must be unique.'),
  bad(
    'no display width',
    tools({ ...computer, display_width_px: undefined }),
    'tools.0.display_width_px: Field required',
  ),
  bad(
    'no display height',
    tools({ ...computer, display_height_px: undefined }),
    'tools.0.display_height_px: Field required',
  ),
  bad(
    'a display width of zero',
    tools({ ...computer, display_width_px: 0 }),
    'tools.0.display_width_px: Input should be greater than or equal to 1',
  ),
  bad(
    'a display height as text',
    tools({ ...computer, display_height_px: '768' }),
    'tools.0.display_height_px: Input should be a valid integer',
  ),
  bad(
    'a fractional display number',
    tools({ ...computer, display_number: 0.5 }),
    'tools.0.display_number: Input should be a valid integer',
  ),
  bad(
    'a computer of another name',
    tools({ ...computer, name: 'pc' }),
    "tools.0.name: Input should be 'computer'",
  ),
  bad(
    'an editor of another name',
    tools({ ...editor, name: 'vi' }),
    "tools.0.name: Input should be 'str_replace_editor'",
  ),
  bad('a bash of another name', tools({ ...bash, name: 'sh' }), "tools.0.name: Input should be 'bash'"),
  bad(
    'an unknown tool type',
    tools({ type: 'browser_1', name: 'b' }),
    `tools.0: Input tag 'browser_1' found using 'type' does not match any of the expected tags: ${TAGS}`,
  ),
  bad(
    'a tool type that every object has',
    tools({ type: 'constructor' }),
    `tools.0: Input tag 'constructor' found using 'type' does not match any of the expected tags: ${TAGS}`,
  ),
  bad('a tool that is no object', tools('bash'), `tools.0: ${NOT_AN_OBJECT}`),
  bad('a tool type that is no text', tools({ type: 7 }), 'tools.0.type: Input should be a valid string'),
  bad('tools that are no list', { tools: bash }, 'tools: Input should be a valid list'),
  bad(
    'a custom tool without a name',
    tools({ ...weather, name: undefined }),
    'tools.0.custom.name: Field required',
  ),
  bad(
    'a custom tool without a description',
    tools({ ...weather, description: undefined }),
    'tools.0.custom.description: Field required',
  ),
  bad(
    'a custom tool without a schema',
    tools({ ...weather, input_schema: undefined }),
    'tools.0.custom.input_schema: Field required',
  ),
  bad(
    'a custom tool with an odd name',
    tools({ ...weather, name: 'get weather' }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ),
  bad(
    'a schema without a type',
    tools({ ...weather, input_schema: {} }),
    'tools.0.custom.input_schema.type: Field required',
  ),
  bad(
    'a schema of another type',
    tools({ ...weather, input_schema: { type: 'array' } }),
    "tools.0.custom.input_schema.type: Input should be 'object'",
  ),
  bad(
    'a schema whose property is no schema',
    tools({ ...weather, input_schema: { type: 'object', properties: { x: 'number' } } }),
    'tools.0.custom.input_schema.properties.x: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).',
  ),
  bad(
    'a schema whose required is no list',
    tools({ ...weather, input_schema: { type: 'object', required: true } }),
    'tools.0.custom.input_schema.required: Input should be a valid list',
  ),
  bad(
    'a custom tool with an unknown field',
    tools({ ...weather, parameters: {} }),
    'tools.0.custom.parameters: Extra inputs are not permitted',
  ),
  bad(
    'a display on a custom tool',
    tools({ ...weather, display_width_px: 5 }),
    'tools.0.custom.display_width_px: Extra inputs are not permitted',
  ),
  bad(
    'an unknown cache lifetime on a tool',
    tools({ ...bash, ...cache('2h') }),
    "tools.0.cache_control.ttl: Input should be '5m' or '1h'",
  ),

  bad(
    'a custom tool with a name of 129 characters',
    tools({ ...weather, name: 'n'.repeat(129) }),
    'tools.0.custom.name: String should have at most 128 characters',
    { seen: 'anthropics/claude-code#96152' },
  ),
  bad(
    'a custom tool with an empty name',
    tools({ ...weather, name: '' }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  ),
  bad(
    'a custom tool with a dot in its name',
    tools({ ...weather, name: 'get.weather' }),
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
    { seen: 'home-assistant/core#147760' },
  ),
  bad(
    'the second tool without a schema',
    tools(bash, { ...weather, input_schema: undefined }),
    'tools.1.custom.input_schema: Field required',
  ),
  bad(
    'a schema that is a text',
    tools({ ...weather, input_schema: '{}' }),
    `tools.0.custom.input_schema: ${NOT_AN_OBJECT}`,
  ),
  bad(
    'properties that are a list',
    tools({ ...weather, input_schema: { type: 'object', properties: [] } }),
    'tools.0.custom.input_schema.properties: Input should be a valid dictionary',
  ),
  bad(
    'an unknown caller of a tool',
    tools({ ...weather, allowed_callers: ['me'] }),
    "tools.0.custom.allowed_callers.0: Input should be 'direct', 'code_execution_20250825', 'code_execution_20260120' or 'code_execution_20260521'",
  ),
  bad(
    'strictness that is a text',
    tools({ ...weather, strict: 'yes' }),
    'tools.0.custom.strict: Input should be a valid boolean',
  ),
  bad(
    'a toolset with a name',
    tools({ type: 'computer_toolset_20260801', name: 'computer' }),
    'tools.0.name: Extra inputs are not permitted',
  ),
  bad(
    'a toolset with a display',
    tools({ type: 'computer_toolset_20260801', display_width_px: 5 }),
    'tools.0.display_width_px: Extra inputs are not permitted',
  ),
  bad(
    'a toolset beside a tool of its name',
    tools(computer, { type: 'computer_toolset_20260801' }),
    'tools: Tool names must be unique.',
  ),
  bad(
    'an editor of today with the name of yesterday',
    tools({ type: 'text_editor_20250728', name: 'str_replace_editor' }),
    "tools.0.name: Input should be 'str_replace_based_edit_tool'",
  ),
  bad(
    'a bash of another generation that is named otherwise',
    tools({ type: 'bash_20250124', name: 'shell' }),
    "tools.0.name: Input should be 'bash'",
  ),
];
