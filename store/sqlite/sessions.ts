import { setImmediate } from 'node:timers/promises';
import type { SessionRecord } from '../contract/events.ts';
import type { SessionListRequest, SessionRecords } from '../contract/records.ts';
import { canonicalJson, type JsonObject } from '../contract/json.ts';
import { stored } from '../contract/errors.ts';
import type { BlobUses } from './blob-uses.ts';
import { type Row } from '../common/rows.ts';
import { type Connection, requireRoom, write } from './database.ts';
import { readOf, unlessDamagedPage } from './damaged-pages.ts';
import { NO_EVENTS } from '../common/event-hash.ts';
import type { SqliteEventLog } from './events.ts';
import { json, maybe, text, timestamp, toSession, unlessCorrupt } from '../common/rows.ts';
import { creationOrder } from '../common/where.ts';
import { SqliteWhere } from './where.ts';
import type { Watcher } from './watcher.ts';

/** How many ids are read at a time where each row is read by itself. */
const IDS_AT_A_TIME = 200;
/** How many rows one transaction of a deletion removes. */
const ROWS_PER_TRANSACTION = 200;

export function createSessionRecords(
  db: Connection,
  parts: {
    readonly log: SqliteEventLog;
    readonly uses: BlobUses;
    readonly watcher: Watcher;
    readonly now: () => number;
  },
): SessionRecords {
  const { log, uses, watcher, now } = parts;
  const select = db.prepare('SELECT * FROM sessions WHERE id = ? AND deleting_at IS NULL');
  const insert = db.prepare(
    `INSERT INTO sessions (id, agent_id, agent_version, status, created_at, updated_at, epoch, cursor, head, data)
     VALUES (?, ?, ?, ?, ?, ?, 0, 0, ?, ?)`,
  );
  const update = db.prepare(
    'UPDATE sessions SET status = ?, archived_at = ?, data = ?, updated_at = ? WHERE id = ?',
  );
  const insertSealed = db.prepare('INSERT INTO session_secrets (session, sealed) VALUES (?, ?)');
  const selectSealed = db.prepare('SELECT sealed FROM session_secrets WHERE session = ?');
  const remove = db.prepare('DELETE FROM sessions WHERE id = ?');
  const mark = db.prepare('UPDATE sessions SET deleting_at = ? WHERE id = ? AND deleting_at IS NULL');
  const marked = db.prepare(
    'SELECT id, data FROM sessions WHERE deleting_at IS NOT NULL ORDER BY deleting_at',
  );
  const isMarked = db.prepare('SELECT 1 FROM sessions WHERE id = ? AND deleting_at IS NOT NULL');
  const removeOutbox = db.prepare('DELETE FROM outbox WHERE session = ?');
  const removals = [
    ['events', 'position', 'session'],
    ['effects', 'rowid', 'scope'],
  ].map(([table, place, owner]) =>
    db.prepare(
      `DELETE FROM ${table} WHERE ${place} IN (SELECT ${place} FROM ${table} WHERE ${owner} = ? LIMIT ${ROWS_PER_TRANSACTION})`,
    ),
  );

  const read = (id: string): SessionRecord | undefined => readOf(id, () => maybe(select.get(id), toSession));

  const asked = (request: SessionListRequest): SqliteWhere => {
    const where = new SqliteWhere().and('deleting_at IS NULL').in('status', request.statuses);
    if (request.agentId !== undefined) where.and('agent_id = ?', request.agentId);
    if (request.agentVersion !== undefined) where.and('agent_version = ?', request.agentVersion);
    if (request.environmentId !== undefined) where.member('environment_id', '@ = ?', request.environmentId);
    return where;
  };

  const page = (request: SessionListRequest): readonly Row[] => {
    const where = asked(request);
    return db
      .prepare(`SELECT * FROM sessions ${creationOrder(request, where)}`)
      .all(...where.values, request.limit);
  };

  /** The same page row by row, without the rows on damaged pages of the file. The index has the ids of all. */
  const readablePage = (request: SessionListRequest): readonly Row[] => {
    const where = asked(request).and('id = ?');
    if (request.includeArchived !== true) where.and('archived_at IS NULL');
    const row = db.prepare(`SELECT * FROM sessions ${where.sql}`);
    const found: Row[] = [];
    for (let { after } = request; ;) {
      const walk = new SqliteWhere();
      const next = { ...request, includeArchived: true, ...(after === undefined ? {} : { after }) };
      const ids = db
        .prepare(
          `SELECT created_at, id FROM sessions INDEXED BY sessions_by_creation ${creationOrder(next, walk)}`,
        )
        .all(...walk.values, IDS_AT_A_TIME);
      for (const each of ids) {
        const id = text(each, 'id');
        const one = unlessDamagedPage(
          () => row.get(...where.values, id),
          () => undefined,
        );
        if (one !== undefined) found.push(one);
        if (found.length === request.limit) return found;
        after = { created_at: text(each, 'created_at'), id };
      }
      if (ids.length < IDS_AT_A_TIME) return found;
    }
  };

  const beginDeletion: SessionRecords['beginDeletion'] = async (id, last) => {
    const begun = write(db, () => {
      if (select.get(id) === undefined) return false;
      if (last !== undefined && unlessCorrupt(() => read(id)) !== undefined)
        log.appendNow({ ...last, session: id });
      mark.run(timestamp(now()), id);
      removeOutbox.run(id);
      return true;
    });
    if (begun) watcher.notify(id);
    return begun;
  };

  return {
    async insert(record, first, sealed) {
      requireRoom(db);
      return write(db, () => {
        const at = timestamp(now());
        const { id, agent_id, agent_version, status, data } = record;
        insert.run(id, agent_id, agent_version, status, at, at, NO_EVENTS, canonicalJson(data));
        if (sealed !== undefined) insertSealed.run(id, Buffer.from(sealed));
        return log.appendNow({ key: 'create', events: [], ...first, session: id });
      });
    },
    async sealed(id) {
      const row = selectSealed.get(id) as { readonly sealed: Uint8Array } | undefined;
      return row?.sealed;
    },
    async get(id) {
      return read(id);
    },
    async update(id, change) {
      return write(db, () => {
        const record = stored(read(id), 'session', id);
        const changed = { ...record, updated_at: timestamp(now()), ...change(record) };
        update.run(changed.status, changed.archived_at, canonicalJson(changed.data), changed.updated_at, id);
        return changed;
      });
    },
    async list(request: SessionListRequest) {
      const found: SessionRecord[] = [];
      for (let { after } = request; ;) {
        const next = { ...request, ...(after === undefined ? {} : { after }) };
        const rows = unlessDamagedPage(
          () => page(next),
          () => readablePage(next),
        );
        // A damaged session hides no other one; the check of its event log reports it.
        found.push(...rows.flatMap((row) => unlessCorrupt(() => toSession(row)) ?? []));
        const last = rows.at(-1);
        // Unreadable sessions are replaced by the next ones: a short page would look like the last one.
        if (last === undefined || rows.length < request.limit || found.length >= request.limit)
          return found.slice(0, request.limit);
        after = { created_at: text(last, 'created_at'), id: text(last, 'id') };
      }
    },
    beginDeletion,
    async deleting() {
      return marked.all().map((row) => ({
        id: text(row, 'id'),
        data: unlessCorrupt(() => json(row, 'data') as JsonObject) ?? null,
      }));
    },
    async delete(id) {
      if (!(await beginDeletion(id)) && isMarked.get(id) === undefined) return false;
      for (const removal of removals)
        while (write(db, () => removal.run(id).changes) > 0) await setImmediate();
      const hashes = write(db, () => {
        remove.run(id);
        return uses.removeReferencesNow(id);
      });
      await uses.drop(hashes);
      return true;
    },
  };
}
