import type { ProjectedMessage, UserBlock } from './project.ts';

/** What stands in the place of a tool result's picture that is not shown to the model any more. */
export const OMITTED_PICTURE = '[an earlier screenshot, left out]';

/**
 * Leaves out the oldest pictures of tool results, so that a long session's requests stay bounded. They go in chunks of
 * `keep`: between `keep` and `2 * keep - 1` of the newest stay, and a request mostly begins as the one before did, which a
 * prompt cache rewards. Pictures that the user sent stay.
 */
export function limitPictures(
  messages: readonly ProjectedMessage[],
  keep: number,
): readonly ProjectedMessage[] {
  const total = messages.reduce((sum, message) => sum + picturesIn(message), 0);
  let surplus = Math.floor(Math.max(0, total - keep) / keep) * keep;
  if (surplus === 0) return messages;
  return messages.map((message): ProjectedMessage => {
    if (surplus === 0 || message.role === 'assistant') return message;
    const content = message.content.map((block): UserBlock => {
      if (block.type !== 'tool_result' || typeof block.content === 'string') return block;
      const kept = block.content.map((part) => {
        if (part.type !== 'image' || surplus === 0) return part;
        surplus--;
        return { type: 'text' as const, text: OMITTED_PICTURE };
      });
      return { ...block, content: kept };
    });
    return { role: 'user', content };
  });
}

function picturesIn(message: ProjectedMessage): number {
  if (message.role === 'assistant') return 0;
  return message.content.reduce((sum, block) => {
    if (block.type !== 'tool_result' || typeof block.content === 'string') return sum;
    return sum + block.content.filter((part) => part.type === 'image').length;
  }, 0);
}
