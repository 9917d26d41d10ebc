import { createHash } from 'node:crypto';
import type { MessageParam } from '../../api/api-types.ts';

/** What the API allows. */
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
 * Ids for the tool uses of a reply. The upstream's own are kept, so that it knows its calls again, unless the API would
 * refuse them: some servers number their calls anew in every reply, and an id must be the conversation's only one.
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
