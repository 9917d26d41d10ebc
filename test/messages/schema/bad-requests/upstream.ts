import {
  assistant,
  bad,
  type BadRequest,
  bash,
  content,
  messages,
  result,
  tools,
  used,
} from './bad-request.ts';
import { fromUser } from '../../../support/blocks.ts';

const search = { type: 'web_search_20250305', name: 'web_search' };
const searched = {
  type: 'server_tool_use',
  id: 'srvtoolu_1',
  name: 'web_search',
  input: { query: 'x' },
};
const unsupported = "the provider 'script' of this model does not support it";
const offers = (type: string): string => `the provider 'script' of this model does not offer '${type}'`;
const understands = (type: string): string =>
  `the provider 'script' of this model does not understand \`${type}\` blocks`;

/** What only the API itself can do: the shape of it, and a provider that is not the API. */
export const UPSTREAM: readonly BadRequest[] = [
  bad(
    'a search of another name',
    tools({ ...search, name: 'google' }),
    "tools.0.name: Input should be 'web_search'",
  ),
  bad(
    'a search with an unknown field',
    tools({ ...search, engine: 'x' }),
    'tools.0.engine: Extra inputs are not permitted',
  ),
  bad(
    'a search that may be used half a time',
    tools({ ...search, max_uses: 0.5 }),
    'tools.0.max_uses: Input should be a valid integer',
  ),
  bad(
    'a search with examples of its input',
    tools({ ...search, input_examples: [] }),
    'tools.0.input_examples: Extra inputs are not permitted',
  ),
  bad(
    'a place that is exact',
    tools({ ...search, user_location: { type: 'exact' } }),
    "tools.0.user_location.type: Input should be 'approximate'",
  ),
  bad(
    'a toolset of no MCP server',
    tools({ type: 'mcp_toolset' }),
    'tools.0.mcp_server_name: Field required',
  ),
  bad(
    'a named browser toolset',
    tools({ type: 'browser_toolset_20260801', name: 'browser' }),
    'tools.0.name: Extra inputs are not permitted',
  ),
  bad(
    'an advisor without a model',
    tools({ type: 'advisor_20260301', name: 'advisor' }),
    'tools.0.model: Field required',
  ),
  bad(
    'two toolsets of one MCP server',
    tools({ type: 'mcp_toolset', mcp_server_name: 'a' }, { type: 'mcp_toolset', mcp_server_name: 'a' }),
    'tools: Tool names must be unique.',
  ),
  bad(
    'an unknown tool of the API',
    assistant({ ...searched, name: 'telepathy' }),
    "messages.1.content.0.server_tool_use.name: Input should be 'advisor', 'web_search', 'web_fetch', 'code_execution', 'bash_code_execution', 'text_editor_code_execution', 'tool_search_tool_regex' or 'tool_search_tool_bm25'",
  ),
  bad(
    'an unknown caller',
    assistant({ ...searched, caller: { type: 'me' } }),
    "messages.1.content.0.server_tool_use.caller: Input tag 'me' found using 'type' does not match any of the expected tags: 'code_execution_20250825', 'code_execution_20260120', 'direct'",
  ),
  bad(
    'a tool of the API used by the user',
    content(searched),
    'messages.0.content.0: `server_tool_use` blocks can only be in `assistant` messages',
  ),
  bad(
    'an empty compaction',
    content({ type: 'compaction', content: '' }),
    'messages.0.content.0.compaction.content: String should have at least 1 character',
  ),
  bad(
    'an addition of no tool',
    messages({ role: 'system', content: [{ type: 'tool_addition' }] }),
    'messages.1.content.0.tool_addition.tool: Field required',
  ),
  bad(
    'a system message that holds nothing',
    messages({ role: 'system' }),
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
  ),
  bad(
    'a system message with a picture',
    messages({ role: 'system', content: [{ type: 'image' }] }),
    "messages.1.content.0: Input tag 'image' found using 'type' does not match any of the expected tags: 'text', 'tool_addition', 'tool_removal'",
  ),

  bad(
    'MCP servers for a script',
    { mcp_servers: [{ type: 'url', name: 'a', url: 'https://a' }] },
    `mcp_servers: ${unsupported}`,
  ),
  bad('a container for a script', { container: 'container_1' }, `container: ${unsupported}`),
  bad('fallbacks for a script', { fallbacks: [{ model: 'claude-x' }] }, `fallbacks: ${unsupported}`),
  bad(
    'edits of the context for a script',
    { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } },
    `context_management: ${unsupported}`,
  ),
  bad('compaction for a script', { compaction: { type: 'summarize' } }, `compaction: ${unsupported}`),
  bad(
    'a format for a script',
    { output_config: { format: { type: 'json_schema', schema: {} } } },
    `output_config.format: ${unsupported}`,
  ),
  bad('a region for a script', { inference_geo: 'eu' }, `inference_geo: ${unsupported}`),
  bad('haste for a script', { speed: 'fast' }, `speed: ${unsupported}`),
  bad(
    'a payer for a script',
    { billing_policy: { type: 'billing_policy', bill_to: 'user_profile' } },
    `billing_policy: ${unsupported}`,
  ),
  bad('a search for a script', tools(bash, search), `tools.1: ${offers('web_search_20250305')}`),
  bad(
    'a memory for a script',
    tools({ type: 'memory_20250818', name: 'memory' }),
    `tools.0: ${offers('memory_20250818')}`,
  ),
  bad(
    'a search that was made, for a script',
    assistant(searched),
    `messages.1.content.0: ${understands('server_tool_use')}`,
  ),
  bad(
    'a browser’s state for a script',
    messages(used, fromUser([result('toolu_1', { content: [{ type: 'browser_state', tabs: [] }] })])),
    `messages.2.content.0.content.0: ${understands('browser_state')}`,
  ),
  bad(
    'an addition of a tool for a script',
    messages({
      role: 'system',
      content: [{ type: 'tool_addition', tool: { type: 'tool_reference', name: 'bash' } }],
    }),
    `messages.1.content.0: ${understands('tool_addition')}`,
  ),
];
