import { createHash } from 'node:crypto';
import type { MessageParam } from '../../api/api-types.ts';

/** The ids that the API allows. */
const ALLOWED = /^[a-zA-Z0-9_-]{1,128}$/;

function idsIn(messages: readonly MessageParam[]): Set<string> {
  const ids = new Set<string>();
  for (const { content } of messages) {
    if (typeof content !== 'object') continue;
    for (const block of content) if (block.type === 'tool_use') ids.add(block.id);
  }
  return ids;
}

/**
 * Gives ids to the tool uses of a reply. The upstream's ids stay where the API allows them, so that the upstream
 * recognizes its calls. Some servers number the calls of every reply anew, but ids must be unique in a conversation.
 */
export class ToolUseIds {
  readonly #replyId: string;
  readonly #taken: Set<string>;

  constructor(replyId: string, messages: readonly MessageParam[]) {
    this.#replyId = replyId;
    this.#taken = idsIn(messages);
  }

  take(own: string, index: number): string {
    const id = ALLOWED.test(own) && !this.#taken.has(own) ? own : this.#made(index);
    this.#taken.add(id);
    return id;
  }

  #made(index: number): string {
    const hash = createHash('sha256').update(JSON.stringify([this.#replyId, index]));
    return `toolu_${hash.digest('hex').slice(0, 24)}`;
  }
}
