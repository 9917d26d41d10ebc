import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '../../api-types.ts';

/** A tool use of the assistant's and what came back for it. */
export interface Outcome {
  /** The result's text; pictures have none. */
  readonly text: string;
  readonly isError: boolean;
  /** No result is there: the use was never answered. */
  readonly missing: boolean;
}

export interface Conversation {
  /** The newest text that the user wrote. */
  readonly script: string;
  /** Index of its message. */
  readonly position: number;
  /** What the assistant asked for since, reply by reply, with the outcomes. */
  readonly replies: readonly (readonly Outcome[])[];
}

/** What clients write beside a healed tool result when the user interrupted; it is no words of the user's. */
const INTERRUPTION_NOTE = '(user stopped or interrupted and wrote the following)';

function blocksOf({ content = [] }: MessageParam): readonly ContentBlockParam[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : (content as ContentBlockParam[]);
}

/** The last text of a user's message, or null where it holds only results and pictures. */
function ownText(message: MessageParam): string | null {
  if (message.role !== 'user') return null;
  const texts = blocksOf(message).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  return texts.findLast((text) => text.trim() !== '' && text.trim() !== INTERRUPTION_NOTE) ?? null;
}

function resultText({ content = '' }: ToolResultBlockParam): string {
  if (typeof content === 'string') return content;
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function resultsById(messages: readonly MessageParam[]): Map<string, ToolResultBlockParam> {
  const results = new Map<string, ToolResultBlockParam>();
  for (const message of messages) {
    for (const block of blocksOf(message)) {
      if (block.type === 'tool_result') results.set(block.tool_use_id, block);
    }
  }
  return results;
}

/** Reads where a conversation stands. Null when the user has written nothing at all. */
export function readConversation(messages: readonly MessageParam[]): Conversation | null {
  const position = messages.findLastIndex((message) => ownText(message) !== null);
  const newest = messages[position];
  const script = newest === undefined ? null : ownText(newest);
  if (script === null) return null;

  const since = messages.slice(position + 1);
  const results = resultsById(since);
  const replies: Outcome[][] = [];
  let previous: MessageParam['role'] | undefined;
  for (const message of since) {
    if (message.role === 'system') continue;
    const uses =
      message.role === 'assistant' ? blocksOf(message).filter((block) => block.type === 'tool_use') : [];
    const outcomes = uses.map(({ id }): Outcome => {
      const result = results.get(id);
      return {
        text: result === undefined ? '' : resultText(result),
        isError: result?.is_error === true,
        missing: result === undefined,
      };
    });
    // Neighbouring messages of one role are one turn, as everywhere in the API.
    const merged = previous === 'assistant' && message.role === 'assistant' ? replies.at(-1) : undefined;
    if (merged !== undefined) merged.push(...outcomes);
    else if (outcomes.length > 0) replies.push(outcomes);
    previous = message.role;
  }
  return { script, position, replies };
}
