import { integer, maybe, maybeText, object, type Row, text } from '../common/rows.ts';
import { canonicalJson } from '../contract/json.ts';
import type { SandboxMachine, SandboxPlacement, SandboxRecords, SandboxRow } from '../contract/sandboxes.ts';
import type { Database, Transaction } from './database.ts';

const SANDBOX = 'SELECT id, config, machine, held, number, deleted, lost, damage FROM sandboxes WHERE id = ?';
/** The server's clock counts, because every process asks about the same times. */
const MACHINE = `
  SELECT id, state, extract(epoch FROM seen_at) * 1000 AS seen,
    extract(epoch FROM clock_timestamp() - seen_at) * 1000 AS silent_ms
  FROM sandbox_machines`;
const WITHIN = `asked_at > clock_timestamp() - ?::float8 * interval '1 millisecond'`;

/** `sandbox_places` is the lock under which places are given, so that each is given once and in the line's order. */
export function createSandboxRecords(db: Database): SandboxRecords {
  return {
    async add(id, config) {
      await db.run(
        'INSERT INTO sandboxes (id, config) VALUES (?, ?) ON CONFLICT DO NOTHING',
        id,
        canonicalJson(config),
      );
    },
    async find(id) {
      return maybe(await db.get(SANDBOX, id), toSandbox);
    },
    async ids() {
      return (await db.all('SELECT id FROM sandboxes ORDER BY id')).map((row) => text(row, 'id'));
    },
    async markDeleted(id) {
      await db.run('UPDATE sandboxes SET deleted = true WHERE id = ?', id);
    },
    async remove(id) {
      // What belongs to it goes with it.
      await db.run('DELETE FROM sandboxes WHERE id = ?', id);
    },
    async noteDamage(id, damage) {
      await db.run(
        'UPDATE sandboxes SET damage = ? WHERE id = ? AND damage IS DISTINCT FROM ?',
        damage,
        id,
        damage,
      );
    },
    async markLost(id, number, reason) {
      const sql = 'UPDATE sandboxes SET lost = coalesce(lost, ?) WHERE id = ? AND number = ?';
      return (await db.run(sql, reason, id, number)) > 0;
    },
    async markInterrupted(id, key) {
      await db.run(
        `INSERT INTO sandbox_interrupts (sandbox, key) SELECT id, ? FROM sandboxes WHERE id = ? ON CONFLICT DO NOTHING`,
        key,
        id,
      );
    },
    async isInterrupted(id, key) {
      const sql = 'SELECT sandbox FROM sandbox_interrupts WHERE sandbox = ? AND key = ?';
      return (await db.get(sql, id, key)) !== undefined;
    },
    place: (id, before, placement) =>
      db.transaction((tx) => place(tx, id, before, placement), { repeat: 'once' }),
    takePlace: ({ sandbox, before, lineSilenceMs, awayMs, choose }) =>
      db.transaction(async (tx) => {
        await tx.get('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', 'steadyhand/sandbox_places');
        const found = maybe(await tx.get(SANDBOX, sandbox), toSandbox);
        if (found === undefined || found.deleted || (found.placement?.number ?? 0) !== before) {
          await leaveLine(tx, sandbox);
          return { type: 'changed' };
        }
        const ahead = await joinLine(tx, sandbox, lineSilenceMs);
        const machines = await tx.all(
          `SELECT state FROM sandbox_machines WHERE seen_at > clock_timestamp() - ?::float8 * interval '1 millisecond' ORDER BY id`,
          awayMs,
        );
        const states = machines.map((row) => object(row, 'state'));
        const machine = choose(states, await placed(tx, sandbox), ahead);
        if (machine === null) return { type: 'waiting', ahead };
        const placement = await place(tx, sandbox, before, { machine, held: false });
        await leaveLine(tx, sandbox);
        return placement === undefined ? { type: 'changed' } : { type: 'placed', placement };
      }),
    leaveLine: (sandbox) => leaveLine(db, sandbox),
    async waiting(lineSilenceMs) {
      return count(await db.get(`SELECT count(*) AS n FROM sandbox_line WHERE ${WITHIN}`, lineSilenceMs));
    },
    async lost() {
      return count(await db.get('SELECT count(*) AS n FROM sandboxes WHERE lost IS NOT NULL'));
    },
    async putMachine(id, state) {
      await db.run(
        `INSERT INTO sandbox_machines (id, state, seen_at) VALUES (?, ?, clock_timestamp())
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, seen_at = excluded.seen_at`,
        id,
        canonicalJson(state),
      );
    },
    async machine(id) {
      return maybe(await db.get(`${MACHINE} WHERE id = ?`, id), toMachine);
    },
    async machines() {
      return (await db.all(`${MACHINE} ORDER BY id`)).map(toMachine);
    },
    async removeMachine(id) {
      await db.run('DELETE FROM sandbox_machines WHERE id = ?', id);
    },
  };
}

async function place(
  tx: Transaction,
  id: string,
  before: number,
  { machine, held }: Omit<SandboxPlacement, 'number'>,
): Promise<SandboxPlacement | undefined> {
  const sql = 'UPDATE sandboxes SET machine = ?, held = ?, number = number + 1 WHERE id = ? AND number = ?';
  return (await tx.run(sql, machine, held, id, before)) > 0
    ? { machine, held, number: before + 1 }
    : undefined;
}

/** Joins the line or stays in it; answers how many are ahead. */
async function joinLine(tx: Transaction, sandbox: string, silenceMs: number): Promise<number> {
  await tx.run(
    `INSERT INTO sandbox_line (sandbox, asked_at) VALUES (?, clock_timestamp())
    ON CONFLICT (sandbox) DO UPDATE SET asked_at = excluded.asked_at`,
    sandbox,
  );
  const sql = `
    SELECT count(*) AS n FROM sandbox_line
    WHERE position < (SELECT position FROM sandbox_line WHERE sandbox = ?) AND ${WITHIN}`;
  return count(await tx.get(sql, sandbox, silenceMs));
}

async function leaveLine(db: Pick<Database, 'run'>, sandbox: string): Promise<void> {
  await db.run('DELETE FROM sandbox_line WHERE sandbox = ?', sandbox);
}

/** The sandboxes on each machine, but for one and those that are lost. */
async function placed(tx: Transaction, except: string): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const rows = await tx.all(
    'SELECT id, machine FROM sandboxes WHERE machine IS NOT NULL AND lost IS NULL AND id <> ?',
    except,
  );
  const by = new Map<string, Set<string>>();
  for (const row of rows) {
    const machine = text(row, 'machine');
    by.set(machine, (by.get(machine) ?? new Set()).add(text(row, 'id')));
  }
  return by;
}

function toSandbox(row: Row): SandboxRow {
  const machine = maybeText(row, 'machine');
  return {
    config: object(row, 'config'),
    placement:
      machine === null ? null : { machine, held: row['held'] === true, number: integer(row, 'number') },
    deleted: row['deleted'] === true,
    lost: maybeText(row, 'lost'),
    damage: maybeText(row, 'damage'),
  };
}

function toMachine(row: Row): SandboxMachine {
  return { state: object(row, 'state'), seen: Number(row['seen']), silentMs: Number(row['silent_ms']) };
}

function count(row: Row | undefined): number {
  return Number(row?.['n'] ?? 0);
}
