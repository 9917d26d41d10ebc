import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '../api/api-types.ts';
import { mapResults } from './map-results.ts';
import { mapUses, type Recorded, type UpstreamUses } from './map-uses.ts';

type WithBlocks = MessageParam & { readonly content: readonly ContentBlockParam[] };

function hasBlocks(message: MessageParam): message is WithBlocks {
  return Array.isArray(message.content);
}

/** Finds the results of tool uses by the ids of the uses. */
function resultsIn(messages: readonly MessageParam[]): Map<string, ToolResultBlockParam> {
  const results = new Map<string, ToolResultBlockParam>();
  for (const message of messages) {
    if (!hasBlocks(message)) continue;
    for (const block of message.content) {
      if (block.type === 'tool_result') results.set(block.tool_use_id, block);
    }
  }
  return results;
}

/**
 * Translates the tool uses and results of the pairs to the upstream's generation. Everything else, including thinking
 * and its signatures, stays as it is; a message without such blocks stays the same object.
 *
 * @throws {InvalidRequestError} when a result holds what the upstream's generation does not take
 */
export function mapMessages(messages: readonly MessageParam[], recorded: Recorded): MessageParam[] {
  const results = resultsIn(messages);
  /** By the id of the client's use. The results of all parts are joined where the first one stands. */
  const asked = new Map<string, UpstreamUses>();
  const answered = new Set<UpstreamUses>();

  const answers = (block: ContentBlockParam, path: string): readonly ContentBlockParam[] => {
    const uses = block.type === 'tool_result' ? asked.get(block.tool_use_id) : undefined;
    if (uses === undefined) return [block];
    if (answered.has(uses)) return [];
    answered.add(uses);
    return mapResults(
      uses,
      uses.parts.flatMap((id) => results.get(id) ?? []),
      path,
    );
  };

  return messages.flatMap((message, place): MessageParam[] => {
    if (!hasBlocks(message)) return [message];
    if (message.role === 'assistant') {
      const { content, uses } = mapUses(message.content, recorded);
      for (const each of uses) for (const id of each.parts) asked.set(id, each);
      return uses.length === 0 ? [message] : [{ ...message, content: [...content] }];
    }
    const touched = message.content.some(
      (block) => block.type === 'tool_result' && asked.has(block.tool_use_id),
    );
    if (!touched) return [message];
    const content = message.content.flatMap((block, index) =>
      answers(block, `messages.${place}.content.${index}`),
    );
    return content.length === 0 ? [] : [{ ...message, content } as MessageParam];
  });
}
