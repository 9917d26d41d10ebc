import type { BetaRawContentBlockDelta } from '@anthropic-ai/sdk/resources/beta/messages/messages.js';
import type { ContentBlock, Message, StreamEvent, Usage } from '../api/api-types.ts';

/** The length of a delta's text in UTF-16 units, which is a few lines. */
const PIECE = 512;

/** Cuts a text into pieces for the deltas of a stream, never within a surrogate pair. The empty text has no pieces. */
export function pieces(text: string, length = PIECE): string[] {
  const found: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + length, text.length);
    // A low surrogate belongs to the unit before it.
    if (end < text.length && /[\uDC00-\uDFFF]/.test(text.charAt(end))) end += 1;
    found.push(text.slice(start, end));
    start = end;
  }
  return found;
}

/** The block as a stream opens it, without the content of its deltas. */
function opened(block: ContentBlock): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: '', citations: block.citations == null ? null : [] };
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return { ...block, input: {} };
    case 'thinking':
      return { ...block, thinking: '', signature: '' };
    case 'compaction':
      return { ...block, content: null, encrypted_content: null };
    default:
      return block;
  }
}

/** As in the API, the input of a toolset's member comes in one piece. */
function inputPieces(block: { readonly input: unknown; readonly toolset_name?: string | null }): string[] {
  const json = JSON.stringify(block.input ?? {});
  return block.toolset_name == null ? pieces(json) : [json];
}

function deltas(block: ContentBlock): BetaRawContentBlockDelta[] {
  switch (block.type) {
    case 'text':
      return [
        ...pieces(block.text).map((text): BetaRawContentBlockDelta => ({ type: 'text_delta', text })),
        ...(block.citations ?? []).map((citation): BetaRawContentBlockDelta => ({
          type: 'citations_delta',
          citation,
        })),
      ];
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use':
      return inputPieces(block).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
    case 'thinking':
      return [
        ...pieces(block.thinking).map((thinking): BetaRawContentBlockDelta => ({
          type: 'thinking_delta',
          thinking,
          estimated_tokens: null,
        })),
        ...(block.signature === '' ? [] : [{ type: 'signature_delta', signature: block.signature } as const]),
      ];
    case 'compaction':
      return [
        {
          type: 'compaction_delta',
          content: block.content,
          encrypted_content: block.encrypted_content,
        },
      ];
    default:
      return [];
  }
}

/** The usage as it is known at the start of a stream. */
function firstUsage(usage: Usage): Usage {
  return {
    ...usage,
    output_tokens: 0,
    output_tokens_details: null,
    server_tool_use: null,
    iterations: null,
    fallback_credit: null,
  };
}

/** A reply that another model continued began under the name of the first model. */
function firstModel({ content, model }: Message): string {
  const fallback = content.find((block) => block.type === 'fallback');
  return fallback?.from.model ?? model;
}

/**
 * Turns a whole reply into the events of a stream, for providers that do not stream. Long texts come in pieces, so that
 * no single event delays a reader.
 */
export function* messageEvents(message: Message): Generator<StreamEvent, void, undefined> {
  const { content, stop_reason, stop_sequence, stop_details, container, context_management, usage } = message;
  yield {
    type: 'message_start',
    message: {
      ...message,
      model: firstModel(message),
      content: [],
      container: null,
      context_management: null,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: firstUsage(usage),
    },
  };
  for (const [index, block] of content.entries()) {
    yield { type: 'content_block_start', index, content_block: opened(block) };
    for (const delta of deltas(block)) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield {
    type: 'message_delta',
    context_management,
    delta: { container, stop_details, stop_reason, stop_sequence },
    usage: {
      cache_creation_input_tokens: usage.cache_creation_input_tokens,
      cache_read_input_tokens: usage.cache_read_input_tokens,
      fallback_credit: usage.fallback_credit,
      input_tokens: usage.input_tokens,
      iterations: usage.iterations,
      output_tokens: usage.output_tokens,
      output_tokens_details: usage.output_tokens_details,
      server_tool_use: usage.server_tool_use,
    },
  };
  yield { type: 'message_stop' };
}
