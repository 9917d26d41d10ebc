import type { Json, JsonObject } from './json.ts';

/** A session without its event log. Timestamps are RFC 3339 in UTC with milliseconds. */
export interface SessionRecord {
  readonly id: string;
  readonly agent_id: string;
  readonly agent_version: number;
  readonly status: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly archived_at: string | null;
  /** The fencing token of the run that may write. */
  readonly epoch: number;
  /** The last seq of the event log, 0 when it is empty. */
  readonly cursor: number;
  /** The hash of the last event; the hash of no bytes where there is none. */
  readonly head: string;
  /** Further fields, which the store does not read; see `recordData`. */
  readonly data: JsonObject;
}

export type SessionChange = Partial<Pick<SessionRecord, 'status' | 'archived_at' | 'data'>>;

/** An entry of a session's event log. It never changes, and goes only when the whole session is deleted. */
export interface StoredEvent {
  readonly session: string;
  /** The place in the session's event log, from 1, without gaps. */
  readonly seq: number;
  /** `sevt_...`, a pure function of session, key and index (see `eventId`). */
  readonly id: string;
  readonly type: string;
  /** The part that clients see, without `id` and `processed_at`. */
  readonly payload: JsonObject;
  /** The part that clients do not see, e.g. the model's own id of a tool use. */
  readonly internal: JsonObject | null;
  /** The id of the event that this one answers, e.g. the tool use of a result. */
  readonly ref: string | null;
  /** The step that appended it. */
  readonly key: string;
  /** The place among the events of that step, from 0. */
  readonly index: number;
  /** SHA-256 over the previous event's hash and this event's canonical JSON. */
  readonly hash: string;
  /** RFC 3339 in UTC with milliseconds. */
  readonly created_at: string;
}

export interface NewStoredEvent {
  readonly type: string;
  readonly payload: JsonObject;
  readonly internal?: JsonObject | null;
  readonly ref?: string | null;
  /** The place in the step; by default the place in the list. */
  readonly index?: number;
  /** Puts the event into the outbox as well. */
  readonly deliver?: boolean;
}

export interface AppendRequest {
  readonly session: string;
  /** The step's name within the session. A recorded key appends nothing and changes nothing. */
  readonly key: string;
  readonly events: readonly NewStoredEvent[];
  /**
   * The writer's fencing token: a lower one than the session's is refused with StaleEpochError, a higher one replaces
   * it.
   */
  readonly epoch?: number;
  /** The append is refused with CursorMovedError when the log does not end at this seq. */
  readonly expectCursor?: number;
  /** The step's outcome, recorded with its events; `Appended.outcome` answers it on every retry. */
  readonly outcome?: Json;
  /** The step ends something, so it is written even while the disk has no room for anything else. */
  readonly essential?: boolean;
  /**
   * Changes the session's record in the same transaction. It must be pure and synchronous. It gets the record as the
   * append leaves it, with the new cursor, and the events as they are recorded.
   */
  readonly update?: (record: SessionRecord, events: readonly StoredEvent[]) => SessionChange;
}

export interface Appended {
  /** The events recorded under the key, now or earlier. */
  readonly events: readonly StoredEvent[];
  /** The log's last seq right after these events, even when they were recorded earlier. */
  readonly cursor: number;
  /** True when the key was recorded before, so that nothing was done now. */
  readonly duplicate: boolean;
  /** The outcome recorded with the step; null when it has none. */
  readonly outcome: Json;
  /** The session's record as it is now. */
  readonly record: SessionRecord;
}

/** Bounds in RFC 3339. They are compared as text, so they have to be in the form of `created_at`. */
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
  /** Selects events by id, or by what they answer, without reading the rest of the log. */
  readonly ids?: readonly string[];
  readonly refs?: readonly string[];
  readonly createdAt?: TimeRange;
  /** Default `asc`. */
  readonly order?: 'asc' | 'desc';
  /** Default: all. */
  readonly limit?: number;
  /** Ends the answer with the event by which its text exceeds so many characters. Default: no bound. */
  readonly maxCharacters?: number;
}

/** `broken_at` is the first seq whose place, content or hash is wrong. */
export type Verification =
  | { readonly ok: true; readonly length: number; readonly head: string }
  | { readonly ok: false; readonly broken_at: number; readonly reason: string };

interface BrokenSession {
  readonly id: string;
  /** 0 where the session's record cannot be read. */
  readonly broken_at: number;
  readonly reason: string;
}

export interface ClaimRequest {
  /** The most sessions that are claimed; those that have waited longest come first. */
  readonly limit: number;
  /** How long the claim lasts unless it is ended. */
  readonly leaseMs: number;
  /** Claims this session only. */
  readonly session?: string;
}

/** The append-only logs of all sessions. */
export interface EventLog {
  /**
   * Appends a step's events, all of them or none.
   * @throws {NotStoredError} for an unknown session
   * @throws {StaleEpochError} for an older epoch than the session's
   * @throws {CursorMovedError} when `expectCursor` is not the log's end
   * @throws {StorageFullError} when the disk is full and the step is not essential
   * @example
   * await store.events.append({ session, key: 'step/1.1', epoch: 1, events: [{ type, payload }] });
   */
  append(request: AppendRequest): Promise<Appended>;
  /** What a step has recorded; undefined when it was not appended. */
  recorded(session: string, key: string): Promise<Appended | undefined>;
  read(request: ReadRequest): Promise<readonly StoredEvent[]>;
  find(session: string, id: string): Promise<StoredEvent | undefined>;
  /**
   * Checks the hash chain from the first event to the session's head, in pieces between which other work runs, and
   * keeps the finding as the session's last check. Throws NotStoredError for an unknown session.
   */
  verify(session: string): Promise<Verification>;
  /**
   * Checks what was appended since this process last found the chain intact; at first that is all. Throws
   * NotStoredError.
   */
  verifyNew(session: string): Promise<Verification>;
  /**
   * A session that was never checked as a whole, or the one whose last check is oldest and before a time (RFC 3339), to
   * be verified now. Where several processes share the store, none of them gets one that another has got.
   */
  leastChecked(before: string): Promise<string | undefined>;
  /** The sessions that the last check found damaged. */
  broken(): Promise<readonly BrokenSession[]>;
  /**
   * Calls the listener shortly after every append to the session and after its deletion, by this process or another
   * one. The call means no more than that there is something to read; several appends may share one. Returns the
   * function that ends the subscription.
   */
  subscribe(session: string, listener: () => void): () => void;
  /**
   * The events of the outbox, oldest first, of all sessions or one: appended with `deliver` and not marked as
   * delivered.
   */
  undelivered(session?: string): Promise<readonly StoredEvent[]>;
  /**
   * Claims sessions that have events in the outbox, so that one process at a time delivers those of a session, and
   * answers these events, each session's in the order of its log. A claim ends with the delivery of its events, with
   * `releaseClaims`, or after `leaseMs`; until then nobody else gets events of that session, not even newer ones. So a
   * deliverer claims again until there is nothing left.
   */
  claimUndelivered(request: ClaimRequest): Promise<readonly StoredEvent[]>;
  /** Gives claims back before their time, for another process or a later attempt. */
  releaseClaims(sessions: readonly string[]): Promise<void>;
  markDelivered(events: readonly { readonly session: string; readonly seq: number }[]): Promise<void>;
}
