import { randomUUID } from 'node:crypto';
import { json, maybe, type Row, text, timestamp } from '../common/rows.ts';
import { referencedBlobs } from '../common/referenced-blobs.ts';
import type { Begun, Effects } from '../contract/effects.ts';
import { NotStoredError } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import { addReferences } from './blob-uses.ts';
import type { Database } from './database.ts';

const SELECT =
  'SELECT scope, key, intent, outcome, begun_at, attempt FROM effects WHERE scope = ? AND key = ?';

export function createEffects(db: Database, now: () => number): Effects {
  return {
    async begin(scope, key, intent = null) {
      // A repetition after a lost answer knows by the attempt that the intent is its own.
      const attempt = randomUUID();
      const row = await db.transaction(async (tx) => {
        tx.later(
          `INSERT INTO effects (scope, key, intent, begun_at, attempt) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          scope,
          key,
          canonicalJson(intent),
          timestamp(now()),
          attempt,
        );
        return tx.get(SELECT, scope, key);
      });
      if (row === undefined) throw new NotStoredError('effect', `${scope}/${key}`);
      return text(row, 'attempt') === attempt ? { state: 'begun' } : toKnown(row);
    },
    async finish(scope, key, outcome) {
      return db.transaction(async (tx) => {
        const changed = await tx.run(
          'UPDATE effects SET outcome = ?, finished_at = ? WHERE scope = ? AND key = ? AND outcome IS NULL',
          canonicalJson(outcome),
          timestamp(now()),
          scope,
          key,
        );
        if (changed > 0) await addReferences(tx, scope, referencedBlobs(outcome));
        const known = maybe(await tx.get(SELECT, scope, key), toKnown);
        if (known?.state !== 'done') throw new NotStoredError('effect', `${scope}/${key}`);
        return known.outcome;
      });
    },
    async get(scope, key) {
      return maybe(await db.get(SELECT, scope, key), toKnown);
    },
  };
}

function toKnown(row: Row): Exclude<Begun, { state: 'begun' }> {
  const known = { intent: json(row, 'intent'), begun_at: text(row, 'begun_at') };
  return row['outcome'] === null
    ? { state: 'unknown', ...known }
    : { state: 'done', outcome: json(row, 'outcome'), ...known };
}
