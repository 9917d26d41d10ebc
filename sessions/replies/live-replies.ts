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
  /** Whether no more parts follow. */
  readonly hasEnded: boolean;
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
  readonly isRemote: boolean;
  characters: number;
  hasEnded: boolean;
}

/**
 * The replies that this process is receiving from models, or hears of from others, for subscribers in this process. Nothing is
 * stored, and the model's stream waits for no reader. A session has one reply at a time; the next one replaces it.
 */
export class LiveReplies {
  readonly #replies = new Map<string, OpenReply>();
  readonly #listeners = new Map<string, Set<() => void>>();
  /** How many streams follow each session. */
  readonly #streams = new Map<string, number>();
  readonly #observers = new Set<(session: string, isFollowed: boolean) => void>();
  #characters = 0;

  /** The characters of all replies that are held. */
  get held(): number {
    return this.#characters;
  }

  /** @param isRemote another process receives the reply and tells of it; it is of use to streams alone */
  begin(session: string, startId: string, isRemote = false): LiveReplyWriter {
    const reply: OpenReply = { startId, parts: [], isRemote, characters: 0, hasEnded: false };
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
        this.#notify(session);
        this.#dropUnused(session);
      },
    };
  }

  current(session: string): LiveReply | undefined {
    return this.#replies.get(session);
  }

  /** Calls the listener whenever there is more to read, for a stream. Returns the function that ends the subscription. */
  subscribe(session: string, listener: () => void): () => void {
    const streams = this.#streams.get(session) ?? 0;
    this.#streams.set(session, streams + 1);
    const end = this.relay(session, listener);
    if (streams === 0) for (const observe of this.#observers) observe(session, true);
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      const left = (this.#streams.get(session) ?? 1) - 1;
      if (left === 0) this.#streams.delete(session);
      else this.#streams.set(session, left);
      end();
      if (left === 0) for (const observe of this.#observers) observe(session, false);
      this.#dropUnused(session);
    };
  }

  /** Calls the listener whenever a session begins to be followed by streams of this process, or is no longer. */
  observe(listener: (session: string, isFollowed: boolean) => void): () => void {
    this.#observers.add(listener);
    return () => void this.#observers.delete(listener);
  }

  /** As `subscribe`, for one who passes on what there is to read. */
  relay(session: string, listener: () => void): () => void {
    const own = (): void => listener();
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(own));
    return () => {
      listeners.delete(own);
      if (listeners.size > 0 || this.#listeners.get(session) !== listeners) return;
      this.#listeners.delete(session);
      this.#dropUnused(session);
    };
  }

  /** Drops a reply that has ended and that nobody can read any more. */
  #dropUnused(session: string): void {
    const reply = this.#replies.get(session);
    const readers = reply?.isRemote === true ? this.#streams : this.#listeners;
    if (reply?.hasEnded === true && !readers.has(session)) this.#drop(session);
  }

  #notify(session: string): void {
    for (const listener of this.#listeners.get(session) ?? []) listener();
  }

  #drop(session: string): void {
    this.#characters -= this.#replies.get(session)?.characters ?? 0;
    this.#replies.delete(session);
  }
}
