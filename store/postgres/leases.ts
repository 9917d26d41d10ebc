import { randomUUID } from 'node:crypto';
import type { Leases } from '../contract/leases.ts';
import type { Database } from './database.ts';

/** How often a process that has leases shows that it lives. */
const BEAT_MS = 500;
/** How long after a sign of life a process counts as alive: somewhat longer than Temporal waits for a heartbeat. */
const LEASE_MS = 3000;

const BEAT = `INSERT INTO lease_holders (id, seen_at) VALUES (?, now())
  ON CONFLICT (id) DO UPDATE SET seen_at = now()`;

/** Waits for another process that is taking the key at the moment. */
const TAKE_FREE = 'INSERT INTO leases (key, holder) VALUES (?, ?) ON CONFLICT DO NOTHING';
const HOLD = 'SELECT FROM leases WHERE key = ? FOR UPDATE';
/** A statement after the wait sees the sign of life that a process gave with taking the key. */
const TAKE_OVER = `UPDATE leases AS lease SET holder = ? WHERE key = ? AND (holder = ? OR NOT EXISTS (
  SELECT 1 FROM lease_holders AS other
  WHERE other.id = lease.holder AND other.seen_at > now() - ? * interval '1 millisecond'))`;

const FORGET_LEASES = `DELETE FROM leases WHERE holder NOT IN (
  SELECT id FROM lease_holders WHERE seen_at > now() - interval '1 minute')`;
const FORGET_HOLDERS = `DELETE FROM lease_holders WHERE seen_at < now() - interval '1 hour'`;

interface PostgresLeases extends Leases {
  /** Forgets processes that are gone. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A lease is a row, and a process shows by one row for all of its leases that it lives. Both tables are unlogged: they cost no flush to the
 * disk, and are empty after a crash of the database server.
 */
export function createLeases(db: Database): PostgresLeases {
  const self = randomUUID();
  const held = new Set<string>();
  let timer: NodeJS.Timeout | undefined;

  const beat = (): void => {
    // A beat that fails ends the leases in time, as it should.
    db.run(BEAT, self).catch(() => undefined);
  };
  const rest = (): void => {
    if (held.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };

  return {
    async take(key) {
      held.add(key);
      timer ??= setInterval(beat, BEAT_MS).unref();
      try {
        const taken = await db.transaction(async (tx) => {
          tx.later(BEAT, self);
          const made = tx.run(TAKE_FREE, key, self);
          tx.later(HOLD, key);
          const takenOver = tx.run(TAKE_OVER, self, key, self, LEASE_MS);
          return (await made) > 0 || (await takenOver) > 0;
        });
        if (!taken) held.delete(key);
        return taken;
      } catch (error) {
        held.delete(key);
        throw error;
      } finally {
        rest();
      }
    },
    async release(key) {
      if (!held.delete(key)) return;
      rest();
      await db.run('DELETE FROM leases WHERE key = ? AND holder = ?', key, self);
    },
    async sweep() {
      await db.run(FORGET_LEASES);
      await db.run(FORGET_HOLDERS);
    },
    async close() {
      clearInterval(timer);
      if (held.size > 0) await db.run('DELETE FROM leases WHERE holder = ?', self).catch(() => undefined);
      held.clear();
    },
  };
}
