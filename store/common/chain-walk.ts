import { setImmediate } from 'node:timers/promises';
import type { SessionRecord, Verification } from '../contract/events.ts';
import { eventId } from '../contract/ids.ts';
import { hashEvent, NO_EVENTS } from './event-hash.ts';
import { type Row, toEvent, unlessCorrupt } from './rows.ts';

/** How many events are checked before other work runs. */
export const EVENTS_PER_PIECE = 50;
/** How many sessions' last intact places are remembered. */
const REMEMBERED = 20_000;

/** A place in a hash chain up to which it is intact. */
interface Place {
  readonly length: number;
  readonly head: string;
}

const START: Place = { length: 0, head: NO_EVENTS };

/** A session's record and the next events after a seq, at most EVENTS_PER_PIECE, of one moment. */
type Piece = { readonly record: SessionRecord; readonly rows: readonly Row[] };

/** Walks hash chains and remembers up to where they were intact. */
export class ChainWalks {
  readonly #piece: (session: string, after: number) => Piece | Promise<Piece>;
  readonly #known = new Map<string, Place>();

  constructor(piece: (session: string, after: number) => Piece | Promise<Piece>) {
    this.#piece = piece;
  }

  /** Walks from the first event. */
  async whole(session: string): Promise<Verification> {
    return this.#walk(session, START);
  }

  /** Walks what was appended since the chain was last found intact; undefined when it never was. */
  async news(session: string): Promise<Verification | undefined> {
    const from = this.#known.get(session);
    return from === undefined ? undefined : this.#walk(session, from);
  }

  note(session: string, found: Verification): void {
    // The sessions that were not asked for the longest stand first.
    this.#known.delete(session);
    if (!found.ok) return;
    this.#known.set(session, found);
    if (this.#known.size > REMEMBERED) this.#known.delete(this.#known.keys().next().value ?? '');
  }

  async #walk(session: string, from: Place): Promise<Verification> {
    for (let place = from; ;) {
      const { record, rows } = await this.#piece(session, place.length);
      const found = check(rows, place);
      if ('ok' in found) return found;
      if (rows.length < EVENTS_PER_PIECE) {
        const { length, head } = found;
        if (length === record.cursor && head === record.head) return { ok: true, length, head };
        return broken(length + 1, `the session says that its log ends at ${record.cursor}`);
      }
      place = found;
      await setImmediate();
    }
  }
}

function check(rows: readonly Row[], from: Place): Place | (Verification & { readonly ok: false }) {
  let { length, head } = from;
  for (const row of rows) {
    const next = length + 1;
    const read = unlessCorrupt(() => toEvent(row));
    if (read === undefined) return broken(next, 'the event cannot be read');
    const { hash, ...event } = read;
    if (event.seq !== next) return broken(next, 'the event is missing');
    if (event.id !== eventId(event.session, event.key, event.index))
      return broken(next, 'the id is not its own');
    head = hashEvent(head, event);
    if (hash !== head) return broken(next, 'the hash does not match the content and the hash before it');
    length = next;
  }
  return { length, head };
}

export function broken(seq: number, reason: string): Verification & { readonly ok: false } {
  return { ok: false, broken_at: seq, reason };
}
