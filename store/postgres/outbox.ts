import type { EventLog, StoredEvent } from '../contract/events.ts';
import { text, toEvent, unlessCorrupt, type Row } from '../common/rows.ts';
import type { Database, Transaction } from './database.ts';
import { EVENT_COLUMNS } from './event-columns.ts';

interface Outbox extends Pick<
  EventLog,
  'undelivered' | 'claimUndelivered' | 'releaseClaims' | 'markDelivered'
> {
  /** Puts events into the outbox, inside the transaction that appends them. */
  add(tx: Transaction, session: string, events: readonly StoredEvent[]): void;
}

/**
 * The sessions whose events nobody delivers now. Rows that another process is claiming at the moment are passed over,
 * so that several processes take different sessions.
 */
const DUE = `
  SELECT session FROM outbox
  WHERE session = coalesce(?, session)
    AND NOT EXISTS (SELECT 1 FROM outbox_claims AS claim WHERE claim.session = outbox.session AND until > now())
  ORDER BY position LIMIT ? FOR UPDATE SKIP LOCKED`;

/** How many events are looked at for each session that is wanted. */
const EVENTS_PER_SESSION = 4;

export function createOutbox(db: Database): Outbox {
  /** An unreadable event must not hold back those of other sessions. */
  const readable = (rows: readonly Row[]): readonly StoredEvent[] =>
    rows.flatMap((row) => unlessCorrupt(() => toEvent(row)) ?? []);

  return {
    add(tx, session, events) {
      if (events.length === 0) return;
      tx.later(
        'INSERT INTO outbox (session, seq) SELECT ?, unnest(?::integer[])',
        session,
        events.map(({ seq }) => seq),
      );
    },
    async undelivered(session) {
      return readable(
        await db.all(
          `SELECT ${EVENT_COLUMNS} FROM outbox JOIN events USING (session, seq)
           WHERE session = coalesce(?, session) ORDER BY position`,
          session ?? null,
        ),
      );
    },
    async claimUndelivered({ limit, leaseMs, session }) {
      return db.transaction(async (tx) => {
        const due = await tx.all(DUE, session ?? null, limit * EVENTS_PER_SESSION);
        const sessions = [...new Set(due.map((row) => text(row, 'session')))].slice(0, limit).toSorted();
        if (sessions.length === 0) return [];
        // Two may take the same session at once by different events of it; the second one finds the claim of the first.
        const claimed = await tx.all(
          `INSERT INTO outbox_claims (session, until, up_to)
           SELECT session, now() + ? * interval '1 millisecond', max(seq) FROM outbox
           WHERE session = ANY(?) GROUP BY session ORDER BY session
           ON CONFLICT (session) DO UPDATE SET until = excluded.until, up_to = excluded.up_to
             WHERE outbox_claims.until <= now()
           RETURNING session`,
          leaseMs,
          sessions,
        );
        const rows = await tx.all(
          `SELECT ${EVENT_COLUMNS} FROM outbox JOIN events USING (session, seq)
           WHERE session = ANY(?) ORDER BY session, seq`,
          claimed.map((row) => text(row, 'session')),
        );
        return readable(rows);
      });
    },
    async releaseClaims(sessions) {
      if (sessions.length > 0) await db.run('DELETE FROM outbox_claims WHERE session = ANY(?)', sessions);
    },
    async markDelivered(events) {
      if (events.length === 0) return;
      await db.transaction(async (tx) => {
        tx.later(
          `DELETE FROM outbox USING unnest(?::text[], ?::integer[]) AS done (session, seq)
           WHERE outbox.session = done.session AND outbox.seq = done.seq`,
          events.map(({ session }) => session),
          events.map(({ seq }) => seq),
        );
        tx.later(
          `DELETE FROM outbox_claims AS claim WHERE session = ANY(?) AND NOT EXISTS
             (SELECT 1 FROM outbox WHERE outbox.session = claim.session AND seq <= up_to)`,
          [...new Set(events.map(({ session }) => session))],
        );
      });
    },
  };
}
