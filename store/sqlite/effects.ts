import type { Begun, Effects } from '../contract/effects.ts';
import { NotStoredError } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import type { BlobUses } from './blob-uses.ts';
import { type Connection, requireRoom, write } from './database.ts';
import { json, text, timestamp } from '../common/rows.ts';

export function createEffects(db: Connection, uses: BlobUses, now: () => number): Effects {
  const select = db.prepare('SELECT * FROM effects WHERE scope = ? AND key = ?');
  const insert = db.prepare('INSERT INTO effects (scope, key, intent, begun_at) VALUES (?, ?, ?, ?)');
  const finish = db.prepare(
    'UPDATE effects SET outcome = ?, finished_at = ? WHERE scope = ? AND key = ? AND outcome IS NULL',
  );

  const read = (scope: string, key: string): Exclude<Begun, { state: 'begun' }> | undefined => {
    const row = select.get(scope, key);
    if (row === undefined) return undefined;
    const known = { intent: json(row, 'intent'), begun_at: text(row, 'begun_at') };
    return row['outcome'] === null
      ? { state: 'unknown', ...known }
      : { state: 'done', outcome: json(row, 'outcome'), ...known };
  };

  return {
    async begin(scope, key, intent = null) {
      requireRoom(db);
      return write(db, () => {
        const known = read(scope, key);
        if (known !== undefined) return known;
        insert.run(scope, key, canonicalJson(intent), timestamp(now()));
        return { state: 'begun' };
      });
    },
    async finish(scope, key, outcome) {
      return write(db, () => {
        const { changes } = finish.run(canonicalJson(outcome), timestamp(now()), scope, key);
        if (changes > 0) uses.addReferencesNow(scope, outcome);
        const known = read(scope, key);
        if (known?.state !== 'done') throw new NotStoredError('effect', `${scope}/${key}`);
        return known.outcome;
      });
    },
    async get(scope, key) {
      return read(scope, key);
    },
  };
}
