import { bad, type BadRequest, NOT_A_DICTIONARY, NOT_AN_OBJECT } from './bad-request.ts';

const edits = (...list: unknown[]): object => ({ context_management: { edits: list } });
const server = { type: 'url', name: 'files', url: 'https://example.com/mcp' };

/** The fields of the API's newer features. */
export const REQUEST_FIELDS: readonly BadRequest[] = [
  bad('an output_config that is no object', { output_config: 'high' }, `output_config: ${NOT_AN_OBJECT}`),
  bad(
    'an unknown effort',
    { output_config: { effort: 'heroic' } },
    "output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'",
  ),
  bad(
    'an unknown field of output_config',
    { output_config: { style: 'x' } },
    'output_config.style: Extra inputs are not permitted',
  ),
  bad(
    'a format that is none',
    { output_config: { format: { type: 'json' } } },
    "output_config.format.type: Input should be 'json_schema'",
  ),
  bad(
    'a format without its schema',
    { output_config: { format: { type: 'json_schema' } } },
    'output_config.format.schema: Field required',
  ),
  bad(
    'a schema that is no object',
    { output_format: { type: 'json_schema', schema: [] } },
    `output_format.schema: ${NOT_A_DICTIONARY}`,
  ),
  bad(
    'a task budget of another kind',
    { output_config: { task_budget: { type: 'words', total: 5 } } },
    "output_config.task_budget.type: Input should be 'tokens'",
  ),
  bad(
    'two formats',
    {
      output_format: { type: 'json_schema', schema: {} },
      output_config: { format: { type: 'json_schema', schema: {} } },
    },
    'output_format: cannot be combined with `output_config.format`',
  ),
  bad(
    'an unknown edit',
    edits({ type: 'forget' }),
    "context_management.edits.0: Input tag 'forget' found using 'type' does not match any of the expected tags: 'clear_thinking_20251015', 'clear_tool_uses_20250919', 'compact_20260112'",
  ),
  bad(
    'an edit with an unknown trigger',
    edits({ type: 'clear_tool_uses_20250919', trigger: { type: 'mood', value: 1 } }),
    "context_management.edits.0.clear_tool_uses_20250919.trigger: Input tag 'mood' found using 'type' does not match any of the expected tags: 'input_tokens', 'tool_uses'",
  ),
  bad(
    'an edit that keeps half a tool use',
    edits({ type: 'clear_tool_uses_20250919', keep: { type: 'tool_uses', value: 0.5 } }),
    'context_management.edits.0.clear_tool_uses_20250919.keep.value: Input should be a valid integer',
  ),
  bad(
    'an edit that keeps thinking in words',
    edits({ type: 'clear_thinking_20251015', keep: 'some' }),
    "context_management.edits.0.clear_thinking_20251015.keep: Input should be 'all'",
  ),
  bad(
    'an unknown field of context_management',
    { context_management: { edit: [] } },
    'context_management.edit: Extra inputs are not permitted',
  ),
  bad(
    'compaction beside context_management',
    { compaction: { type: 'summarize' }, context_management: {} },
    'compaction: cannot be combined with `context_management`',
  ),
  bad(
    'an unknown compaction',
    { compaction: { type: 'squeeze' } },
    "compaction.type: Input should be 'summarize'",
  ),
  bad('a container that is a number', { container: 7 }, `container: ${NOT_AN_OBJECT}`),
  bad(
    'a skill of an unknown kind',
    { container: { skills: [{ type: 'mine', skill_id: 'x' }] } },
    "container.skills.0.type: Input should be 'anthropic' or 'custom'",
  ),
  bad(
    'a skill without its id',
    { container: { skills: [{ type: 'custom' }] } },
    'container.skills.0.skill_id: Field required',
  ),
  bad('MCP servers that are no list', { mcp_servers: server }, 'mcp_servers: Input should be a valid list'),
  bad(
    'an MCP server without an address',
    { mcp_servers: [{ ...server, url: undefined }] },
    'mcp_servers.0.url: Field required',
  ),
  bad(
    'an MCP server of another kind',
    { mcp_servers: [{ ...server, type: 'stdio' }] },
    "mcp_servers.0.type: Input should be 'url'",
  ),
  bad(
    'an MCP server with an unknown field',
    { mcp_servers: [{ ...server, command: 'x' }] },
    'mcp_servers.0.command: Extra inputs are not permitted',
  ),
  bad(
    'fallbacks in a word that is not the one',
    { fallbacks: 'any' },
    "fallbacks: Input should be 'default'",
  ),
  bad('a fallback without a model', { fallbacks: [{}] }, 'fallbacks.0.model: Field required'),
  bad(
    'a fallback with an unknown field',
    { fallbacks: [{ model: 'm', top_k: 1 }] },
    'fallbacks.0.top_k: Extra inputs are not permitted',
  ),
  bad(
    'a credit token that is a number',
    { fallback_credit_token: 1 },
    `fallback_credit_token: ${NOT_AN_OBJECT}`,
  ),
  bad(
    'a credit token of an unknown mode',
    { fallback_credit_token: { token: 't', mode: 'x' } },
    "fallback_credit_token.mode: Input should be 'strict' or 'best_effort'",
  ),
  bad(
    'an unknown payer',
    { billing_policy: { type: 'billing_policy', bill_to: 'them' } },
    "billing_policy.bill_to: Input should be 'self' or 'user_profile'",
  ),
  bad('diagnostics that are no object', { diagnostics: true }, `diagnostics: ${NOT_AN_OBJECT}`),
  bad('an unknown speed', { speed: 'slow' }, "speed: Input should be 'standard' or 'fast'"),
  bad('a region that is a number', { inference_geo: 1 }, 'inference_geo: Input should be a valid string'),
  bad(
    'an unknown care for the context',
    { context_care: { keep: 3 } },
    'context_care.keep: Extra inputs are not permitted',
  ),
  bad(
    'a care that keeps no screenshot',
    { context_care: { keep_screenshots: 0 } },
    'context_care.keep_screenshots: Input should be greater than or equal to 1',
  ),
  bad(
    'a care with breakpoints of a third kind',
    { context_care: { cache_breakpoints: 'on' } },
    "context_care.cache_breakpoints: Input should be 'auto' or 'off'",
  ),
];
