import { stored } from '../contract/errors.ts';
import type { Settings } from '../contract/settings.ts';
import { maybe, text } from '../common/rows.ts';
import { type Connection, write } from './database.ts';

export function createSettings(db: Connection): Settings {
  const select = db.prepare('SELECT value FROM settings WHERE name = ?');
  const insert = db.prepare('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const update = db.prepare('UPDATE settings SET value = ? WHERE name = ? AND value = ?');

  const read = (name: string): string | undefined => maybe(select.get(name), (row) => text(row, 'value'));

  return {
    async getOrMake(name, make) {
      return (
        read(name) ??
        write(db, () => {
          if (read(name) === undefined) insert.run(name, make());
          return stored(read(name), 'setting', name);
        })
      );
    },
    replace: async (name, before, after) => write(db, () => update.run(after, name, before).changes > 0),
  };
}
