import { planAppend } from '../common/append-plan.ts';
import { referencedBlobs } from '../common/referenced-blobs.ts';
import { integer, json, maybe, type Row, timestamp, toEvent, toSession } from '../common/rows.ts';
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
import { addReferences } from './blob-uses.ts';
import { createChainChecks } from './chain-checks.ts';
import type { Database, Queries, Transaction } from './database.ts';
import { EVENT_COLUMNS, SESSION_COLUMNS } from './event-columns.ts';
import { createOutbox } from './outbox.ts';
import type { Tails } from './tails.ts';
import { PostgresWhere } from './where.ts';

/** How many events one statement inserts, so that few different statements are prepared. */
const EVENTS_PER_STATEMENT = 50;
/** How many events are read at a time where the answer has a bound of characters. */
const EVENTS_PER_PIECE = 200;

const APPEND = 'SELECT cursor, events, outcome FROM appends WHERE session = ? AND key = ?';

/** The event logs in PostgreSQL. */
export interface PostgresEventLog extends EventLog {
  /** Appends inside a transaction of the caller, who calls the listeners after the commit. */
  appendIn(tx: Transaction, request: AppendRequest): Promise<Appended>;
}

export function createEventLog(
  db: Database,
  { tails, now }: { readonly tails: Tails; readonly now: () => number },
): PostgresEventLog {
  const outbox = createOutbox(db);

  const recordedIn = async (from: Queries, record: SessionRecord, row: Row): Promise<Appended> => {
    const cursor = integer(row, 'cursor');
    const events = await from.all(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE session = ? AND seq > ? AND seq <= ? ORDER BY seq`,
      record.id,
      cursor - integer(row, 'events'),
      cursor,
    );
    const outcome = row['outcome'] === null ? null : json(row, 'outcome');
    return { events: events.map(toEvent), cursor, duplicate: true, outcome, record };
  };

  const appendIn = async (tx: Transaction, request: AppendRequest): Promise<Appended> => {
    const { session, key } = request;
    // The row is held until the commit, so that the log's order is the order of commits. The second statement sees what
    // was committed while the first one waited.
    const [row, known] = await Promise.all([
      tx.get(
        `SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ? AND deleting_at IS NULL FOR NO KEY UPDATE`,
        session,
      ),
      tx.get(APPEND, session, key),
    ]);
    const record = toSession(stored(row, 'session', session));
    if (known !== undefined) return recordedIn(tx, record, known);
    const {
      events,
      outbox: awaited,
      outcome,
      record: changed,
    } = planAppend(record, request, timestamp(now()));
    await addReferences(tx, session, referencedBlobs(events.map(({ payload }) => payload)));
    insertEvents(tx, events);
    outbox.add(tx, session, awaited);
    tx.later(
      'INSERT INTO appends (session, key, cursor, events, outcome) VALUES (?, ?, ?, ?, ?)',
      session,
      key,
      changed.cursor,
      events.length,
      outcome === null ? null : canonicalJson(outcome),
    );
    tx.later(
      `UPDATE sessions SET status = ?, archived_at = ?, data = ?, epoch = ?, cursor = ?, head = ?, updated_at = ?
       WHERE id = ?`,
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
    appendIn,
    async append(request) {
      const appended = await db.transaction((tx) => appendIn(tx, request));
      if (!appended.duplicate) tails.notify(request.session, appended.cursor);
      return appended;
    },
    recorded: (session, key) =>
      db.transaction(
        async (tx) => {
          const [row, known] = await Promise.all([
            tx.get(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ? AND deleting_at IS NULL`, session),
            tx.get(APPEND, session, key),
          ]);
          return row && known && recordedIn(tx, toSession(row), known);
        },
        { snapshot: true },
      ),
    read: (request) => (request.maxCharacters === undefined ? readAll(db, request) : readUpTo(db, request)),
    async find(session, id) {
      const sql = `SELECT ${EVENT_COLUMNS} FROM events WHERE session = ? AND id = ?`;
      return maybe(await db.get(sql, session, id), toEvent);
    },
    ...createChainChecks(db, now),
    subscribe: (session, listener) => tails.subscribe(session, listener),
    undelivered: outbox.undelivered,
    claimUndelivered: outbox.claimUndelivered,
    releaseClaims: outbox.releaseClaims,
    markDelivered: outbox.markDelivered,
  };
}

function insertEvents(tx: Transaction, events: readonly StoredEvent[]): void {
  for (let at = 0; at < events.length; at += EVENTS_PER_STATEMENT) {
    const lot = events.slice(at, at + EVENTS_PER_STATEMENT);
    tx.later(
      `INSERT INTO events (session, seq, id, type, payload, internal, ref, key, idx, hash, created_at)
       VALUES ${lot.map(() => '(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)').join(', ')}`,
      ...lot.flatMap((event) => [
        event.session,
        event.seq,
        event.id,
        event.type,
        canonicalJson(event.payload),
        event.internal === null ? null : canonicalJson(event.internal),
        event.ref,
        event.key,
        event.index,
        event.hash,
        event.created_at,
      ]),
    );
  }
}

async function readAll(db: Database, request: ReadRequest): Promise<readonly StoredEvent[]> {
  const where = readConditions(request);
  const direction = request.order === 'desc' ? 'DESC' : 'ASC';
  const sql = `SELECT ${EVENT_COLUMNS} FROM events ${where.sql} ORDER BY seq ${direction} LIMIT ?`;
  return (await db.all(sql, ...where.values, request.limit ?? null)).map(toEvent);
}

/** Reads up to the event by which the text exceeds the bound, in pieces, so that a long log is not read for a few events. */
async function readUpTo(db: Database, request: ReadRequest): Promise<readonly StoredEvent[]> {
  const { maxCharacters = 0, limit = Infinity, order } = request;
  const found: StoredEvent[] = [];
  let left = maxCharacters;
  for (let rest = request; ;) {
    const where = readConditions(rest);
    const direction = order === 'desc' ? 'DESC' : 'ASC';
    const size = Math.min(EVENTS_PER_PIECE, limit - found.length);
    // Sizes are known without reading the texts; the events before this one have to be within the bound.
    const rows = await db.all(
      `SELECT ${EVENT_COLUMNS}, size FROM (
         SELECT *, octet_length(payload) AS size,
           sum(octet_length(payload)) OVER (ORDER BY seq ${direction}) - octet_length(payload) AS before
         FROM (SELECT * FROM events ${where.sql} ORDER BY seq ${direction} LIMIT ?) AS piece
       ) AS measured WHERE before <= ?`,
      ...where.values,
      size,
      left,
    );
    found.push(...rows.map(toEvent));
    left -= rows.reduce((sum, row) => sum + integer(row, 'size'), 0);
    const last = found.at(-1);
    if (last === undefined || rows.length < size || left < 0 || found.length >= limit) return found;
    rest = { ...request, ...(order === 'desc' ? { before: last.seq } : { after: last.seq }) };
  }
}

function readConditions(request: ReadRequest): PostgresWhere {
  const where = new PostgresWhere().and('session = ?', request.session);
  // Places may come from a client and be larger than any that is stored.
  if (request.after !== undefined) where.and('seq > ?::bigint', request.after);
  if (request.before !== undefined) where.and('seq < ?::bigint', request.before);
  return where
    .in('type', request.types)
    .in('id', request.ids)
    .in('ref', request.refs)
    .times('created_at', request.createdAt);
}
