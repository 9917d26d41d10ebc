import type { BetaWebFetchTool20250910 } from '@anthropic-ai/sdk/resources/beta/messages/messages.js';
import { z } from 'zod';
import type { UpstreamTool } from '../api/api-types.ts';
import { anyObject, cacheControl, integer, sharedToolFields } from './fields/shared.ts';
import { nullish, optional } from './fields/optional.ts';
import { tagged } from './fields/tagged.ts';

/**
 * The server cannot offer these tools itself: the API runs them, or its clients do and the server does not implement
 * them. Their shape is checked. A provider that is the Messages API gets them, and every other refuses them; see
 * `providers/refuse-unsupported.ts`.
 */

const { input_examples: _, ...serverFields } = sharedToolFields;

function serverTool<T extends string, N extends string, F extends z.core.$ZodLooseShape>(
  type: T,
  name: N,
  fields: F,
): ReturnType<
  typeof z.strictObject<{ type: z.ZodLiteral<T>; name: z.ZodLiteral<N> } & typeof serverFields & F>
> {
  return z.strictObject({ type: z.literal(type), name: z.literal(name), ...serverFields, ...fields });
}

const domains = nullish(z.array(z.string()));
const maxUses = nullish(integer(1));
const inclusion = optional(z.enum(['full', 'excluded']));

const searchFields = {
  allowed_domains: domains,
  blocked_domains: domains,
  max_uses: maxUses,
  user_location: nullish(
    z.strictObject({
      type: z.literal('approximate'),
      city: nullish(z.string()),
      country: nullish(z.string()),
      region: nullish(z.string()),
      timezone: nullish(z.string()),
    }),
  ),
};

const toolReferences = z.array(z.strictObject({ type: z.literal('tool_reference'), name: z.string() }));
const all = z.strictObject({ type: z.literal('all') });
const none = z.strictObject({ type: z.literal('none') });
type UrlSources = NonNullable<BetaWebFetchTool20250910['url_sources']>;

const fromTools = optional(
  tagged<NonNullable<UrlSources['client_tool_results']>>({
    all,
    none,
    only: z.strictObject({ type: z.literal('only'), tools: toolReferences }),
    except: z.strictObject({ type: z.literal('except'), tools: toolReferences }),
  }),
);

const fetchFields = {
  allowed_domains: domains,
  blocked_domains: domains,
  citations: nullish(z.strictObject({ enabled: optional(z.boolean()) })),
  max_content_tokens: nullish(integer(1)),
  max_uses: maxUses,
  url_sources: nullish(
    z.strictObject({
      client_tool_results: fromTools,
      server_tool_results: fromTools,
      user_input: optional(tagged<NonNullable<UrlSources['user_input']>>({ all, none })),
    }),
  ),
};

const mcpToolConfig = z.strictObject({
  defer_loading: optional(z.boolean()),
  enabled: optional(z.boolean()),
});

const mcpTool = z.strictObject({
  name: z.string(),
  input_schema: anyObject(),
  description: nullish(z.string()),
});

/** The schemas by the type of tool. */
export const upstreamTools: Readonly<Record<UpstreamTool['type'], z.ZodType<UpstreamTool>>> = {
  web_search_20250305: serverTool('web_search_20250305', 'web_search', searchFields),
  web_search_20260209: serverTool('web_search_20260209', 'web_search', searchFields),
  web_search_20260318: serverTool('web_search_20260318', 'web_search', {
    ...searchFields,
    response_inclusion: inclusion,
  }),
  web_fetch_20250910: serverTool('web_fetch_20250910', 'web_fetch', fetchFields),
  web_fetch_20260209: serverTool('web_fetch_20260209', 'web_fetch', fetchFields),
  web_fetch_20260309: serverTool('web_fetch_20260309', 'web_fetch', {
    ...fetchFields,
    use_cache: optional(z.boolean()),
  }),
  web_fetch_20260318: serverTool('web_fetch_20260318', 'web_fetch', {
    ...fetchFields,
    use_cache: optional(z.boolean()),
    response_inclusion: inclusion,
  }),
  code_execution_20250522: serverTool('code_execution_20250522', 'code_execution', {}),
  code_execution_20250825: serverTool('code_execution_20250825', 'code_execution', {}),
  code_execution_20260120: serverTool('code_execution_20260120', 'code_execution', {}),
  code_execution_20260521: serverTool('code_execution_20260521', 'code_execution', {}),
  tool_search_tool_bm25: serverTool('tool_search_tool_bm25', 'tool_search_tool_bm25', {}),
  tool_search_tool_bm25_20251119: serverTool('tool_search_tool_bm25_20251119', 'tool_search_tool_bm25', {}),
  tool_search_tool_regex: serverTool('tool_search_tool_regex', 'tool_search_tool_regex', {}),
  tool_search_tool_regex_20251119: serverTool(
    'tool_search_tool_regex_20251119',
    'tool_search_tool_regex',
    {},
  ),
  advisor_20260301: serverTool('advisor_20260301', 'advisor', {
    model: z.string().min(1).max(256),
    caching: nullish(cacheControl),
    max_tokens: nullish(integer(1)),
    max_uses: maxUses,
  }),
  memory_20250818: z.strictObject({
    type: z.literal('memory_20250818'),
    name: z.literal('memory'),
    ...sharedToolFields,
  }),
  mcp_toolset: z.strictObject({
    type: z.literal('mcp_toolset'),
    mcp_server_name: z.string().min(1),
    cache_control: nullish(cacheControl),
    configs: nullish(z.record(z.string(), mcpToolConfig)),
    default_config: optional(mcpToolConfig),
    tools: nullish(z.array(mcpTool)),
  }),
  browser_toolset_20260801: z.strictObject({
    type: z.literal('browser_toolset_20260801'),
    cache_control: nullish(cacheControl),
    // The object has an entry for each of three dozen members, which only the API knows.
    configs: nullish(anyObject()),
  }),
};
