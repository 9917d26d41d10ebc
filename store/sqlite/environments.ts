import { stored } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import type { EnvironmentRecord, EnvironmentRecords } from '../contract/records.ts';
import { type Connection, requireRoom, write } from './database.ts';
import { maybe, timestamp, toEnvironment } from '../common/rows.ts';
import { creationOrder } from '../common/where.ts';
import { SqliteWhere } from './where.ts';

export function createEnvironmentRecords(db: Connection, now: () => number): EnvironmentRecords {
  const select = db.prepare('SELECT * FROM environments WHERE id = ?');
  const insert = db.prepare(
    'INSERT INTO environments (id, created_at, updated_at, data) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING',
  );
  const archive = db.prepare(
    'UPDATE environments SET archived_at = ?, updated_at = ? WHERE id = ? AND archived_at IS NULL',
  );
  const update = db.prepare('UPDATE environments SET data = ?, updated_at = ? WHERE id = ? AND data = ?');
  const remove = db.prepare('DELETE FROM environments WHERE id = ?');

  const read = (id: string): EnvironmentRecord | undefined => maybe(select.get(id), toEnvironment);
  const present = (id: string): EnvironmentRecord => stored(read(id), 'environment', id);

  return {
    async insert(id, data) {
      requireRoom(db);
      return write(db, () => {
        const at = timestamp(now());
        insert.run(id, at, at, canonicalJson(data));
        return present(id);
      });
    },
    async get(id) {
      return read(id);
    },
    async update(id, before, after) {
      return write(db, () => {
        const { changes } = update.run(canonicalJson(after), timestamp(now()), id, canonicalJson(before));
        return changes > 0 ? present(id) : undefined;
      });
    },
    async list(request) {
      const where = new SqliteWhere().named(request.search);
      return db
        .prepare(`SELECT * FROM environments ${creationOrder(request, where)}`)
        .all(...where.values, request.limit)
        .map(toEnvironment);
    },
    async archive(id) {
      return write(db, () => {
        const at = timestamp(now());
        archive.run(at, at, id);
        return present(id);
      });
    },
    async delete(id) {
      return write(db, () => remove.run(id).changes > 0);
    },
  };
}
