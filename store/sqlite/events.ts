import { planAppend } from '../common/append-plan.ts';
import { stored } from '../contract/errors.ts';
import type {
  AppendRequest,
  Appended,
  EventLog,
  ReadRequest,
  SessionRecord,
  StoredEvent,
} from '../contract/events.ts';
import { canonicalJson } from '../contract/json.ts';
import type { BlobUses } from './blob-uses.ts';
import { type Row } from '../common/rows.ts';
import { readOf } from './damaged-pages.ts';
import { type Connection, requireRoom, write } from './database.ts';
import { createChainChecks } from './chain-checks.ts';
import { createOutbox } from './outbox.ts';
import { integer, json, maybe, text, timestamp, toEvent, toSession } from '../common/rows.ts';
import { SqliteWhere } from './where.ts';
import type { Watcher } from './watcher.ts';

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
  const insertEvent = db.prepare(
    `INSERT INTO events (session, seq, id, type, payload, internal, ref, key, idx, hash, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateSession = db.prepare(
    `UPDATE sessions SET status = ?, archived_at = ?, data = ?, epoch = ?, cursor = ?, head = ?, updated_at = ?
     WHERE id = ?`,
  );

  const outbox = createOutbox(db, now);

  const sessionOf = (id: string): SessionRecord => {
    const row = readOf(id, () => selectSession.get(id));
    return toSession(stored(row, 'session', id));
  };

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
    const plan = planAppend(record, request, timestamp(now()));
    const awaited = new Set(plan.outbox);
    for (const event of plan.events) {
      const position = insert(event);
      if (awaited.has(event)) outbox.addNow(position, event);
      uses.addReferencesNow(session, event.payload);
    }
    const { events, outcome, record: changed } = plan;
    insertAppend.run(session, key, changed.cursor, outcome === null ? null : canonicalJson(outcome));
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
    return { events, cursor: changed.cursor, duplicate: false, outcome, record: changed };
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
    undelivered: outbox.undelivered,
    claimUndelivered: outbox.claimUndelivered,
    releaseClaims: outbox.releaseClaims,
    markDelivered: outbox.markDelivered,
  };
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

function readConditions(request: ReadRequest): SqliteWhere {
  const where = new SqliteWhere().and('session = ?', request.session);
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
