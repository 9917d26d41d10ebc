import type { KeptReply } from './model-reply.ts';

const MAX_REPLIES = 100;

/**
 * Replies that were paid for and that the store did not take yet. The next attempt in this process records them and does not
 * ask the model again.
 */
export class UnrecordedReplies {
  readonly #replies = new Map<string, KeptReply>();

  get(step: string): KeptReply | undefined {
    return this.#replies.get(step);
  }

  /** Keeps a reply, and drops the oldest where there are too many: a store that stays broken must not fill the memory. */
  hold(step: string, reply: KeptReply): void {
    this.#replies.set(step, reply);
    for (const oldest of this.#replies.keys()) {
      if (this.#replies.size <= MAX_REPLIES) return;
      this.#replies.delete(oldest);
    }
  }

  drop(step: string): void {
    this.#replies.delete(step);
  }
}
