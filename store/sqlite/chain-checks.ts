import { setImmediate } from 'node:timers/promises';
import { CorruptError } from '../contract/errors.ts';
import { codeOf } from '../disk/faults.ts';
import type { EventLog, SessionRecord, Verification } from '../contract/events.ts';
import { eventId } from '../contract/ids.ts';
import { type Connection, write } from './database.ts';
import { hashEvent, NO_EVENTS } from './event-hash.ts';
import { integer, maybe, text, timestamp, toEvent, unlessCorrupt } from './rows.ts';

/** How many events are checked before other work runs. */
const EVENTS_PER_TRANSACTION = 50;
/** How many sessions' last intact places are remembered. */
const REMEMBERED = 20_000;

/** A place in a hash chain up to which it is intact. */
interface Place {
  readonly length: number;
  readonly head: string;
}

const START: Place = { length: 0, head: NO_EVENTS };

type Step = Verification | { readonly ok: 'so far'; readonly place: Place };

/** The part of the event log that checks its hash chains. */
export function createChainChecks(
  db: Connection,
  { sessionOf, now }: { readonly sessionOf: (id: string) => SessionRecord; readonly now: () => number },
): Pick<EventLog, 'verify' | 'verifyNew' | 'leastChecked' | 'broken'> {
  const page = db.prepare(
    `SELECT * FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ${EVENTS_PER_TRANSACTION}`,
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
    `SELECT session, broken_at, reason FROM session_checks JOIN sessions ON sessions.id = session
     WHERE reason IS NOT NULL AND deleting_at IS NULL ORDER BY session`,
  );
  const known = new Map<string, Place>();

  const remember = (session: string, place: Place): void => {
    // The sessions that were not asked for the longest stand first.
    known.delete(session);
    known.set(session, place);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? '');
  };

  /** Checks one piece, in one transaction, so that log and head belong together. */
  const step = (session: string, from: Place): Step =>
    db.transaction((): Step => {
      const record = sessionOf(session);
      let { length, head } = from;
      const rows = page.all(session, length);
      for (const row of rows) {
        const next = length + 1;
        const read = unlessCorrupt(() => toEvent(row));
        if (read === undefined) return broken(next, 'the event cannot be read');
        const { hash, ...event } = read;
        if (event.seq !== next) return broken(next, 'the event is missing');
        if (event.id !== eventId(event.session, event.key, event.index))
          return broken(next, 'the id is not its own');
        head = hashEvent(head, event);
        if (hash !== head) return broken(next, 'the hash does not match the content and the hash before it');
        length = next;
      }
      if (rows.length === EVENTS_PER_TRANSACTION) return { ok: 'so far', place: { length, head } };
      if (length === record.cursor && head === record.head) return { ok: true, length, head };
      return broken(length + 1, `the session says that its log ends at ${record.cursor}`);
    })();

  const walk = async (session: string, from: Place): Promise<Verification> => {
    for (let place = from; ;) {
      const found = step(session, place);
      if (found.ok !== 'so far') return found;
      place = found.place;
      await setImmediate();
    }
  };

  const note = (session: string, found: Verification): void => {
    if (found.ok) remember(session, found);
    else known.delete(session);
    const [at, reason] = found.ok ? [null, null] : [found.broken_at, found.reason];
    try {
      write(db, () => {
        if (exists.get(session) !== undefined) keep.run(session, timestamp(now()), at, reason);
      });
    } catch {
      // The finding is answered all the same; the guard has noted the failure.
    }
  };

  const verify = async (session: string): Promise<Verification> => {
    let found: Verification;
    try {
      found = await walk(session, START);
    } catch (error) {
      // The damaged page of the file belongs to this session.
      if (!(error instanceof CorruptError) && !codeOf(error).startsWith('SQLITE_CORRUPT')) throw error;
      found = broken(0, error instanceof Error ? error.message : String(error));
    }
    note(session, found);
    return found;
  };

  return {
    verify,
    async verifyNew(session) {
      const from = known.get(session);
      if (from === undefined) return verify(session);
      const found = await walk(session, from);
      if (found.ok) remember(session, found);
      else note(session, found);
      return found;
    },
    async leastChecked(before) {
      return maybe(unchecked.get() ?? longAgo.get(before), (row) => text(row, 'id'));
    },
    async broken() {
      return marked.all().map((row) => ({
        id: text(row, 'session'),
        broken_at: integer(row, 'broken_at'),
        reason: text(row, 'reason'),
      }));
    },
  };
}

function broken(seq: number, reason: string): Verification & { readonly ok: false } {
  return { ok: false, broken_at: seq, reason };
}
