import { lengthOfPart, type LivePart } from './live-part.ts';

/** The limits of a reply, and of all replies together. Beyond them a reply is shown by its events alone. */
const REPLY_PARTS = 20_000;
const REPLY_CHARACTERS = 1024 * 1024;
const ALL_CHARACTERS = 64 * 1024 * 1024;

/** A reply that a model is giving. Parts are only added, so that many readers can follow it at their own pace. */
export interface LiveReply {
  /** The id of the `span.model_request_start` that it answers. */
  readonly startId: string;
  readonly parts: readonly LivePart[];
}

/** Takes a reply's parts as they arrive. */
interface LiveReplyWriter {
  add(part: LivePart): void;
  /** Notes that no more parts follow; the parts stay for their readers. */
  end(): void;
}

interface OpenReply {
  readonly startId: string;
  readonly parts: LivePart[];
  characters: number;
  hasEnded: boolean;
}

/**
 * The replies that this process is receiving from models, for subscribers in this process. Nothing is stored, and the
 * model's stream waits for no reader. A session has one reply at a time; the next one replaces it.
 */
export class LiveReplies {
  readonly #replies = new Map<string, OpenReply>();
  readonly #listeners = new Map<string, Set<() => void>>();
  #characters = 0;

  /** The characters of all replies that are held. */
  get held(): number {
    return this.#characters;
  }

  begin(session: string, startId: string): LiveReplyWriter {
    const reply: OpenReply = { startId, parts: [], characters: 0, hasEnded: false };
    this.#drop(session);
    this.#replies.set(session, reply);
    return {
      add: (part) => {
        const length = lengthOfPart(part);
        const isFull =
          reply.parts.length >= REPLY_PARTS ||
          reply.characters + length > REPLY_CHARACTERS ||
          this.#characters + length > ALL_CHARACTERS;
        // A reply that was replaced takes no more parts.
        if (reply.hasEnded || isFull || this.#replies.get(session) !== reply) {
          reply.hasEnded ||= isFull;
          return;
        }
        reply.parts.push(part);
        reply.characters += length;
        this.#characters += length;
        this.#notify(session);
      },
      end: () => {
        reply.hasEnded = true;
        if (!this.#listeners.has(session) && this.#replies.get(session) === reply) this.#drop(session);
      },
    };
  }

  current(session: string): LiveReply | undefined {
    return this.#replies.get(session);
  }

  /** Calls the listener whenever there is more to read. Returns the function that ends the subscription. */
  subscribe(session: string, listener: () => void): () => void {
    const own = (): void => listener();
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size > 0 || this.#listeners.get(session) !== listeners) return;
      this.#listeners.delete(session);
      if (this.#replies.get(session)?.hasEnded === true) this.#drop(session);
    };
  }

  #notify(session: string): void {
    for (const listener of this.#listeners.get(session) ?? []) listener();
  }

  #drop(session: string): void {
    this.#characters -= this.#replies.get(session)?.characters ?? 0;
    this.#replies.delete(session);
  }
}
