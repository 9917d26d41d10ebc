import { z } from 'zod';
import { isRecord } from '../api/is-record.ts';
import type {
  BrowserStateBlockParam,
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  SearchResultBlockParam,
  TextBlockParam,
  ToolReferenceBlockParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '../api/api-types.ts';
import { anyObject, cacheControl, integer } from './fields/shared.ts';
import { withOmittable } from './fields/optional.ts';
import { NOT_AN_OBJECT, tagged, textOr } from './fields/tagged.ts';
import { toolCaller, upstreamBlocks } from './upstream-blocks.ts';

const TOOL_USE_ID = /^[a-zA-Z0-9_-]+$/;

const cached = { cache_control: z.exactOptional(z.nullable(cacheControl)) };
const citationsConfig = withOmittable({}, { enabled: z.boolean() });

export const textBlock: z.ZodType<TextBlockParam> = z.strictObject({
  type: z.literal('text'),
  text: z.string(),
  ...cached,
  // The API made the citations in an earlier reply, so their shape is not checked.
  citations: z.exactOptional(
    z.nullable(z.array(z.custom<NonNullable<TextBlockParam['citations']>[number]>(isRecord, NOT_AN_OBJECT))),
  ),
});

export const imageBlock: z.ZodType<ImageBlockParam> = z.strictObject({
  type: z.literal('image'),
  source: tagged<ImageBlockParam['source']>({
    base64: z.strictObject({
      type: z.literal('base64'),
      media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
      data: z.string(),
    }),
    url: z.strictObject({ type: z.literal('url'), url: z.string().min(1) }),
    file: z.strictObject({ type: z.literal('file'), file_id: z.string().min(1) }),
  }),
  ...cached,
  transformations: z.exactOptional(
    z.nullable(withOmittable({}, { oversized_image: z.enum(['downsize', 'error']) })),
  ),
});

export const documentBlock: z.ZodType<DocumentBlockParam> = z.strictObject({
  type: z.literal('document'),
  source: tagged<DocumentBlockParam['source']>({
    base64: z.strictObject({
      type: z.literal('base64'),
      media_type: z.literal('application/pdf'),
      data: z.string(),
    }),
    text: z.strictObject({ type: z.literal('text'), media_type: z.literal('text/plain'), data: z.string() }),
    content: z.strictObject({
      type: z.literal('content'),
      content: textOr(
        z.array(tagged<TextBlockParam | ImageBlockParam>({ text: textBlock, image: imageBlock })),
      ),
    }),
    url: z.strictObject({ type: z.literal('url'), url: z.string().min(1) }),
    file: z.strictObject({ type: z.literal('file'), file_id: z.string().min(1) }),
  }),
  ...cached,
  citations: z.exactOptional(z.nullable(citationsConfig)),
  context: z.exactOptional(z.nullable(z.string())),
  title: z.exactOptional(z.nullable(z.string())),
});

export const searchResultBlock: z.ZodType<SearchResultBlockParam> = withOmittable(
  {
    type: z.literal('search_result'),
    source: z.string(),
    title: z.string(),
    content: z.array(tagged({ text: textBlock })),
    ...cached,
  },
  { citations: citationsConfig },
);

export const toolReferenceBlock: z.ZodType<ToolReferenceBlockParam> = z.strictObject({
  type: z.literal('tool_reference'),
  tool_name: z.string().min(1),
  ...cached,
});

const atUrl = { url: z.string() };

/** The state of the client's browser beside a result. */
const browserStateBlock: z.ZodType<BrowserStateBlockParam> = z.strictObject({
  type: z.literal('browser_state'),
  tabs: z.array(
    withOmittable({ tab_id: z.string(), title: z.string(), url: z.string() }, { active: z.boolean() }),
  ),
  state_changes: z.exactOptional(
    z.nullable(
      z.array(
        tagged<NonNullable<BrowserStateBlockParam['state_changes']>[number]>({
          tab_opened: z.strictObject({ type: z.literal('tab_opened'), tab_id: z.string() }),
          download_started: z.strictObject({
            type: z.literal('download_started'),
            download_id: z.string(),
            ...atUrl,
          }),
          download_completed: z.strictObject({
            type: z.literal('download_completed'),
            download_id: z.string(),
            ...atUrl,
            path: z.exactOptional(z.nullable(z.string())),
            size_bytes: z.exactOptional(z.nullable(integer(0))),
          }),
          download_failed: z.strictObject({
            type: z.literal('download_failed'),
            download_id: z.string(),
            ...atUrl,
            error: z.exactOptional(z.nullable(z.string())),
          }),
        }),
      ),
    ),
  ),
  ...cached,
});

export const toolUseBlock: z.ZodType<ToolUseBlockParam> = withOmittable(
  {
    type: z.literal('tool_use'),
    id: z.string().regex(TOOL_USE_ID),
    name: z.string().min(1).max(200),
    input: anyObject(),
    ...cached,
    toolset_name: z.exactOptional(z.nullable(z.string())),
  },
  // Newer replies hold this field, and clients send it back.
  { caller: toolCaller },
);

export const toolResultBlock: z.ZodType<ToolResultBlockParam> = withOmittable(
  {
    type: z.literal('tool_result'),
    tool_use_id: z.string().regex(TOOL_USE_ID),
    ...cached,
    toolset_name: z.exactOptional(z.nullable(z.string())),
  },
  {
    content: textOr(
      z.array(
        tagged<
          | TextBlockParam
          | ImageBlockParam
          | DocumentBlockParam
          | SearchResultBlockParam
          | ToolReferenceBlockParam
          | BrowserStateBlockParam
        >({
          text: textBlock,
          image: imageBlock,
          document: documentBlock,
          search_result: searchResultBlock,
          tool_reference: toolReferenceBlock,
          browser_state: browserStateBlock,
        }),
      ),
    ),
    is_error: z.boolean(),
  },
);

/** A block of a user's or the assistant's message. */
export const contentBlock = tagged<ContentBlockParam>({
  text: textBlock,
  image: imageBlock,
  document: documentBlock,
  search_result: searchResultBlock,
  thinking: z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  redacted_thinking: z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  tool_use: toolUseBlock,
  tool_result: toolResultBlock,
  mcp_tool_result: withOmittable(
    { type: z.literal('mcp_tool_result'), tool_use_id: z.string().regex(TOOL_USE_ID), ...cached },
    { content: textOr(z.array(tagged({ text: textBlock }))), is_error: z.boolean() },
  ),
  ...upstreamBlocks,
});
