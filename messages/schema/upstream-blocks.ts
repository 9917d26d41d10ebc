import { z } from 'zod';
import type { ContentBlockParam } from '../api/api-types.ts';
import { isRecord } from '../api/is-record.ts';
import { TOOL_BETAS } from '../tools/provider-tools.ts';
import { accepting } from './fields/accepted-form.ts';
import { anyObject, cacheControl } from './fields/shared.ts';
import { nullish, optional, withOmittable } from './fields/optional.ts';
import { NOT_AN_OBJECT, tagged } from './fields/tagged.ts';
import { toolDefinition } from './tools.ts';

/**
 * The API makes these blocks and its clients send them back: uses and results of its own tools, compactions, changes of
 * tools. Their fields are checked, but the content of such a tool's result passes unchecked.
 */

type Block<T extends ContentBlockParam['type']> = z.ZodType<Extract<ContentBlockParam, { type: T }>>;
type ContentOf<T extends ContentBlockParam['type']> =
  Extract<ContentBlockParam, { type: T }> extends {
    content: infer C;
  }
    ? C
    : never;

const ID = /^[a-zA-Z0-9_-]+$/;
const cached = { cache_control: nullish(cacheControl) };
export const toolCaller = tagged<
  NonNullable<Extract<ContentBlockParam, { type: 'server_tool_use' }>['caller']>
>({
  direct: z.strictObject({ type: z.literal('direct') }),
  code_execution_20250825: z.strictObject({
    type: z.literal('code_execution_20250825'),
    tool_id: z.string(),
  }),
  code_execution_20260120: z.strictObject({
    type: z.literal('code_execution_20260120'),
    tool_id: z.string(),
  }),
});

/** The content of a result of the API's own tools: an object with a type, or a list of objects. */
function found<T extends ContentBlockParam['type']>(): z.ZodType<ContentOf<T>> {
  const isFound = (value: unknown): boolean =>
    Array.isArray(value) ? value.every(isRecord) : isRecord(value) && typeof value['type'] === 'string';
  const schema = z.custom<ContentOf<T>>(isFound, NOT_AN_OBJECT);
  return accepting(schema, z.union([z.looseObject({ type: z.string() }), z.array(z.looseObject({}))]));
}

const resultFields = { tool_use_id: z.string().regex(ID), ...cached };

const toolReference = z.strictObject({ type: z.literal('tool_reference'), name: z.string() });
const mcpToolReference = z.strictObject({
  type: z.literal('mcp_tool_reference'),
  name: z.string(),
  server_name: z.string(),
});
const mcpToolsetReference = z.strictObject({
  type: z.literal('mcp_toolset_reference'),
  server_name: z.string(),
});

export const toolAddition: Block<'tool_addition'> = z.strictObject({
  type: z.literal('tool_addition'),
  tool: tagged<Extract<ContentBlockParam, { type: 'tool_addition' }>['tool']>({
    tool_reference: toolReference,
    mcp_tool_reference: mcpToolReference,
    mcp_toolset_reference: mcpToolsetReference,
    tool_definition: z.strictObject({
      type: z.literal('tool_definition'),
      definition: toolDefinition(new Set(TOOL_BETAS)),
    }),
  }),
  ...cached,
});

export const toolRemoval: Block<'tool_removal'> = z.strictObject({
  type: z.literal('tool_removal'),
  tool: tagged<Extract<ContentBlockParam, { type: 'tool_removal' }>['tool']>({
    tool_reference: toolReference,
    mcp_tool_reference: mcpToolReference,
    mcp_toolset_reference: mcpToolsetReference,
  }),
  ...cached,
});

const model = z.strictObject({ model: z.string().min(1).max(256) });

/** The schemas by the type of block. */
export const upstreamBlocks = {
  server_tool_use: withOmittable(
    {
      type: z.literal('server_tool_use'),
      id: z.string().regex(ID),
      name: z.enum([
        'advisor',
        'web_search',
        'web_fetch',
        'code_execution',
        'bash_code_execution',
        'text_editor_code_execution',
        'tool_search_tool_regex',
        'tool_search_tool_bm25',
      ]),
      input: anyObject(),
      ...cached,
    },
    { caller: toolCaller },
  ),
  web_search_tool_result: withOmittable(
    {
      type: z.literal('web_search_tool_result'),
      content: found<'web_search_tool_result'>(),
      ...resultFields,
    },
    { caller: toolCaller },
  ),
  web_fetch_tool_result: withOmittable(
    {
      type: z.literal('web_fetch_tool_result'),
      content: found<'web_fetch_tool_result'>(),
      ...resultFields,
    },
    { caller: toolCaller },
  ),
  advisor_tool_result: z.strictObject({
    type: z.literal('advisor_tool_result'),
    content: found<'advisor_tool_result'>(),
    ...resultFields,
  }),
  code_execution_tool_result: z.strictObject({
    type: z.literal('code_execution_tool_result'),
    content: found<'code_execution_tool_result'>(),
    ...resultFields,
  }),
  bash_code_execution_tool_result: z.strictObject({
    type: z.literal('bash_code_execution_tool_result'),
    content: found<'bash_code_execution_tool_result'>(),
    ...resultFields,
  }),
  text_editor_code_execution_tool_result: z.strictObject({
    type: z.literal('text_editor_code_execution_tool_result'),
    content: found<'text_editor_code_execution_tool_result'>(),
    ...resultFields,
  }),
  tool_search_tool_result: z.strictObject({
    type: z.literal('tool_search_tool_result'),
    content: found<'tool_search_tool_result'>(),
    ...resultFields,
  }),
  mcp_tool_use: z.strictObject({
    type: z.literal('mcp_tool_use'),
    id: z.string().regex(ID),
    name: z.string(),
    server_name: z.string(),
    input: anyObject(),
    ...cached,
  }),
  mcp_tool_listing: z.strictObject({
    type: z.literal('mcp_tool_listing'),
    mcp_server_name: z.string(),
    tools: z.array(
      z.strictObject({ name: z.string(), input_schema: anyObject(), description: nullish(z.string()) }),
    ),
  }),
  container_upload: z.strictObject({
    type: z.literal('container_upload'),
    file_id: z.string().min(1),
    ...cached,
  }),
  compaction: z.strictObject({
    type: z.literal('compaction'),
    content: nullish(z.string().min(1)),
    encrypted_content: nullish(z.string()),
    signature: nullish(z.string()),
    tool_changes: nullish(
      z.array(
        tagged<Extract<ContentBlockParam, { type: 'tool_addition' | 'tool_removal' }>>({
          tool_addition: toolAddition,
          tool_removal: toolRemoval,
        }),
      ),
    ),
    ...cached,
  }),
  tool_addition: toolAddition,
  tool_removal: toolRemoval,
  fallback: z.strictObject({
    type: z.literal('fallback'),
    from: model,
    to: model,
    trigger: optional(z.unknown()),
  }),
} satisfies { [T in UpstreamBlockType]: Block<T> };

/** The types of blocks that only the API itself understands. `blocks.ts` holds the schema of `mcp_tool_result`. */
type UpstreamBlockType = Exclude<
  ContentBlockParam['type'],
  | 'text'
  | 'image'
  | 'document'
  | 'search_result'
  | 'thinking'
  | 'redacted_thinking'
  | 'tool_use'
  | 'tool_result'
  | 'mcp_tool_result'
>;
