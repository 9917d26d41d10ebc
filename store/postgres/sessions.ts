import { NO_EVENTS } from '../common/event-hash.ts';
import { json, maybe, type Row, text, timestamp, toSession, unlessCorrupt } from '../common/rows.ts';
import { creationOrder } from '../common/where.ts';
import { stored } from '../contract/errors.ts';
import type { SessionRecord } from '../contract/events.ts';
import { canonicalJson, type JsonObject } from '../contract/json.ts';
import type { SessionListRequest, SessionRecords } from '../contract/records.ts';
import type { Collector } from './collector.ts';
import type { Database, Queries } from './database.ts';
import { SESSION_COLUMNS } from './event-columns.ts';
import type { PostgresEventLog } from './events.ts';
import { environmentOf } from './names.ts';
import type { Tails } from './tails.ts';
import { PostgresWhere } from './where.ts';

/** How many rows one statement of a deletion removes. */
const ROWS_PER_STATEMENT = 1000;

/** The tables of a session's rows, by the column that names it. They go before the session itself. */
const OWNED = [
  ['events', 'session'],
  ['appends', 'session'],
  ['effects', 'scope'],
] as const;

export function createSessionRecords(
  db: Database,
  parts: {
    readonly log: PostgresEventLog;
    readonly tails: Tails;
    readonly now: () => number;
    readonly collector: Pick<Collector, 'dropReferences'>;
  },
): SessionRecords {
  const { log, tails, now, collector } = parts;
  const SELECT = `SELECT ${SESSION_COLUMNS} FROM sessions`;

  const rowOf = (from: Queries, id: string): Promise<Row | undefined> =>
    from.get(`${SELECT} WHERE id = ? AND deleting_at IS NULL`, id);

  const page = (request: SessionListRequest): Promise<readonly Row[]> => {
    const where = new PostgresWhere().and('deleting_at IS NULL').in('status', request.statuses);
    if (request.agentId !== undefined) where.and('agent_id = ?', request.agentId);
    if (request.agentVersion !== undefined) where.and('agent_version = ?::bigint', request.agentVersion);
    if (request.environmentId !== undefined) where.and('environment_id = ?', request.environmentId);
    return db.all(`${SELECT} ${creationOrder(request, where)}`, ...where.values, request.limit);
  };

  const beginDeletion: SessionRecords['beginDeletion'] = async (id, last) => {
    const begun = await db.transaction(async (tx) => {
      const row = await tx.get(`${SELECT} WHERE id = ? AND deleting_at IS NULL FOR UPDATE`, id);
      if (row === undefined) return false;
      if (last !== undefined && unlessCorrupt(() => toSession(row)) !== undefined)
        await log.appendIn(tx, { ...last, session: id });
      tx.later('UPDATE sessions SET deleting_at = ? WHERE id = ?', timestamp(now()), id);
      tx.later('DELETE FROM outbox WHERE session = ?', id);
      tx.later('DELETE FROM outbox_claims WHERE session = ?', id);
      return true;
    });
    if (begun) tails.notify(id, undefined);
    return begun;
  };

  return {
    async insert(record, first, sealed) {
      const { id, agent_id, agent_version, status, data } = record;
      const request = { key: 'create', events: [], ...first, session: id };
      let attempts = 0;
      return db.transaction(async (tx) => {
        attempts += 1;
        const at = timestamp(now());
        const made = await tx.run(
          `INSERT INTO sessions
             (id, agent_id, agent_version, environment_id, status, created_at, updated_at, epoch, cursor, head, data)
           VALUES (?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?) ${attempts > 1 ? 'ON CONFLICT DO NOTHING' : ''}`,
          id,
          agent_id,
          agent_version,
          environmentOf(data),
          status,
          at,
          at,
          NO_EVENTS,
          canonicalJson(data),
        );
        // The answer of an earlier attempt was lost: the append finds its key and answers what was recorded.
        if (made > 0) {
          tx.later('INSERT INTO session_checks (session) VALUES (?)', id);
          if (sealed !== undefined)
            tx.later('INSERT INTO session_secrets (session, sealed) VALUES (?, ?)', id, Buffer.from(sealed));
        }
        return log.appendIn(tx, request);
      });
    },
    async sealed(id) {
      const row = await db.get('SELECT sealed FROM session_secrets WHERE session = ?', id);
      return row?.['sealed'] as Uint8Array | undefined;
    },
    async get(id) {
      return maybe(await rowOf(db, id), toSession);
    },
    async update(id, change) {
      return db.transaction(
        async (tx) => {
          const row = await tx.get(`${SELECT} WHERE id = ? AND deleting_at IS NULL FOR NO KEY UPDATE`, id);
          const record = toSession(stored(row, 'session', id));
          const changed = { ...record, updated_at: timestamp(now()), ...change(record) };
          tx.later(
            'UPDATE sessions SET status = ?, archived_at = ?, data = ?, environment_id = ?, updated_at = ? WHERE id = ?',
            changed.status,
            changed.archived_at,
            canonicalJson(changed.data),
            environmentOf(changed.data),
            changed.updated_at,
            id,
          );
          return changed;
        },
        { repeat: 'once' },
      );
    },
    async list(request: SessionListRequest) {
      const found: SessionRecord[] = [];
      for (let { after } = request; ;) {
        const rows = await page({ ...request, ...(after === undefined ? {} : { after }) });
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
      const rows = await db.all(
        'SELECT id, data FROM sessions WHERE deleting_at IS NOT NULL ORDER BY deleting_at',
      );
      return rows.map((row) => ({
        id: text(row, 'id'),
        data: unlessCorrupt(() => json(row, 'data') as JsonObject) ?? null,
      }));
    },
    async delete(id) {
      if (!(await beginDeletion(id))) {
        const marked = await db.get('SELECT id FROM sessions WHERE id = ? AND deleting_at IS NOT NULL', id);
        if (marked === undefined) return false;
      }
      for (const [table, owner] of OWNED) await removeRows(db, table, owner, id);
      await collector.dropReferences(id);
      await db.transaction(async (tx) => {
        // Another process may have deleted it meanwhile.
        if ((await tx.run('DELETE FROM sessions WHERE id = ? AND deleting_at IS NOT NULL', id)) === 0) return;
        tx.later('DELETE FROM session_secrets WHERE session = ?', id);
        tx.later('DELETE FROM session_checks WHERE session = ?', id);
      });
      return true;
    },
  };
}

/** Removes the rows of an owner, statement by statement, so that none of them takes long. */
export async function removeRows(db: Database, table: string, owner: string, id: string): Promise<void> {
  const sql = `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${owner} = ? LIMIT ${ROWS_PER_STATEMENT}))`;
  while ((await db.run(sql, id)) === ROWS_PER_STATEMENT);
}
