import { broken, ChainWalks, EVENTS_PER_PIECE } from '../common/chain-walk.ts';
import { integer, maybe, text, timestamp } from '../common/rows.ts';
import { CorruptError } from '../contract/errors.ts';
import type { EventLog, SessionRecord, Verification } from '../contract/events.ts';
import { isDamagedPage, unlessDamagedPage } from './damaged-pages.ts';
import { type Connection, write } from './database.ts';

/** The part of the event log that checks its hash chains. */
export function createChainChecks(
  db: Connection,
  { sessionOf, now }: { readonly sessionOf: (id: string) => SessionRecord; readonly now: () => number },
): Pick<EventLog, 'verify' | 'verifyNew' | 'leastChecked' | 'broken'> {
  const page = db.prepare(
    `SELECT * FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ${EVENTS_PER_PIECE}`,
  );
  const keep = db.prepare(
    `INSERT INTO session_checks (session, checked_at, broken_at, reason) VALUES (?, ?, ?, ?)
     ON CONFLICT (session) DO UPDATE SET
       checked_at = excluded.checked_at, broken_at = excluded.broken_at, reason = excluded.reason`,
  );
  const exists = db.prepare('SELECT 1 FROM sessions WHERE id = ? AND deleting_at IS NULL');
  const unchecked = db.prepare(
    `SELECT id FROM sessions WHERE deleting_at IS NULL AND id NOT IN (SELECT session FROM session_checks)
     ORDER BY created_at LIMIT 1`,
  );
  const longAgo = db.prepare(
    `SELECT session AS id FROM session_checks JOIN sessions ON sessions.id = session
     WHERE checked_at < ? AND deleting_at IS NULL ORDER BY checked_at LIMIT 1`,
  );
  const marked = db.prepare(
    'SELECT session, broken_at, reason FROM session_checks WHERE reason IS NOT NULL ORDER BY session',
  );
  // By the index, which has the ids of all sessions: no page of their records is read.
  const due = db.prepare(
    `SELECT each.id FROM sessions AS each INDEXED BY sessions_by_creation
     LEFT JOIN session_checks AS last ON last.session = each.id
     WHERE last.checked_at IS NULL OR last.checked_at < ? ORDER BY last.checked_at, each.created_at`,
  );

  const walks = new ChainWalks((session, after) =>
    db.transaction(() => ({ record: sessionOf(session), rows: page.all(session, after) }))(),
  );

  /** Whether the session is there and not to be deleted. One whose page is damaged is there. */
  const isThere = (session: string): boolean =>
    unlessDamagedPage(
      () => exists.get(session) !== undefined,
      () => true,
    );

  const note = (session: string, found: Verification): void => {
    walks.note(session, found);
    const [at, reason] = found.ok ? [null, null] : [found.broken_at, found.reason];
    try {
      // A damaged page that is met in the transaction would end it.
      if (isThere(session)) write(db, () => keep.run(session, timestamp(now()), at, reason));
    } catch {
      // The finding is answered all the same; the guard has noted the failure.
    }
  };

  const verify = async (session: string): Promise<Verification> => {
    let found: Verification;
    try {
      found = await walks.whole(session);
    } catch (error) {
      // The damaged page of the file belongs to this session.
      if (!(error instanceof CorruptError) && !isDamagedPage(error)) throw error;
      found = broken(0, error instanceof Error ? error.message : String(error));
    }
    note(session, found);
    return found;
  };

  return {
    verify,
    async verifyNew(session) {
      const found = await walks.news(session);
      if (found === undefined) return verify(session);
      if (found.ok) walks.note(session, found);
      else note(session, found);
      return found;
    },
    async leastChecked(before) {
      return unlessDamagedPage(
        () => maybe(unchecked.get() ?? longAgo.get(before), (row) => text(row, 'id')),
        () =>
          due
            .all(before)
            .map((row) => text(row, 'id'))
            .find(isThere),
      );
    },
    async broken() {
      return marked
        .all()
        .filter((row) => isThere(text(row, 'session')))
        .map((row) => ({
          id: text(row, 'session'),
          broken_at: integer(row, 'broken_at'),
          reason: text(row, 'reason'),
        }));
    },
  };
}
