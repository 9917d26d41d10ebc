import type { ContentBlockParam, MessageParam, ToolParam, Usage } from '../api/api-types.ts';
import { isRecord } from '../api/is-record.ts';
import { perMessage } from '../api/per-message.ts';
import type { ModelRequest } from '../api/request.ts';
import { isProviderTool, providerToolOf } from '../tools/provider-tools.ts';
import { readImageInfo } from './image-info.ts';
import { imageTokens, maxImageTokens } from './image-tokens.ts';
import { isNewer } from '../models/model-name.ts';
import { pdfPages } from './pdf-pages.ts';
import { customToolsPrompt, SYSTEM_PROMPT_TOKENS, TOKENS_PER_PDF_PAGE } from '../tools/published-tokens.ts';
import { textWeight, wholeTokens, type Tokenizer } from './text-tokens.ts';

// The tokens around texts in a request were found from recorded counts; see docs/tokens.md.
/** The tokens around a whole request, for either tokenizer, and around each of its messages. */
const PER_REQUEST = { earlier: 4, newer: 3 } as const;
const PER_MESSAGE = 3;
/** The tokens around all tool uses of a reply, around each tool use, each field of its input, and each result. */
const PER_REPLY_WITH_USES = 12;
const PER_USE = 16;
const PER_INPUT_FIELD = 11.5;
const PER_RESULT = 12;
/** The tokens at the end of a reply. */
const END_OF_REPLY = 3;
/** The JSON of a tool's definition takes more tokens than prose with the same words. */
const DEFINITION_FACTOR = 1.33;

type AnyBlock =
  | ContentBlockParam
  | Extract<NonNullable<Extract<ContentBlockParam, { type: 'tool_result' }>['content']>, unknown[]>[number];

/** Counts for one model. Sums stay fractions and are rounded once at the end. */
class Counter {
  readonly #model: string;
  readonly #tokenizer: Tokenizer;

  constructor(model: string) {
    this.#model = model;
    this.#tokenizer = isNewer(model) ? 'newer' : 'earlier';
  }

  get perRequest(): number {
    return PER_REQUEST[this.#tokenizer];
  }

  text(text: string): number {
    return textWeight(text, this.#tokenizer);
  }

  definition(tool: ToolParam): number {
    // The tokens of a tool that only an upstream can offer are unknown, so only its entry is counted.
    if (!('input_schema' in tool)) return this.text(JSON.stringify(tool));
    const { name, description = '', input_schema: parameters } = tool;
    return DEFINITION_FACTOR * this.text(JSON.stringify({ description, name, parameters }));
  }

  content(content: string | readonly AnyBlock[]): number {
    if (typeof content === 'string') return this.text(content);
    const uses = content.some((block) => block.type === 'tool_use');
    return content.reduce((sum, block) => sum + this.#block(block), uses ? PER_REPLY_WITH_USES : 0);
  }

  message({ content = [] }: MessageParam): number {
    return PER_MESSAGE + this.content(content as string | readonly AnyBlock[]);
  }

  #block(block: AnyBlock): number {
    switch (block.type) {
      case 'text':
        return this.text(block.text);
      case 'image':
        return this.#image(block.source);
      case 'document':
        return this.#document(block);
      case 'tool_use': {
        const fields = isRecord(block.input) ? Object.keys(block.input).length : 0;
        const said = this.text(`${block.name} ${JSON.stringify(block.input)}`);
        return PER_USE + PER_INPUT_FIELD * fields + said;
      }
      case 'tool_result':
        return PER_RESULT + this.content(block.content ?? []);
      case 'search_result':
        return this.text(`${block.title}\n${block.source}`) + this.content(block.content);
      case 'thinking':
        return this.text(block.thinking);
      default:
        return this.text(JSON.stringify(block));
    }
  }

  /** A picture without bytes in the request is counted as the largest one. */
  #image(source: Extract<AnyBlock, { type: 'image' }>['source']): number {
    const info = source.type === 'base64' ? readImageInfo(source.data) : null;
    return info === null ? maxImageTokens(this.#model) : imageTokens(info.width, info.height, this.#model);
  }

  #document(block: Extract<AnyBlock, { type: 'document' }>): number {
    const { source, title, context } = block;
    const about = this.text([title, context].filter((part) => part != null).join('\n'));
    switch (source.type) {
      case 'text':
        return about + this.text(source.data);
      case 'content':
        return about + this.content(source.content);
      case 'base64':
        return about + pdfPages(source.data) * TOKENS_PER_PDF_PAGE;
      default:
        return about + TOKENS_PER_PDF_PAGE;
    }
  }
}

/** Adds up the published figures and the definitions of custom tools as text. */
function toolsWeight(
  request: Pick<ModelRequest, 'model' | 'tools' | 'tool_choice'>,
  counter: Counter,
): number {
  if (request.tools.length === 0) return 0;
  const choice = request.tool_choice?.type ?? 'auto';
  const prompts = request.tools.some(isProviderTool)
    ? SYSTEM_PROMPT_TOKENS
    : customToolsPrompt(request.model);
  return request.tools.reduce(
    (sum, tool) =>
      sum +
      (isProviderTool(tool) ? providerToolOf(tool).tokens(tool, request.model) : counter.definition(tool)),
    prompts[choice],
  );
}

/**
 * Counts the tokens that tools add to a request: the published figures, and the definitions of custom tools as text.
 * The result is 0 without tools.
 */
export function toolTokens(request: Pick<ModelRequest, 'model' | 'tools' | 'tool_choice'>): number {
  return wholeTokens(toolsWeight(request, new Counter(request.model)));
}

/** Counts the tokens of a message's content, or of a list of blocks. */
export function contentTokens(content: string | readonly AnyBlock[], model = ''): number {
  return wholeTokens(new Counter(model).content(content));
}

/** Counts the output tokens of a reply that was made here. */
export function replyTokens(content: readonly ContentBlockParam[], model: string): number {
  return wholeTokens(END_OF_REPLY + new Counter(model).content(content));
}

const messageWeights = perMessage((message: MessageParam, model) => new Counter(model).message(message));

/**
 * Counts the input tokens of a request, exactly for provider-defined tools and pictures and as an estimate for text.
 * The figures for tools include the generated computer-use prompt, so only the client's own system texts are added.
 *
 * @example const tokens = countInputTokens(parseMessageRequest(body, { betas }));
 */
export function countInputTokens(request: ModelRequest): number {
  const counter = new Counter(request.model);
  const system = counter.content(request.system ?? []) + counter.text(request.system_prompt ?? '');
  const messages = messageWeights(request.messages, request.model).reduce((sum, weight) => sum + weight, 0);
  return wholeTokens(counter.perRequest + toolsWeight(request, counter) + system + messages);
}

/** Counts the `usage` of a reply that was made here. Nothing is cached. */
export function countUsage(request: ModelRequest, reply: readonly ContentBlockParam[]): Usage {
  return {
    input_tokens: countInputTokens(request),
    // A reply that was cut at `max_tokens` has no end token.
    output_tokens: Math.min(replyTokens(reply, request.model), request.max_tokens),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    fallback_credit: null,
    inference_geo: null,
    iterations: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
  };
}
