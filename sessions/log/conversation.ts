import { setImmediate as others } from 'node:timers/promises';
import type { Store, StoredEvent } from '@steadyhand/store';
import { fromStored } from '../events/log-event.ts';
import { type ProjectedMessage, Projection } from './project.ts';

/** A session's conversation and the log's last seq that is in it. */
export interface Conversation {
  readonly messages: readonly ProjectedMessage[];
  readonly cursor: number;
}

/** Events read at a time; between two pages of a long log everybody else has a turn. */
const PAGE = 250;
/** What is kept of all sessions together, in bytes as they are reckoned here. */
const CAPACITY = 64 * 1024 ** 2;
/** What an event takes in memory beside its text. */
const EVENT_BYTES = 400;

/** A log's projection as far as it was read. */
class Progress {
  readonly #projection = new Projection();
  /** The last event taken; the hash says whether the log is still the same. */
  last: Pick<StoredEvent, 'seq' | 'hash'> = { seq: 0, hash: '' };
  bytes = 0;

  /** Takes what follows; several may read the same events at once. */
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
 * The conversations of a store's sessions. A log only grows, so what was projected of it is kept and only what came since is
 * read, whoever appended it. Of sessions that were not asked for lately it is forgotten and made again from the log; that of the
 * one asked for last stays, however long it is.
 */
export class Conversations {
  readonly #store: Store;
  readonly #capacity: number;
  /** The session asked for last stands last. */
  readonly #kept = new Map<string, Progress>();

  constructor(store: Store, capacity: number = CAPACITY) {
    this.#store = store;
    this.#capacity = capacity;
  }

  /** The session's conversation as its log holds it now; empty for an unknown session. */
  async of(session: string): Promise<Conversation> {
    let progress = this.#kept.get(session) ?? new Progress();
    for (;;) {
      const { seq, hash } = progress.last;
      const after = Math.max(0, seq - 1);
      const events = await this.#store.events.read({ session, after, limit: PAGE });
      if (seq > 0 && events[0]?.hash !== hash) {
        // Another log: the session was deleted, or its store put back.
        progress = new Progress();
        continue;
      }
      progress.take(events);
      if (events.length < PAGE) break;
      await others();
    }
    this.#keep(session, progress);
    return progress.conversation();
  }

  /** Sessions whose projection is kept, the one asked for last behind the others. */
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

/** The conversation that a session's log holds now; see `Conversations`. */
export async function conversationOf(store: Store, session: string): Promise<Conversation> {
  let conversations = ofStores.get(store);
  if (conversations === undefined) {
    conversations = new Conversations(store);
    ofStores.set(store, conversations);
  }
  return conversations.of(session);
}
