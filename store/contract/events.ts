import type { Json, JsonObject } from './json.ts';
import type { SessionChange, SessionRecord } from './records.ts';

/** One entry of a session's log. Written once; never changed, and gone only when the whole session is deleted. */
export interface StoredEvent {
  readonly session: string;
  /** Place in the session's log, from 1, without gaps. */
  readonly seq: number;
  /** `sevt_...`, a pure function of session, key and index (see `eventId`). */
  readonly id: string;
  readonly type: string;
  /** What clients see of the event, without `id` and `processed_at`. */
  readonly payload: JsonObject;
  /** What only this program sees, e.g. the model's own id of a tool use. */
  readonly internal: JsonObject | null;
  /** The id of the event that this one answers, e.g. a result's tool use. */
  readonly ref: string | null;
  /** The step that appended it. */
  readonly key: string;
  /** Its place among the events of that step, from 0. */
  readonly index: number;
  /** SHA-256 over the hash before it and this event's canonical JSON. */
  readonly hash: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly created_at: string;
}

export interface NewStoredEvent {
  readonly type: string;
  readonly payload: JsonObject;
  readonly internal?: JsonObject | null;
  readonly ref?: string | null;
  /** Place in the step; defaults to the place in the list. */
  readonly index?: number;
  /** Puts the event into the outbox as well. */
  readonly deliver?: boolean;
}

export interface AppendRequest {
  readonly session: string;
  /** The step's name within the session. A key that is recorded appends nothing and changes nothing. */
  readonly key: string;
  readonly events: readonly NewStoredEvent[];
  /** The writer's fencing token: below the session's it is refused with StaleEpochError, above it becomes the session's. */
  readonly epoch?: number;
  /** Refuse with CursorMovedError when the log does not end at this seq. */
  readonly expectCursor?: number;
  /** What came of the step, recorded with its events; `Appended.outcome` gives it back on every retry. */
  readonly outcome?: Json;
  /** Says how something ended or is to end: taken also while there is no room for anything else. */
  readonly essential?: boolean;
  /**
   * Changes the session's record in the same transaction. Must be pure and synchronous. It is given the record as the append
   * leaves it, with its cursor moved on, and the events as they are recorded.
   */
  readonly update?: (record: SessionRecord, events: readonly StoredEvent[]) => SessionChange;
}

export interface Appended {
  /** The events recorded under the key, now or earlier. */
  readonly events: readonly StoredEvent[];
  /** The log's last seq right after these events, also when they were recorded earlier. */
  readonly cursor: number;
  /** True when the key was recorded before and nothing was done now. */
  readonly duplicate: boolean;
  /** The outcome recorded with the step; null when it has none. */
  readonly outcome: Json;
  /** The session's record as it is now. */
  readonly record: SessionRecord;
}

/** RFC 3339 bounds, compared as text: they must be spelled as `created_at` is. */
export interface TimeRange {
  readonly gt?: string;
  readonly gte?: string;
  readonly lt?: string;
  readonly lte?: string;
}

export interface ReadRequest {
  readonly session: string;
  /** Exclusive bounds of seq. */
  readonly after?: number;
  readonly before?: number;
  readonly types?: readonly string[];
  /** Events by id, or by what they answer; what else the log holds costs nothing then. */
  readonly ids?: readonly string[];
  readonly refs?: readonly string[];
  readonly createdAt?: TimeRange;
  /** Default `asc`. */
  readonly order?: 'asc' | 'desc';
  /** Default: all. */
  readonly limit?: number;
  /** Ends the answer with the event whose text goes beyond so many characters. Default: no bound. */
  readonly maxCharacters?: number;
}

/** `broken_at` is the first seq whose place, content or link does not check. */
export type Verification =
  | { readonly ok: true; readonly length: number; readonly head: string }
  | { readonly ok: false; readonly broken_at: number; readonly reason: string };

export interface BrokenSession {
  readonly id: string;
  /** 0 where it is the session's record that cannot be read. */
  readonly broken_at: number;
  readonly reason: string;
}

/** The append-only logs of all sessions. */
export interface EventLog {
  /** Throws NotStoredError for an unknown session, StaleEpochError, CursorMovedError; StorageFullError unless it is essential. */
  append(request: AppendRequest): Promise<Appended>;
  /** What a step has recorded; undefined when it has not been taken. */
  recorded(session: string, key: string): Promise<Appended | undefined>;
  read(request: ReadRequest): Promise<readonly StoredEvent[]>;
  find(session: string, id: string): Promise<StoredEvent | undefined>;
  /**
   * Walks the chain from the first event to the session's head, in pieces between which others come in; what it finds is kept
   * as the session's last check. Throws NotStoredError for an unknown session.
   */
  verify(session: string): Promise<Verification>;
  /** Walks what was appended since this process last found the chain whole: all of it at first. Throws NotStoredError. */
  verifyNew(session: string): Promise<Verification>;
  /** The session whose last whole check lies farthest back, if that is before a time (RFC 3339), or that never had one. */
  leastChecked(before: string): Promise<string | undefined>;
  /** The sessions that the last check found damaged. */
  broken(): Promise<readonly BrokenSession[]>;
  /**
   * Rings the listener soon after every append to the session and after its deletion, from this process or another
   * one. A ring says "look again" and nothing more; several appends may share one. Returns what ends it.
   */
  subscribe(session: string, listener: () => void): () => void;
  /** Events appended with `deliver` and not yet marked, oldest first, over all sessions or one. */
  undelivered(session?: string): Promise<readonly StoredEvent[]>;
  markDelivered(events: readonly { readonly session: string; readonly seq: number }[]): Promise<void>;
}
