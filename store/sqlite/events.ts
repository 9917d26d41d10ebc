import { CursorMovedError, EventTooLargeError, StaleEpochError, stored } from '../contract/errors.ts';
import type {
  AppendRequest,
  Appended,
  EventLog,
  ReadRequest,
  SessionRecord,
  StoredEvent,
} from '../contract/events.ts';
import { eventId } from '../contract/ids.ts';
import { canonicalJson, type JsonObject } from '../contract/json.ts';
import type { BlobUses } from './blob-uses.ts';
import { type Connection, type Row, requireRoom, write } from './database.ts';
import { createChainChecks } from './chain-checks.ts';
import { hashEvent } from './event-hash.ts';
import { integer, json, maybe, text, timestamp, toEvent, toSession, unlessCorrupt, Where } from './rows.ts';
import type { Watcher } from './watcher.ts';

/** The most characters of an event's content: no request of 32 MB exceeds it, as bytes are stored as blobs. */
const LARGEST = 32 * 1024 * 1024;

/** The event logs in SQLite. `appendNow` is for callers inside a write transaction. */
export interface SqliteEventLog extends EventLog {
  appendNow(request: AppendRequest): Appended;
}

export function createEventLog(
  db: Connection,
  { watcher, uses, now }: { readonly watcher: Watcher; readonly uses: BlobUses; readonly now: () => number },
): SqliteEventLog {
  const selectSession = db.prepare('SELECT * FROM sessions WHERE id = ? AND deleting_at IS NULL');
  const selectAppend = db.prepare('SELECT cursor, outcome FROM appends WHERE session = ? AND key = ?');
  const selectByKey = db.prepare('SELECT * FROM events WHERE session = ? AND key = ? ORDER BY idx');
  const selectById = db.prepare('SELECT * FROM events WHERE session = ? AND id = ?');
  const insertAppend = db.prepare('INSERT INTO appends (session, key, cursor, outcome) VALUES (?, ?, ?, ?)');
  const insertOutbox = db.prepare('INSERT INTO outbox (position, session, seq) VALUES (?, ?, ?)');
  const deleteOutbox = db.prepare('DELETE FROM outbox WHERE session = ? AND seq = ?');
  const insertEvent = db.prepare(
    `INSERT INTO events (session, seq, id, type, payload, internal, ref, key, idx, hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateSession = db.prepare(
    `UPDATE sessions SET status = ?, archived_at = ?, data = ?, epoch = ?, cursor = ?, head = ?, updated_at = ?
     WHERE id = ?`,
  );

  const sessionOf = (id: string): SessionRecord => toSession(stored(selectSession.get(id), 'session', id));

  const insert = (event: StoredEvent): number => {
    const internal = event.internal === null ? null : canonicalJson(event.internal);
    const { lastInsertRowid } = insertEvent.run(
      event.session,
      event.seq,
      event.id,
      event.type,
      canonicalJson(event.payload),
      internal,
      event.ref,
      event.key,
      event.index,
      event.hash,
      event.created_at,
    );
    return Number(lastInsertRowid);
  };

  const recordedNow = (record: SessionRecord, key: string): Appended | undefined => {
    const row = selectAppend.get(record.id, key);
    if (row === undefined) return undefined;
    const events = selectByKey.all(record.id, key).map(toEvent);
    const outcome = row['outcome'] === null ? null : json(row, 'outcome');
    return { events, cursor: integer(row, 'cursor'), duplicate: true, outcome, record };
  };

  const appendNow = (request: AppendRequest): Appended => {
    const { session, key } = request;
    const record = sessionOf(session);
    const known = recordedNow(record, key);
    if (known !== undefined) return known;
    if (request.epoch !== undefined && request.epoch < record.epoch) {
      throw new StaleEpochError(session, request.epoch, record.epoch);
    }
    if (request.expectCursor !== undefined && request.expectCursor !== record.cursor) {
      throw new CursorMovedError(request.expectCursor, record.cursor);
    }
    const created_at = timestamp(now());
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
        created_at,
      };
      head = hashEvent(head, unlinked);
      return { ...unlinked, hash: head };
    });
    for (const [place, event] of events.entries()) {
      const position = insert(event);
      if (request.events[place]?.deliver === true) insertOutbox.run(position, session, event.seq);
      uses.addReferencesNow(session, event.payload);
    }
    const outcome = request.outcome ?? null;
    insertAppend.run(session, key, cursor, outcome === null ? null : canonicalJson(outcome));
    const advanced: SessionRecord = {
      ...record,
      epoch: Math.max(record.epoch, request.epoch ?? 0),
      cursor,
      head,
      updated_at: created_at,
    };
    const changed: SessionRecord = { ...advanced, ...request.update?.(advanced, events) };
    updateSession.run(
      changed.status,
      changed.archived_at,
      canonicalJson(changed.data),
      changed.epoch,
      changed.cursor,
      changed.head,
      changed.updated_at,
      session,
    );
    return { events, cursor, duplicate: false, outcome, record: changed };
  };

  return {
    appendNow,
    async append(request) {
      if (request.essential !== true && request.events.length > 0) requireRoom(db);
      const appended = write(db, () => appendNow(request));
      if (!appended.duplicate) watcher.notify(request.session);
      return appended;
    },
    async recorded(session, key) {
      return db.transaction(() =>
        maybe(selectSession.get(session), (row) => recordedNow(toSession(row), key)),
      )();
    },
    async read(request) {
      const where = readConditions(request);
      const direction = request.order === 'desc' ? 'DESC' : 'ASC';
      const sql = `SELECT * FROM events ${where.sql} ORDER BY ${placeColumn(request)} ${direction} LIMIT ?`;
      const rows = db.prepare(sql).iterate(...where.values, request.limit ?? -1);
      return upTo(rows, request.maxCharacters ?? Infinity).map(toEvent);
    },
    async find(session, id) {
      return maybe(selectById.get(session, id), toEvent);
    },
    ...createChainChecks(db, { sessionOf, now }),
    subscribe: (session, listener) => watcher.subscribe(session, listener),
    async undelivered(session) {
      const where = new Where().in('outbox.session', session === undefined ? undefined : [session]);
      return (
        db
          .prepare(`SELECT events.* FROM outbox JOIN events USING (position) ${where.sql} ORDER BY position`)
          .all(...where.values)
          // An unreadable event must not hold back those of other sessions.
          .flatMap((row) => unlessCorrupt(() => toEvent(row)) ?? [])
      );
    },
    async markDelivered(events) {
      write(db, () => events.forEach(({ session, seq }) => deleteOutbox.run(session, seq)));
    },
  };
}

/** The value as it will be read from the log, so that an append and its repetition answer the same. */
function asRead(value: JsonObject, type: string): JsonObject {
  const content = canonicalJson(value);
  if (content.length > LARGEST) throw new EventTooLargeError(type, content.length, LARGEST);
  return JSON.parse(content) as JsonObject;
}

/** Rows up to the one by which their text exceeds the bound; the rows after it are not fetched. */
function upTo(rows: Iterable<Row>, characters: number): readonly Row[] {
  const found: Row[] = [];
  let sum = 0;
  for (const row of rows) {
    found.push(row);
    sum += text(row, 'payload').length;
    if (sum > characters) break;
  }
  return found;
}

function readConditions(request: ReadRequest): Where {
  const where = new Where().and('session = ?', request.session);
  const place = placeColumn(request);
  if (request.after !== undefined) where.and(`${place} > ?`, request.after);
  if (request.before !== undefined) where.and(`${place} < ?`, request.before);
  return where
    .in('type', request.types)
    .in('id', request.ids)
    .in('ref', request.refs)
    .times('created_at', request.createdAt);
}

/**
 * The sign keeps SQLite from using the index on seq, which it prefers for the requested order, where the indexes on ids
 * and refs find a few events at once.
 */
function placeColumn({ ids, refs }: ReadRequest): 'seq' | '+seq' {
  return ids === undefined && refs === undefined ? 'seq' : '+seq';
}
