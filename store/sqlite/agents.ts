import { stored, VersionConflictError } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import type { AgentRecord, AgentRecords } from '../contract/records.ts';
import { type Connection, requireRoom, write } from './database.ts';
import { integer, maybe, timestamp, toAgent } from '../common/rows.ts';
import { creationOrder } from '../common/where.ts';
import { SqliteWhere } from './where.ts';

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

  const read = (id: string, version?: number): AgentRecord | undefined =>
    maybe(version === undefined ? selectLatest.get(id) : select.get(id, version), toAgent);
  const present = (id: string, version?: number): AgentRecord => stored(read(id, version), 'agent', id);

  return {
    async put(id, version, data) {
      requireRoom(db);
      return write(db, () => {
        const next = (maybe(latest.get(id), (row) => integer(row, 'latest')) ?? 0) + 1;
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
      const where = new SqliteWhere().and('version = latest').named(request.search);
      const sql = `SELECT ${COLUMNS} FROM agents JOIN agent_versions USING (id) ${creationOrder(request, where)}`;
      return db
        .prepare(sql)
        .all(...where.values, request.limit)
        .map(toAgent);
    },
    async versions(id, limit, beforeVersion) {
      return db
        .prepare(
          `SELECT ${COLUMNS} FROM agents JOIN agent_versions USING (id) WHERE id = ? AND version < ?
           ORDER BY version DESC LIMIT ?`,
        )
        .all(id, beforeVersion ?? Number.MAX_SAFE_INTEGER, limit)
        .map(toAgent);
    },
    async archive(id) {
      return write(db, () => {
        archive.run(timestamp(now()), id);
        return present(id);
      });
    },
  };
}
