import type { ContentBlockParam, CustomTool } from '../api-types.ts';
import type { ModelRequest } from '../request.ts';
import { isProviderTool, kindOf } from '../tools/provider-tools.ts';
import { readImageInfo } from './image-info.ts';
import { imageTokens, MAX_IMAGE_TOKENS } from './image-tokens.ts';
import { estimateTextTokens } from './text-tokens.ts';

/** Input tokens of the system prompt that the API adds for provider-defined tools, by tool choice, as published. */
export const SYSTEM_PROMPT_TOKENS = { auto: 466, any: 499, tool: 499, none: 466 } as const;

/** The same for a request that has only the client's own tools. */
export const CUSTOM_TOOLS_PROMPT_TOKENS = { auto: 346, any: 313, tool: 313, none: 346 } as const;

/** The published lower bound of what one page of a PDF costs. */
const TOKENS_PER_PDF_PAGE = 1500;
/** Role and separators around one message. */
const TOKENS_PER_MESSAGE = 4;

function customToolTokens({ name, description = '', input_schema: schema }: CustomTool): number {
  return estimateTextTokens(`${name}\n${description}\n${JSON.stringify(schema)}`);
}

/**
 * Tokens that tools add to a request before any text of its own is counted: the published figures, plus the definitions of
 * custom tools as text. 0 without tools.
 */
export function toolTokens(request: Pick<ModelRequest, 'tools' | 'tool_choice'>): number {
  if (request.tools.length === 0) return 0;
  const choice = request.tool_choice?.type ?? 'auto';
  const prompts = request.tools.some(isProviderTool) ? SYSTEM_PROMPT_TOKENS : CUSTOM_TOOLS_PROMPT_TOKENS;
  let tokens: number = prompts[choice];
  for (const tool of request.tools) {
    tokens += isProviderTool(tool) ? kindOf(tool).tokens : customToolTokens(tool);
  }
  return tokens;
}

type AnyBlock =
  | ContentBlockParam
  | Extract<NonNullable<Extract<ContentBlockParam, { type: 'tool_result' }>['content']>, unknown[]>[number];

function pdfPages(base64: string): number {
  const pages = Buffer.from(base64, 'base64')
    .toString('latin1')
    .match(/\/Type\s*\/Page(?![a-z])/gi);
  return Math.max(1, pages?.length ?? 0);
}

function documentTokens(block: Extract<AnyBlock, { type: 'document' }>): number {
  const { source } = block;
  switch (source.type) {
    case 'text':
      return estimateTextTokens(source.data);
    case 'content':
      return contentTokens(source.content);
    case 'base64':
      return pdfPages(source.data) * TOKENS_PER_PDF_PAGE;
    default:
      return TOKENS_PER_PDF_PAGE;
  }
}

function blockTokens(block: AnyBlock): number {
  switch (block.type) {
    case 'text':
      return estimateTextTokens(block.text);
    case 'image': {
      // A picture that is elsewhere is counted as the largest one.
      const info = block.source.type === 'base64' ? readImageInfo(block.source.data) : null;
      return info === null ? MAX_IMAGE_TOKENS : imageTokens(info.width, info.height);
    }
    case 'document':
      return documentTokens(block);
    case 'tool_use':
      return estimateTextTokens(`${block.name} ${JSON.stringify(block.input)}`);
    case 'tool_result':
      return contentTokens(block.content ?? []);
    case 'search_result':
      return estimateTextTokens(`${block.title}\n${block.source}`) + contentTokens(block.content);
    case 'thinking':
      return estimateTextTokens(block.thinking);
    default:
      return estimateTextTokens(JSON.stringify(block));
  }
}

/** Tokens of a message's content, or of a list of blocks such as a reply's. */
export function contentTokens(content: string | readonly AnyBlock[]): number {
  if (typeof content === 'string') return estimateTextTokens(content);
  return content.reduce((sum, block) => sum + blockTokens(block), 0);
}

/**
 * Input tokens of a request: exact for the provider-defined tools and for pictures, an estimate for text. The generated
 * computer-use prompt is in the tools' part, so only the client's own system texts are counted beside it.
 */
export function countInputTokens(request: ModelRequest): number {
  const messages = request.messages.reduce(
    (sum, { content = [] }) =>
      sum + TOKENS_PER_MESSAGE + contentTokens(content as string | readonly AnyBlock[]),
    0,
  );
  const system = contentTokens(request.system ?? []) + estimateTextTokens(request.system_prompt ?? '');
  return toolTokens(request) + system + messages;
}
