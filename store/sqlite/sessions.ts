import type { SessionListRequest, SessionRecords } from '../records.ts';
import { canonicalJson } from '../json.ts';
import { NotStored } from '../errors.ts';
import { type Connection, type Row, write } from './database.ts';
import { NO_EVENTS } from './event-hash.ts';
import type { SqliteEventLog } from './events.ts';
import { creationOrder, timestamp, toSession, Where } from './rows.ts';
import type { Watcher } from './watcher.ts';

export function createSessionRecords(
  db: Connection,
  log: SqliteEventLog,
  watcher: Watcher,
  now: () => number,
): SessionRecords {
  const select = db.prepare('SELECT * FROM sessions WHERE id = ?');
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
  const removeEffects = db.prepare('DELETE FROM effects WHERE scope = ?');

  const read = (id: string): ReturnType<typeof toSession> | undefined => {
    const row = select.get(id);
    return row === undefined ? undefined : toSession(row as Row);
  };

  return {
    async insert(record, first, sealed) {
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
        const record = read(id);
        if (record === undefined) throw new NotStored('session', id);
        const changed = { ...record, updated_at: timestamp(now()), ...change(record) };
        update.run(changed.status, changed.archived_at, canonicalJson(changed.data), changed.updated_at, id);
        return changed;
      });
    },
    async list(request: SessionListRequest) {
      const where = new Where().in('status', request.statuses);
      if (request.agentId !== undefined) where.and('agent_id = ?', request.agentId);
      if (request.agentVersion !== undefined) where.and('agent_version = ?', request.agentVersion);
      return db
        .prepare(`SELECT * FROM sessions ${creationOrder(request, where)}`)
        .all(...where.values, request.limit)
        .map((row) => toSession(row as Row));
    },
    async delete(id) {
      const deleted = write(db, () => {
        removeEffects.run(id);
        return remove.run(id).changes > 0;
      });
      if (deleted) watcher.ring(id);
      return deleted;
    },
  };
}
