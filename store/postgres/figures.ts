import { integer, text } from '../common/rows.ts';
import type { Store } from '../contract/store.ts';
import type { Database } from './database.ts';

export function createFigures(db: Database): Store['figures'] {
  return async () => {
    const [sessions, outbox] = await Promise.all([
      db.all(
        `SELECT status, count(*)::integer AS number FROM sessions
         WHERE deleting_at IS NULL AND archived_at IS NULL GROUP BY status`,
      ),
      db.get(
        `SELECT (SELECT count(*)::integer FROM outbox) AS number,
           (SELECT created_at FROM outbox JOIN events USING (session, seq) ORDER BY position LIMIT 1) AS oldest_at`,
      ),
    ]);
    return {
      sessions: Object.fromEntries(sessions.map((row) => [text(row, 'status'), integer(row, 'number')])),
      outbox: {
        events: outbox === undefined ? 0 : integer(outbox, 'number'),
        oldest_at: outbox === undefined || outbox['oldest_at'] === null ? null : text(outbox, 'oldest_at'),
      },
    };
  };
}
