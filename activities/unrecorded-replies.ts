import type { KeptReply } from './model-reply.ts';

const MOST = 100;

/**
 * Replies that were paid for and that the store would not take yet. An attempt that follows in this process records them and
 * does not ask the model again.
 */
export class UnrecordedReplies {
  readonly #replies = new Map<string, KeptReply>();

  get(step: string): KeptReply | undefined {
    return this.#replies.get(step);
  }

  /** The oldest is forgotten where there are too many: memory is not to grow with a store that stays broken. */
  hold(step: string, reply: KeptReply): void {
    this.#replies.set(step, reply);
    for (const oldest of this.#replies.keys()) {
      if (this.#replies.size <= MOST) return;
      this.#replies.delete(oldest);
    }
  }

  drop(step: string): void {
    this.#replies.delete(step);
  }
}
