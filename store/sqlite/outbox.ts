import type { EventLog, StoredEvent } from '../contract/events.ts';
import { integer, type Row, text, toEvent, unlessCorrupt } from '../common/rows.ts';
import { type Connection, write } from './database.ts';
import { SqliteWhere } from './where.ts';

interface Outbox extends Pick<
  EventLog,
  'undelivered' | 'claimUndelivered' | 'releaseClaims' | 'markDelivered'
> {
  /** Puts an event into the outbox, inside the transaction that appends it. */
  addNow(position: number, event: StoredEvent): void;
}

export function createOutbox(db: Connection, now: () => number): Outbox {
  const insert = db.prepare('INSERT INTO outbox (position, session, seq) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM outbox WHERE session = ? AND seq = ?');
  const due = db.prepare(
    `SELECT outbox.session, max(seq) AS up_to FROM outbox LEFT JOIN outbox_claims AS claim USING (session)
     WHERE (claim.until IS NULL OR claim.until <= ?) AND outbox.session = coalesce(?, outbox.session)
     GROUP BY outbox.session ORDER BY min(position) LIMIT ?`,
  );
  const claim = db.prepare(
    `INSERT INTO outbox_claims (session, until, up_to) VALUES (?, ?, ?)
     ON CONFLICT (session) DO UPDATE SET until = excluded.until, up_to = excluded.up_to`,
  );
  const release = db.prepare('DELETE FROM outbox_claims WHERE session = ?');
  const releaseDelivered = db.prepare(
    `DELETE FROM outbox_claims WHERE session = ? AND NOT EXISTS
       (SELECT 1 FROM outbox WHERE outbox.session = outbox_claims.session AND seq <= up_to)`,
  );
  const waiting = db.prepare(
    'SELECT events.* FROM outbox JOIN events USING (position) WHERE outbox.session = ? ORDER BY position',
  );

  /** An unreadable event must not hold back those of other sessions. */
  const readable = (rows: readonly Row[]): readonly StoredEvent[] =>
    rows.flatMap((row) => unlessCorrupt(() => toEvent(row)) ?? []);

  return {
    addNow(position, { session, seq }) {
      insert.run(position, session, seq);
    },
    async undelivered(session) {
      const where = new SqliteWhere().in('outbox.session', session === undefined ? undefined : [session]);
      const sql = `SELECT events.* FROM outbox JOIN events USING (position) ${where.sql} ORDER BY position`;
      return readable(db.prepare(sql).all(...where.values));
    },
    async claimUndelivered({ limit, leaseMs, session }) {
      if (due.all(now(), session ?? null, 1).length === 0) return [];
      return write(db, () =>
        due.all(now(), session ?? null, limit).flatMap((row) => {
          claim.run(text(row, 'session'), now() + leaseMs, integer(row, 'up_to'));
          return readable(waiting.all(text(row, 'session')));
        }),
      );
    },
    async releaseClaims(sessions) {
      write(db, () => sessions.forEach((session) => release.run(session)));
    },
    async markDelivered(events) {
      write(db, () => {
        events.forEach(({ session, seq }) => remove.run(session, seq));
        new Set(events.map(({ session }) => session)).forEach((session) => releaseDelivered.run(session));
      });
    },
  };
}
