import { NotStoredError, VersionConflictError } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import type { AgentRecord, AgentRecords } from '../contract/records.ts';
import { type Connection, type Row, requireRoom, write } from './database.ts';
import { creationOrder, integer, timestamp, toAgent, Where } from './rows.ts';

const COLUMNS = 'id, version, created_at, updated_at, archived_at, data';

export function createAgentRecords(db: Connection, now: () => number): AgentRecords {
  const latest = db.prepare('SELECT latest FROM agents WHERE id = ?');
  const insertAgent = db.prepare('INSERT INTO agents (id, latest, created_at) VALUES (?, 1, ?)');
  const advance = db.prepare('UPDATE agents SET latest = ? WHERE id = ?');
  const insertVersion = db.prepare(
    'INSERT INTO agent_versions (id, version, updated_at, data) VALUES (?, ?, ?, ?)',
  );
  const select = db.prepare(
    `SELECT ${COLUMNS} FROM agents JOIN agent_versions USING (id) WHERE id = ? AND version = ?`,
  );
  const selectLatest = db.prepare(
    `SELECT ${COLUMNS} FROM agents JOIN agent_versions USING (id) WHERE id = ? AND version = latest`,
  );
  const archive = db.prepare('UPDATE agents SET archived_at = ? WHERE id = ? AND archived_at IS NULL');

  const read = (id: string, version?: number): AgentRecord | undefined => {
    const row = version === undefined ? selectLatest.get(id) : select.get(id, version);
    return row === undefined ? undefined : toAgent(row as Row);
  };
  const present = (id: string, version?: number): AgentRecord => {
    const record = read(id, version);
    if (record === undefined) throw new NotStoredError('agent', id);
    return record;
  };

  return {
    async put(id, version, data) {
      requireRoom(db);
      return write(db, () => {
        const row = latest.get(id);
        const next = row === undefined ? 1 : integer(row as Row, 'latest') + 1;
        if (version !== next) throw new VersionConflictError(id, version);
        const at = timestamp(now());
        if (version === 1) insertAgent.run(id, at);
        else advance.run(version, id);
        insertVersion.run(id, version, at, canonicalJson(data));
        return present(id, version);
      });
    },
    async get(id, version) {
      return read(id, version);
    },
    async list(request) {
      const where = new Where().and('version = latest');
      const sql = `SELECT ${COLUMNS} FROM agents JOIN agent_versions USING (id) ${creationOrder(request, where)}`;
      return db
        .prepare(sql)
        .all(...where.values, request.limit)
        .map((row) => toAgent(row as Row));
    },
    async versions(id, limit, beforeVersion) {
      return db
        .prepare(
          `SELECT ${COLUMNS} FROM agents JOIN agent_versions USING (id) WHERE id = ? AND version < ?
           ORDER BY version DESC LIMIT ?`,
        )
        .all(id, beforeVersion ?? Number.MAX_SAFE_INTEGER, limit)
        .map((row) => toAgent(row as Row));
    },
    async archive(id) {
      return write(db, () => {
        archive.run(timestamp(now()), id);
        return present(id);
      });
    },
  };
}
