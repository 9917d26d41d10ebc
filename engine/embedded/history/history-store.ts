import type { CommitGroup } from '../persistence/commit-group.ts';
import type { SqliteDatabase } from '../persistence/database.ts';
import { History } from '../protocol/proto.ts';
import { toNumber } from '../protocol/values.ts';
import type { EventBatch, HistoryEvent } from './events.ts';

/** A slice of history that ends at a batch boundary. */
export interface HistoryPage {
  readonly events: HistoryEvent[];
  /** First event of the following page; undefined at the end. */
  readonly nextEventId?: number;
}

interface Row {
  readonly first_event_id: number;
  readonly last_event_id: number;
  readonly events: Uint8Array | ArrayBuffer;
}

/** The newest batches of a run, which spare the next workflow task a read from the database. */
interface Tail {
  batches: (EventBatch & { readonly bytes: number })[];
  bytes: number;
}

const TAIL_BYTES = 64 * 1024;
/** What is kept of all runs, in encoded bytes; in memory events take about eight times as many. */
const ALL_TAILS_BYTES = 8 * 1024 * 1024;
/** The size of a page at most, which is well below the 4 MiB that clients accept for one message. */
const PAGE_BYTES = 1024 * 1024;
const MOST_BATCHES = 1000;
/** The bounds of what is kept for reads of single events: an answer may schedule a thousand activities in one batch. */
const KEPT_BATCHES = 4;
const KEPT_BATCH_BYTES = 1024 * 1024;

/** The events by run, in batches. Reads see everything that was appended, committed or not. */
export class HistoryStore {
  readonly #group: CommitGroup;
  readonly #insert;
  readonly #forward;
  readonly #backward;
  readonly #containing;
  readonly #delete;
  readonly #copy;
  readonly #size;
  readonly #tails = new Map<number, Tail>();
  #tailsBytes = 0;
  readonly #uncommitted = new Map<number, EventBatch[]>();
  /** By run, the batch of which a single event was read last; the run that was read last comes last. */
  readonly #readBatches = new Map<number, EventBatch>();

  constructor(db: SqliteDatabase, group: CommitGroup) {
    this.#group = group;
    const columns = 'first_event_id, last_event_id, events';
    this.#insert = db.prepare(`INSERT INTO history (run_key, ${columns}) VALUES (?, ?, ?, ?)`);
    this.#forward = db.prepare(
      `SELECT ${columns} FROM history WHERE run_key = ? AND last_event_id >= ? ORDER BY first_event_id LIMIT ?`,
    );
    this.#backward = db.prepare(
      `SELECT ${columns} FROM history WHERE run_key = ? AND first_event_id <= ? ORDER BY first_event_id DESC LIMIT ?`,
    );
    this.#containing = db.prepare(
      `SELECT ${columns} FROM history WHERE run_key = ? AND first_event_id <= ? ORDER BY first_event_id DESC LIMIT 1`,
    );
    this.#delete = db.prepare('DELETE FROM history WHERE run_key = ?');
    this.#copy = db.prepare(
      `INSERT INTO history (run_key, ${columns}) SELECT ?, ${columns} FROM history
       WHERE run_key = ? AND last_event_id <= ?`,
    );
    this.#size = db.prepare(
      'SELECT sum(length(events)) AS bytes FROM history WHERE run_key = ? AND last_event_id <= ?',
    );
  }

  /** Adds a batch within the current transaction and answers its size in bytes. */
  append(runKey: number, batch: EventBatch): number {
    const encoded = History.encode({ events: [...batch.events] }).finish();
    this.#group.write(() => {
      this.#insert.run(runKey, batch.firstEventId, batch.lastEventId, encoded);
    });
    const uncommitted = this.#uncommitted.get(runKey);
    if (uncommitted) uncommitted.push(batch);
    else this.#uncommitted.set(runKey, [batch]);
    // Effects of this commit may add further batches before this one's turn comes.
    this.#group.afterCommit(() => {
      const left = this.#uncommitted.get(runKey)?.filter((one) => one !== batch) ?? [];
      if (left.length === 0) this.#uncommitted.delete(runKey);
      else this.#uncommitted.set(runKey, left);
    });
    this.#keep(runKey, batch, encoded.length);
    return encoded.length;
  }

  /** Gives a new run the events of another up to `lastEventId`, in the same batches, and answers their size in bytes. */
  copy(fromKey: number, toKey: number, lastEventId: number): number {
    if (this.#uncommitted.has(fromKey)) this.#group.commitWrites();
    const whole = this.#size.get(fromKey, lastEventId) as { bytes: number | null };
    this.#group.write(() => {
      this.#copy.run(toKey, fromKey, lastEventId);
    });
    const last = this.#batchOf(fromKey, lastEventId);
    if (!last || last.lastEventId === lastEventId) return whole.bytes ?? 0;
    const { firstEventId } = last;
    const events = last.events.slice(0, lastEventId - firstEventId + 1);
    return (whole.bytes ?? 0) + this.append(toKey, { firstEventId, lastEventId, events });
  }

  /** Whether a transaction ended with this event. */
  isLastOfBatch(runKey: number, eventId: number): boolean {
    return this.#batchOf(runKey, eventId)?.lastEventId === eventId;
  }

  delete(runKey: number): void {
    this.#group.write(() => {
      this.#delete.run(runKey);
    });
    this.forget(runKey);
  }

  /** Removes what is cached of a run. */
  forget(runKey: number): void {
    this.#forgetTail(runKey);
    this.#readBatches.delete(runKey);
  }

  #forgetTail(runKey: number): void {
    this.#tailsBytes -= this.#tails.get(runKey)?.bytes ?? 0;
    this.#tails.delete(runKey);
  }

  /** Removes everything that is cached, after a failed commit. */
  forgetAll(): void {
    this.#tails.clear();
    this.#tailsBytes = 0;
    this.#uncommitted.clear();
    this.#readBatches.clear();
  }

  /** Reads events from `firstEventId` on: at least one batch, then as many as `maxEvents` and a size bound allow. */
  read(runKey: number, firstEventId: number, maxEvents: number): HistoryPage {
    const tail = this.#tails.get(runKey);
    const tailStart = tail?.batches[0]?.firstEventId;
    if (tail && tailStart !== undefined && firstEventId >= tailStart) {
      return page(
        tail.batches.filter((batch) => batch.lastEventId >= firstEventId),
        firstEventId,
        maxEvents,
      );
    }
    if (this.#uncommitted.has(runKey)) this.#group.commitWrites();
    const limit = batchLimit(maxEvents);
    const rows = this.#forward.iterate(runKey, firstEventId, limit) as Iterable<Row>;
    return page(batchesOf(rows), firstEventId, maxEvents, limit);
  }

  /** Reads events up to `lastEventId`, the newest first. */
  readReverse(runKey: number, lastEventId: number, maxEvents: number): HistoryPage {
    if (this.#uncommitted.has(runKey)) this.#group.commitWrites();
    const events: HistoryEvent[] = [];
    let bytes = 0;
    const rows = this.#backward.iterate(runKey, lastEventId, batchLimit(maxEvents)) as Iterable<Row>;
    for (const row of rows) {
      if (events.length > 0 && (events.length >= maxEvents || bytes >= PAGE_BYTES)) break;
      const batch = toBatch(row);
      events.push(...batch.events.filter((event) => toNumber(event.eventId) <= lastEventId).reverse());
      bytes += batch.bytes;
    }
    const last = toNumber(events.at(-1)?.eventId);
    return last > 1 ? { events, nextEventId: last - 1 } : { events };
  }

  /** Reads one event; throws when there is none, which would be corruption. */
  event(runKey: number, eventId: number): HistoryEvent {
    const batch = this.#batchOf(runKey, eventId);
    const event = batch?.events[eventId - batch.firstEventId];
    if (!event) throw new Error(`run ${runKey} has no event ${eventId}`);
    return event;
  }

  #batchOf(runKey: number, eventId: number): EventBatch | undefined {
    const has = (one: EventBatch): boolean => one.firstEventId <= eventId && eventId <= one.lastEventId;
    const inMemory = [...(this.#tails.get(runKey)?.batches ?? []), ...(this.#uncommitted.get(runKey) ?? [])];
    const found = inMemory.find(has);
    if (found) return found;
    const known = this.#readBatches.get(runKey);
    if (known && has(known)) return known;
    const row = this.#containing.get(runKey, eventId) as Row | undefined;
    if (!row) return undefined;
    const batch = toBatch(row);
    if (batch.bytes > KEPT_BATCH_BYTES) return batch;
    this.#readBatches.delete(runKey);
    this.#readBatches.set(runKey, batch);
    for (const oldest of this.#readBatches.keys()) {
      if (this.#readBatches.size <= KEPT_BATCHES) break;
      this.#readBatches.delete(oldest);
    }
    return batch;
  }

  #keep(runKey: number, batch: EventBatch, bytes: number): void {
    const tail = this.#tails.get(runKey) ?? { batches: [], bytes: 0 };
    // The run that was used last comes last.
    this.#forgetTail(runKey);
    tail.batches.push({ ...batch, bytes });
    tail.bytes += bytes;
    while (tail.bytes > TAIL_BYTES && tail.batches.length > 0) {
      tail.bytes -= tail.batches.shift()?.bytes ?? 0;
    }
    this.#tails.set(runKey, tail);
    this.#tailsBytes += tail.bytes;
    for (const oldest of this.#tails.keys()) {
      if (this.#tailsBytes <= ALL_TAILS_BYTES || oldest === runKey) return;
      this.#forgetTail(oldest);
    }
  }

  /** The encoded bytes of the events that are kept in memory. */
  get keptBytes(): number {
    return this.#tailsBytes;
  }
}

function toBatch(row: Row): EventBatch & { readonly bytes: number } {
  // libsql gives a blob as a Buffer from `get` and as an ArrayBuffer from `all`.
  const bytes = Buffer.from(row.events as ArrayBuffer);
  const events = History.decode(bytes).events ?? [];
  return {
    firstEventId: row.first_event_id,
    lastEventId: row.last_event_id,
    events,
    bytes: bytes.length,
  };
}

/** The batches that a page may need: each has an event at least. */
const batchLimit = (maxEvents: number): number => Math.min(Math.max(1, maxEvents), MOST_BATCHES);

/** Decodes one batch after the other, so that none is decoded for nothing. */
function* batchesOf(rows: Iterable<Row>): Generator<EventBatch & { readonly bytes: number }> {
  for (const row of rows) yield toBatch(row);
}

/** @param limit How many batches were asked for at most. */
function page(
  batches: Iterable<EventBatch & { readonly bytes: number }>,
  firstEventId: number,
  maxEvents: number,
  limit = Infinity,
): HistoryPage {
  const events: HistoryEvent[] = [];
  let bytes = 0;
  let count = 0;
  let lastEventId = 0;
  for (const batch of batches) {
    if (events.length > 0 && (events.length >= maxEvents || bytes + batch.bytes > PAGE_BYTES)) {
      return { events, nextEventId: batch.firstEventId };
    }
    for (const event of batch.events) if (toNumber(event.eventId) >= firstEventId) events.push(event);
    bytes += batch.bytes;
    count += 1;
    ({ lastEventId } = batch);
  }
  return count === limit ? { events, nextEventId: lastEventId + 1 } : { events };
}
