import { maybe, timestamp, toEnvironment } from '../common/rows.ts';
import { creationOrder } from '../common/where.ts';
import { stored } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import type { EnvironmentRecord, EnvironmentRecords } from '../contract/records.ts';
import type { Database, Queries } from './database.ts';
import { lowerName } from './names.ts';
import { PostgresWhere } from './where.ts';

const COLUMNS = 'id, created_at, updated_at, archived_at, data';

export function createEnvironmentRecords(db: Database, now: () => number): EnvironmentRecords {
  const read = async (id: string, from: Queries = db): Promise<EnvironmentRecord | undefined> =>
    maybe(await from.get(`SELECT ${COLUMNS} FROM environments WHERE id = ?`, id), toEnvironment);
  const present = async (id: string): Promise<EnvironmentRecord> => stored(await read(id), 'environment', id);

  return {
    async insert(id, data) {
      const at = timestamp(now());
      await db.run(
        `INSERT INTO environments (id, created_at, updated_at, name, data) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO NOTHING`,
        id,
        at,
        at,
        lowerName(data),
        canonicalJson(data),
      );
      return present(id);
    },
    get: (id) => read(id),
    async update(id, before, after) {
      const changed = await db.transaction(
        (tx) =>
          tx.run(
            'UPDATE environments SET data = ?, name = ?, updated_at = ? WHERE id = ? AND data = ?',
            canonicalJson(after),
            lowerName(after),
            timestamp(now()),
            id,
            canonicalJson(before),
          ),
        { repeat: 'once' },
      );
      return changed > 0 ? present(id) : undefined;
    },
    async list(request) {
      const where = new PostgresWhere().named(request.search);
      const sql = `SELECT ${COLUMNS} FROM environments ${creationOrder(request, where)}`;
      return (await db.all(sql, ...where.values, request.limit)).map(toEnvironment);
    },
    async archive(id) {
      const at = timestamp(now());
      await db.run(
        'UPDATE environments SET archived_at = ?, updated_at = ? WHERE id = ? AND archived_at IS NULL',
        at,
        at,
        id,
      );
      return present(id);
    },
    async delete(id) {
      return (await db.run('DELETE FROM environments WHERE id = ?', id)) > 0;
    },
  };
}
