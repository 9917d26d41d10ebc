import type Anthropic from '@anthropic-ai/sdk';
import { posted } from '../support/posted.ts';

type Block = Anthropic.Beta.Messages.BetaContentBlockParam;
type Turn = Anthropic.Beta.Messages.BetaMessageParam;
type ToolResult = Anthropic.Beta.Messages.BetaToolResultBlockParam;

export interface LoopOptions {
  readonly client: Anthropic;
  /** Where the tools are run: `POST {url}/v1/sandboxes/{sandbox}/tool_results`. */
  readonly url: string;
  readonly sandbox: string;
  readonly model: string;
  readonly task: string;
  /** Marks the newest turns for the provider's cache, which keeps every picture. */
  readonly caching?: boolean;
  /** Without the cache: how many pictures are kept. */
  readonly onlyNewestImages?: number;
}

/** The tools as a program of October 2024 lists them, in its order. */
export const TOOLS: Anthropic.Beta.Messages.BetaToolUnion[] = [
  {
    type: 'computer_20241022',
    name: 'computer',
    display_width_px: 1024,
    display_height_px: 768,
    display_number: 1,
  },
  { type: 'bash_20241022', name: 'bash' },
  { type: 'text_editor_20241022', name: 'str_replace_editor' },
];

const SYSTEM = 'You are using an Ubuntu virtual machine with internet access.';
const CACHED_TURNS = 3;

/**
 * The agent loop as programs of October 2024 have it: it asks, runs the tools, hands the results back, and ends with the first
 * reply that asks for none. Answers with the whole conversation.
 */
export async function runLoop(options: LoopOptions): Promise<readonly Turn[]> {
  const { client, model, task, caching = false, onlyNewestImages = 0 } = options;
  const messages: Turn[] = [{ role: 'user', content: [{ type: 'text', text: task }] }];
  const system: Anthropic.Beta.Messages.BetaTextBlockParam = { type: 'text', text: SYSTEM };
  for (;;) {
    if (caching) {
      markNewestTurns(messages);
      system.cache_control = { type: 'ephemeral' };
    } else if (onlyNewestImages > 0) dropOldImages(messages, onlyNewestImages);
    const reply = await client.beta.messages.create({
      model,
      max_tokens: 4096,
      messages,
      system: [system],
      tools: TOOLS,
      betas: ['computer-use-2024-10-22', ...(caching ? ['prompt-caching-2024-07-31'] : [])],
    });
    messages.push({ role: 'assistant', content: reply.content as Block[] });
    const results = await runTools(options, reply.content);
    if (results.length === 0) return messages;
    messages.push({ role: 'user', content: results });
  }
}

async function runTools(
  { url, sandbox }: LoopOptions,
  content: readonly { readonly type: string }[],
): Promise<ToolResult[]> {
  if (!content.some(({ type }) => type === 'tool_use')) return [];
  const response = await fetch(
    `${url}/v1/sandboxes/${sandbox}/tool_results`,
    posted({ tools: TOOLS, content }),
  );
  const body = (await response.json()) as { readonly content: ToolResult[] };
  if (!response.ok) throw new Error(JSON.stringify(body));
  return body.content;
}

/** The three newest user turns carry a breakpoint at their ends, the one before them gives its up. */
function markNewestTurns(messages: readonly Turn[]): void {
  let left = CACHED_TURNS;
  for (const { role, content } of messages.toReversed()) {
    const last = role === 'user' && Array.isArray(content) ? content.at(-1) : undefined;
    if (last === undefined || !('cache_control' in last || left > 0)) continue;
    if (left > 0) Object.assign(last, { cache_control: { type: 'ephemeral' } });
    else {
      delete (last as { cache_control?: unknown }).cache_control;
      return;
    }
    left -= 1;
  }
}

/** The oldest pictures of tool results go, as many at a time as are kept, so that the beginning stays the same for a while. */
function dropOldImages(messages: readonly Turn[], keep: number): void {
  const results = resultsOf(messages);
  const images = results.reduce((sum, result) => sum + imagesOf(result).length, 0);
  let remove = Math.max(0, images - keep);
  remove -= remove % keep;
  for (const result of results) {
    if (!Array.isArray(result.content)) continue;
    result.content = result.content.filter((part) => {
      if (part.type !== 'image' || remove === 0) return true;
      remove -= 1;
      return false;
    });
  }
}

/** The tool results of a conversation, in order. */
export function resultsOf(messages: readonly Turn[]): ToolResult[] {
  const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks.flatMap((block) => (block.type === 'tool_result' ? [block] : []));
}

/** The pictures of a result. */
export function imagesOf({ content }: ToolResult): readonly unknown[] {
  return Array.isArray(content) ? content.filter(({ type }) => type === 'image') : [];
}
