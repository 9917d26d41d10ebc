import { setImmediate } from 'node:timers/promises';
import type { Store, StoredEvent } from '@steadyhand/store';
import { fromStored } from '../events/log-event.ts';
import { type ProjectedMessage, Projection } from './project.ts';

/** A session's conversation, and the last seq of the event log that it includes. */
export interface Conversation {
  readonly messages: readonly ProjectedMessage[];
  readonly cursor: number;
}

/** How many events are read at a time; other work runs between two pages of a long log. */
const PAGE = 250;
/** The estimated bytes of all kept projections together. */
const CAPACITY = 64 * 1024 ** 2;
/** The estimated memory of an event beside its text. */
const EVENT_BYTES = 400;

/** The projection of an event log as far as it was read. */
class Progress {
  readonly #projection = new Projection();
  /** The last event taken. Its hash tells whether the log is still the same. */
  last: Pick<StoredEvent, 'seq' | 'hash'> = { seq: 0, hash: '' };
  bytes = 0;

  /** Takes the events that follow the last one; concurrent callers may have read the same events. */
  take(events: readonly StoredEvent[]): void {
    for (const event of events) {
      if (event.seq !== this.last.seq + 1) continue;
      this.#projection.take(fromStored(event));
      this.last = { seq: event.seq, hash: event.hash };
      this.bytes += EVENT_BYTES + JSON.stringify(event.payload).length;
    }
  }

  conversation(): Conversation {
    return { messages: this.#projection.conversation(), cursor: this.last.seq };
  }
}

/**
 * The conversations of a store's sessions. A log only grows, so its projection is kept and only newer events are read,
 * whoever appended them. Projections beyond the capacity are dropped, the least recently used first, and made again
 * from the log; the most recent one stays, however long it is.
 */
export class Conversations {
  readonly #store: Store;
  readonly #capacity: number;
  /** By session, the least recently used first. */
  readonly #kept = new Map<string, Progress>();

  constructor(store: Store, capacity: number = CAPACITY) {
    this.#store = store;
    this.#capacity = capacity;
  }

  /** The conversation that a session's event log holds now; empty for an unknown session. */
  async of(session: string): Promise<Conversation> {
    let progress = this.#kept.get(session) ?? new Progress();
    for (;;) {
      const { seq, hash } = progress.last;
      const after = Math.max(0, seq - 1);
      const events = await this.#store.events.read({ session, after, limit: PAGE });
      if (seq > 0 && events[0]?.hash !== hash) {
        // It is another log: the session was deleted, or the store was restored from a backup.
        progress = new Progress();
        continue;
      }
      progress.take(events);
      if (events.length < PAGE) break;
      await setImmediate();
    }
    this.#keep(session, progress);
    return progress.conversation();
  }

  /** The sessions whose projections are kept, the least recently used first. */
  get kept(): readonly string[] {
    return [...this.#kept.keys()];
  }

  #keep(session: string, progress: Progress): void {
    this.#kept.delete(session);
    if (progress.last.seq > 0) this.#kept.set(session, progress);
    let bytes = [...this.#kept.values()].reduce((sum, kept) => sum + kept.bytes, 0);
    for (const [oldest, kept] of this.#kept) {
      if (bytes <= this.#capacity || oldest === session) return;
      this.#kept.delete(oldest);
      bytes -= kept.bytes;
    }
  }
}

const ofStores = new WeakMap<Store, Conversations>();

/** The conversation that a session's event log holds now; see `Conversations`. */
export async function conversationOf(store: Store, session: string): Promise<Conversation> {
  let conversations = ofStores.get(store);
  if (conversations === undefined) {
    conversations = new Conversations(store);
    ofStores.set(store, conversations);
  }
  return conversations.of(session);
}
