import { integer, maybe, timestamp, toAgent } from '../common/rows.ts';
import { creationOrder } from '../common/where.ts';
import { stored, VersionConflictError } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import type { AgentRecord, AgentRecords } from '../contract/records.ts';
import type { Database } from './database.ts';
import { lowerName } from './names.ts';
import { PostgresWhere } from './where.ts';

const FROM =
  'SELECT id, version, created_at, updated_at, archived_at, data FROM agents JOIN agent_versions USING (id)';

export function createAgentRecords(db: Database, now: () => number): AgentRecords {
  const read = async (id: string, version?: number): Promise<AgentRecord | undefined> => {
    const row =
      version === undefined
        ? await db.get(`${FROM} WHERE id = ? AND version = latest`, id)
        : await db.get(`${FROM} WHERE id = ? AND version = ?::bigint`, id, version);
    return maybe(row, toAgent);
  };
  const present = async (id: string, version?: number): Promise<AgentRecord> =>
    stored(await read(id, version), 'agent', id);

  return {
    async put(id, version, data) {
      const at = timestamp(now());
      await db.transaction(
        async (tx) => {
          if (version === 1) {
            const made = await tx.run(
              'INSERT INTO agents (id, latest, created_at) VALUES (?, 1, ?) ON CONFLICT DO NOTHING',
              id,
              at,
            );
            if (made === 0) throw new VersionConflictError(id, version);
          } else {
            const row = await tx.get('SELECT latest FROM agents WHERE id = ? FOR UPDATE', id);
            const next = (maybe(row, (each) => integer(each, 'latest')) ?? 0) + 1;
            if (version !== next) throw new VersionConflictError(id, version);
            tx.later('UPDATE agents SET latest = ? WHERE id = ?', version, id);
          }
          tx.later(
            'INSERT INTO agent_versions (id, version, updated_at, name, data) VALUES (?, ?, ?, ?, ?)',
            id,
            version,
            at,
            lowerName(data),
            canonicalJson(data),
          );
        },
        { repeat: 'once' },
      );
      return present(id, version);
    },
    get: read,
    async list(request) {
      const where = new PostgresWhere().and('version = latest').named(request.search);
      const rows = await db.all(`${FROM} ${creationOrder(request, where)}`, ...where.values, request.limit);
      return rows.map(toAgent);
    },
    async versions(id, limit, beforeVersion) {
      const rows = await db.all(
        `${FROM} WHERE id = ? AND version < ?::bigint ORDER BY version DESC LIMIT ?`,
        id,
        beforeVersion ?? Number.MAX_SAFE_INTEGER,
        limit,
      );
      return rows.map(toAgent);
    },
    async archive(id) {
      await db.run(
        'UPDATE agents SET archived_at = ? WHERE id = ? AND archived_at IS NULL',
        timestamp(now()),
        id,
      );
      return present(id);
    },
  };
}
