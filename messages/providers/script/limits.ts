import type { ContentBlock, Message } from '../../api/api-types.ts';
import type { ModelRequest } from '../../api/request.ts';
import { contentTokens } from '../../tokens/request-tokens.ts';
import { estimateTextTokens } from '../../tokens/text-tokens.ts';

type Ending = Pick<Message, 'content' | 'stop_reason' | 'stop_sequence'>;

/** The longest beginning of a text that takes at most `tokens`. */
function clip(text: string, tokens: number): string {
  const characters = Array.from(text);
  let fits = 0;
  let tooMany = characters.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (estimateTextTokens(characters.slice(0, middle).join('')) <= tokens) fits = middle;
    else tooMany = middle;
  }
  return characters.slice(0, fits).join('');
}

function atStopSequence(content: readonly ContentBlock[], sequences: readonly string[]): Ending | null {
  for (const [index, block] of content.entries()) {
    if (block.type !== 'text') continue;
    const hits = sequences
      .map((sequence) => ({ sequence, at: block.text.indexOf(sequence) }))
      .filter(({ at }) => at !== -1)
      .toSorted((one, other) => one.at - other.at);
    const [hit] = hits;
    if (hit === undefined) continue;
    const rest = block.text.slice(0, hit.at);
    const kept = content.slice(0, index);
    return {
      content: rest === '' ? kept : [...kept, { ...block, text: rest }],
      stop_reason: 'stop_sequence',
      stop_sequence: hit.sequence,
    };
  }
  return null;
}

function atMaxTokens(content: readonly ContentBlock[], maxTokens: number): Ending | null {
  if (contentTokens(content) <= maxTokens) return null;
  let left = maxTokens;
  const kept: ContentBlock[] = [];
  for (const block of content) {
    // Half an input must never be carried out, so a tool use is dropped as a whole.
    if (block.type !== 'text') break;
    const text = clip(block.text, left);
    if (text !== '') kept.push({ ...block, text });
    if (text !== block.text) break;
    left -= estimateTextTokens(text);
  }
  return { content: kept, stop_reason: 'max_tokens', stop_sequence: null };
}

/** Ends a reply where the request says that it must end: at a stop sequence, or when `max_tokens` are spent. */
export function limitReply(
  content: readonly ContentBlock[],
  request: Pick<ModelRequest, 'max_tokens' | 'stop_sequences'>,
): Ending {
  const stopped = atStopSequence(content, request.stop_sequences ?? []);
  return (
    atMaxTokens(stopped?.content ?? content, request.max_tokens) ??
    stopped ?? {
      content: [...content],
      stop_reason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
      stop_sequence: null,
    }
  );
}
