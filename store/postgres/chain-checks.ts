import { broken, ChainWalks, EVENTS_PER_PIECE } from '../common/chain-walk.ts';
import { integer, maybe, text, timestamp, toSession } from '../common/rows.ts';
import { CorruptError, stored } from '../contract/errors.ts';
import type { EventLog, Verification } from '../contract/events.ts';
import { codeOf } from '../disk/faults.ts';
import type { Database } from './database.ts';
import { EVENT_COLUMNS, SESSION_COLUMNS } from './event-columns.ts';

/** A process that has taken a session to check it has that long for it. */
const CLAIM = "now() + interval '10 minutes'";
/** SQLSTATEs of a damaged page or index. */
const DAMAGED = /^XX00[12]$/;

/** The part of the event log that checks its hash chains. */
export function createChainChecks(
  db: Database,
  now: () => number,
): Pick<EventLog, 'verify' | 'verifyNew' | 'leastChecked' | 'broken'> {
  const walks = new ChainWalks((session, after) =>
    db.transaction(
      async (tx) => {
        const [row, rows] = await Promise.all([
          tx.get(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ? AND deleting_at IS NULL`, session),
          tx.all(
            `SELECT ${EVENT_COLUMNS} FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ${EVENTS_PER_PIECE}`,
            session,
            after,
          ),
        ]);
        return { record: toSession(stored(row, 'session', session)), rows };
      },
      { snapshot: true },
    ),
  );

  const note = async (session: string, found: Verification): Promise<void> => {
    walks.note(session, found);
    const [at, reason] = found.ok ? [null, null] : [found.broken_at, found.reason];
    const written = db.run(
      `INSERT INTO session_checks (session, checked_at, broken_at, reason)
       SELECT id, ?, ?::integer, ? FROM sessions WHERE id = ? AND deleting_at IS NULL
       ON CONFLICT (session) DO UPDATE SET checked_at = excluded.checked_at, broken_at = excluded.broken_at,
         reason = excluded.reason, claimed_until = NULL`,
      timestamp(now()),
      at,
      reason,
      session,
    );
    // The finding is answered all the same.
    await written.catch(() => undefined);
  };

  const verify = async (session: string): Promise<Verification> => {
    let found: Verification;
    try {
      found = await walks.whole(session);
    } catch (error) {
      if (!(error instanceof CorruptError) && !DAMAGED.test(codeOf(error))) throw error;
      found = broken(0, error instanceof Error ? error.message : String(error));
    }
    await note(session, found);
    return found;
  };

  return {
    verify,
    async verifyNew(session) {
      const found = await walks.news(session);
      if (found === undefined) return verify(session);
      if (found.ok) walks.note(session, found);
      else await note(session, found);
      return found;
    },
    /** Takes the session for this process, so that several processes check different ones. */
    async leastChecked(before) {
      const taken = await db.get(
        `UPDATE session_checks SET claimed_until = ${CLAIM} WHERE session = (
           SELECT session FROM session_checks JOIN sessions ON sessions.id = session
           WHERE (checked_at < ? OR checked_at IS NULL) AND deleting_at IS NULL
             AND (claimed_until IS NULL OR claimed_until <= now())
           ORDER BY checked_at NULLS FIRST LIMIT 1 FOR UPDATE OF session_checks SKIP LOCKED
         ) RETURNING session`,
        before,
      );
      return maybe(taken, (row) => text(row, 'session'));
    },
    async broken() {
      const rows = await db.all(
        `SELECT session, broken_at, reason FROM session_checks JOIN sessions ON sessions.id = session
         WHERE reason IS NOT NULL AND deleting_at IS NULL ORDER BY session`,
      );
      return rows.map((row) => ({
        id: text(row, 'session'),
        broken_at: integer(row, 'broken_at'),
        reason: text(row, 'reason'),
      }));
    },
  };
}
