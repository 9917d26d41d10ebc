import { stored } from '../contract/errors.ts';
import type { Settings } from '../contract/settings.ts';
import { maybe, text } from '../common/rows.ts';
import type { Database } from './database.ts';

export function createSettings(db: Database): Settings {
  const read = async (name: string): Promise<string | undefined> =>
    maybe(await db.get('SELECT value FROM settings WHERE name = ?', name), (row) => text(row, 'value'));

  return {
    async getOrMake(name, make) {
      const known = await read(name);
      if (known !== undefined) return known;
      await db.run('INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING', name, make());
      return stored(await read(name), 'setting', name);
    },
    async replace(name, before, after) {
      const sql = 'UPDATE settings SET value = ? WHERE name = ? AND value = ?';
      // A repetition after a lost answer finds what it wrote.
      return (await db.run(sql, after, name, before)) > 0 || (await read(name)) === after;
    },
  };
}
