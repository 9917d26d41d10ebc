import type { Store } from '@steadyhand/store';
import type { SerializedEvent } from './serialize.ts';
import { type DeltaType, joined, type LivePart } from '../replies/live-part.ts';
import type { LiveReplies, LiveReply } from '../replies/live-replies.ts';

/**
 * One stream's position in the live replies of a session. It answers previews only between the start of a request and
 * the reply's events in the log, so that none comes for a request that has ended. A slow reader gets larger pieces.
 */
export class PreviewReader {
  readonly #store: Store;
  readonly #live: LiveReplies;
  readonly #session: string;
  readonly #wanted: ReadonlySet<DeltaType>;
  #reply: LiveReply | undefined;
  #taken = 0;
  /** The newest request that is known to have ended. */
  #ended: string | undefined;

  constructor(store: Store, live: LiveReplies, session: string, wanted: readonly DeltaType[]) {
    this.#store = store;
    this.#live = live;
    this.#session = session;
    this.#wanted = new Set(wanted);
  }

  /** Calls the listener whenever there may be more to take. Returns the function that ends the subscription. */
  subscribe(listener: () => void): () => void {
    return this.#live.subscribe(this.#session, listener);
  }

  /** The previews since the last call, for a stream that has sent the event log up to `seq`. */
  async take(seq: number): Promise<readonly SerializedEvent[]> {
    const reply = this.#live.current(this.#session);
    if (reply === undefined || reply.startId === this.#ended) return [];
    if (reply !== this.#reply) {
      const place = await this.#placeOf(reply, seq);
      if (place === 'after') this.#ended = reply.startId;
      if (place !== 'within') return [];
      this.#reply = reply;
      this.#taken = 0;
    }
    const parts = reply.parts
      .slice(this.#taken)
      .filter(({ of }) => of.some((type) => this.#wanted.has(type)));
    this.#taken = reply.parts.length;
    return withJoined(parts).map((event) => ({ type: event.type, json: [JSON.stringify(event)] }));
  }

  /** To be called with the events that the stream has sent. */
  passed(events: readonly SerializedEvent[]): void {
    this.#ended = events.findLast(({ ends }) => ends !== undefined)?.ends ?? this.#ended;
  }

  async #placeOf({ startId }: LiveReply, seq: number): Promise<'before' | 'within' | 'after'> {
    const { events } = this.#store;
    const start = await events.find(this.#session, startId);
    if (start === undefined || start.seq > seq) return 'before';
    const types = ['span.model_request_end'];
    const ends = await events.read({ session: this.#session, after: start.seq, types });
    const end = ends.find(({ payload }) => payload['model_request_start_id'] === startId);
    // The reply's events directly precede the end of its request.
    return end !== undefined && seq >= end.seq - end.index ? 'after' : 'within';
  }
}

function withJoined(parts: readonly LivePart[]): readonly LivePart['event'][] {
  const events: LivePart['event'][] = [];
  for (const { event } of parts) {
    const last = events.at(-1);
    const both = last === undefined ? undefined : joined(last, event);
    if (both === undefined) events.push(event);
    else events[events.length - 1] = both;
  }
  return events;
}
