import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Row } from '../common/rows.ts';
import { placeOf } from '../postgres/address.ts';
import { MOVING } from '../postgres/moving.ts';
import { migrate } from '../postgres/migrate.ts';
import { clientOptions } from '../postgres/pool.ts';
import { storable } from '../postgres/storable.ts';
import { TransferRefusedError } from './errors.ts';
import { TRANSFERRED, type TransferredTable } from './tables.ts';

/** How many rows, and about how many characters, one statement writes. */
const ROWS = 1000;
const CHARACTERS = 4 * 1024 * 1024;
/** Those that are written otherwise and must be empty, too. */
const FURTHER_TABLES = ['sandboxes', 'objects'];
/** How long others may take to leave the database. */
const PATIENCE_MS = 5000;

/** A database that is being filled. */
export interface TransferTarget {
  readonly place: string;
  all(sql: string, values?: readonly unknown[]): Promise<readonly Row[]>;
  /** Writes rows and answers their number. */
  fill(table: TransferredTable, rows: Iterable<Row>, written: (rows: number) => void): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens an empty database for this installation alone, makes its tables, and marks it, so that no product starts on it
 * before all is there. What an earlier attempt of the same installation has left there is gone on with.
 * @throws {TransferRefusedError} where the database has records, or a product or another move is at it
 */
export async function openTransferTarget(url: string, installation: string): Promise<TransferTarget> {
  await migrate(url);
  const place = placeOf(url);
  const options = { ...clientOptions(url), application_name: 'steadyhand move' };
  // Copying takes the time that it takes.
  const unlimited = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
  const client = new pg.Client({ ...options, ...unlimited });
  client.on('error', () => undefined);
  await client.connect();
  // One statement at a time, whoever asks: they are of one transaction.
  let before: Promise<unknown> = Promise.resolve();
  const all = async (sql: string, values: readonly unknown[] = []): Promise<readonly Row[]> => {
    const answer = before.catch(() => undefined).then(() => client.query<Row>(sql, [...values]));
    before = answer;
    return (await answer).rows;
  };
  try {
    await requireUnused(all, place);
    await requireEmpty(all, place, await markedFor(all, place));
    await all(
      `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
      [MOVING, installation],
    );
  } catch (error) {
    await client.end();
    throw error;
  }

  async function markedFor(from: typeof all, where: string): Promise<boolean> {
    const [mark] = await from('SELECT value FROM settings WHERE name = $1', [MOVING]);
    if (mark !== undefined && mark['value'] !== installation)
      throw new TransferRefusedError(`${where} holds an unfinished move of another installation`);
    return mark !== undefined;
  }

  return {
    place,
    all,
    async fill(table, rows, written) {
      let count = 0;
      for (const lot of lots(table, rows)) {
        await all(insertOf(table), lot.columns);
        count += lot.rows;
        written(count);
      }
      return count;
    },
    close: () => client.end(),
  };
}

type Query = TransferTarget['all'];

/** The server may take a moment to notice that a killed process is gone. */
async function requireUnused(all: Query, place: string): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ;) {
    const reason = await useOf(all);
    if (reason === undefined) return;
    if (Date.now() > deadline) throw new TransferRefusedError(`${place} is in use: ${reason}`);
    await sleep(200);
  }
}

async function useOf(all: Query): Promise<string | undefined> {
  const [lock] = await all(`SELECT pg_try_advisory_lock(hashtextextended('steadyhand/move', 0)) AS taken`);
  if (lock?.['taken'] !== true) return 'another move into it is under way';
  const [others] = await all(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'steadyhand'`,
  );
  return others?.['n'] === 0 ? undefined : 'a Steadyhand works with it; stop that one first';
}

/** Of an unfinished move only the rows of objects are there, because all others come at once. */
async function requireEmpty(all: Query, place: string, isMarked: boolean): Promise<void> {
  const names = [...TRANSFERRED.map(({ name }) => name), ...FURTHER_TABLES];
  for (const name of names) {
    if (isMarked && name === 'objects') continue;
    const [row] = await all(`SELECT EXISTS (SELECT 1 FROM ${name}) AS has`);
    if (row?.['has'] === true)
      throw new TransferRefusedError(`${place} is not empty, it has ${name}: a move needs an empty database`);
  }
}

function insertOf({ name, columns }: TransferredTable): string {
  const types = Object.values(columns).map((type, n) => `$${n + 1}::${type}[]`);
  return `INSERT INTO ${name} (${Object.keys(columns).join(', ')}) SELECT * FROM unnest(${types.join(', ')})`;
}

/** Rows by the lot, each as one list for each column. */
function* lots(
  { columns, derived }: TransferredTable,
  rows: Iterable<Row>,
): Generator<{ readonly columns: readonly unknown[][]; readonly rows: number }> {
  const names = Object.keys(columns);
  const begun = (): unknown[][] => names.map(() => []);
  let lists = begun();
  let count = 0;
  let characters = 0;
  for (const row of rows) {
    const whole = derived === undefined ? row : { ...row, ...derived(row) };
    names.forEach((name, n) => {
      const value = columns[name] === 'bytea' ? bytesOf(whole[name]) : storable(whole[name] ?? null);
      lists[n]?.push(value);
      characters += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
    });
    count += 1;
    if (count < ROWS && characters < CHARACTERS) continue;
    yield { columns: lists, rows: count };
    lists = begun();
    count = 0;
    characters = 0;
  }
  if (count > 0) yield { columns: lists, rows: count };
}

/** libsql answers bytes as a Buffer, or, row by row, as an ArrayBuffer, which pg does not know. */
function bytesOf(value: unknown): Buffer {
  return Buffer.from(value as ArrayBuffer);
}
