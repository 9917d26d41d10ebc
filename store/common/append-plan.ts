import { CursorMovedError, EventTooLargeError, StaleEpochError } from '../contract/errors.ts';
import type { AppendRequest, SessionRecord, StoredEvent } from '../contract/events.ts';
import { eventId } from '../contract/ids.ts';
import { canonicalJson, type Json, type JsonObject } from '../contract/json.ts';
import { hashEvent } from './event-hash.ts';

/** The most characters of an event's content: no request of 32 MB exceeds it, as bytes are stored as blobs. */
const LARGEST = 32 * 1024 * 1024;

/** What a step that was not recorded before makes of a session. */
interface AppendPlan {
  readonly events: readonly StoredEvent[];
  /** Those of the events that go into the outbox. */
  readonly outbox: readonly StoredEvent[];
  readonly outcome: Json;
  /** The session's record as it is to be written. */
  readonly record: SessionRecord;
}

/**
 * Decides about an append: it fences the epoch and the cursor, numbers and chains the events and applies the update.
 * The caller holds the session's record against other writers until it has written the plan.
 * @throws {StaleEpochError} for an older epoch than the session's
 * @throws {CursorMovedError} when `expectCursor` is not the log's end
 * @throws {EventTooLargeError} for an event of more than 32 million characters
 */
export function planAppend(record: SessionRecord, request: AppendRequest, at: string): AppendPlan {
  const { session, key } = request;
  if (request.epoch !== undefined && request.epoch < record.epoch) {
    throw new StaleEpochError(session, request.epoch, record.epoch);
  }
  if (request.expectCursor !== undefined && request.expectCursor !== record.cursor) {
    throw new CursorMovedError(request.expectCursor, record.cursor);
  }
  let { head, cursor } = record;
  const events = request.events.map((event, position): StoredEvent => {
    const index = event.index ?? position;
    cursor += 1;
    const unlinked = {
      session,
      seq: cursor,
      id: eventId(session, key, index),
      type: event.type,
      payload: asRead(event.payload, event.type),
      internal: event.internal == null ? null : asRead(event.internal, event.type),
      ref: event.ref ?? null,
      key,
      index,
      created_at: at,
    };
    head = hashEvent(head, unlinked);
    return { ...unlinked, hash: head };
  });
  const advanced: SessionRecord = {
    ...record,
    epoch: Math.max(record.epoch, request.epoch ?? 0),
    cursor,
    head,
    updated_at: at,
  };
  return {
    events,
    outbox: events.filter((_, place) => request.events[place]?.deliver === true),
    outcome: request.outcome ?? null,
    record: { ...advanced, ...request.update?.(advanced, events) },
  };
}

/** The value as it will be read from the log, so that an append and its repetition answer the same. */
function asRead(value: JsonObject, type: string): JsonObject {
  const content = canonicalJson(value);
  if (content.length > LARGEST) throw new EventTooLargeError(type, content.length, LARGEST);
  return JSON.parse(content) as JsonObject;
}
