import type { Store } from '../contract/store.ts';
import { unlessDamagedPage } from './damaged-pages.ts';
import type { Connection } from './database.ts';
import { integer, text } from '../common/rows.ts';

export function createFigures(db: Connection): Store['figures'] {
  const sessions = db.prepare(
    'SELECT status, count(*) AS number FROM sessions WHERE deleting_at IS NULL AND archived_at IS NULL GROUP BY status',
  );
  const outbox = db.prepare('SELECT count(*) AS number FROM outbox');
  const oldest = db.prepare(
    'SELECT created_at FROM events WHERE position = (SELECT min(position) FROM outbox)',
  );
  return async () => {
    const counted = outbox.get();
    const first = oldest.get();
    return {
      // All of them would have to be read, and a damaged page of theirs must not hide the other figures.
      sessions: unlessDamagedPage(
        () => Object.fromEntries(sessions.all().map((row) => [text(row, 'status'), integer(row, 'number')])),
        () => ({}),
      ),
      outbox: {
        events: counted === undefined ? 0 : integer(counted, 'number'),
        oldest_at: first === undefined ? null : text(first, 'created_at'),
      },
    };
  };
}
