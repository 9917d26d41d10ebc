import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Row } from '../common/rows.ts';
import { codeOf } from '../disk/faults.ts';
import { placeOf } from './address.ts';
import { isAway, isUndone, unavailable } from './faults.ts';
import { createPool } from './pool.ts';
import { storable } from './storable.ts';

/** `?` stands for the values, in their order. */
export interface Queries {
  all(sql: string, ...values: readonly unknown[]): Promise<readonly Row[]>;
  get(sql: string, ...values: readonly unknown[]): Promise<Row | undefined>;
  /** Answers the number of rows that were changed. */
  run(sql: string, ...values: readonly unknown[]): Promise<number>;
}

export interface Transaction extends Queries {
  /** Sends a write for whose answer only the commit waits. */
  later(sql: string, ...values: readonly unknown[]): void;
}

/**
 * How often a transaction may be performed:
 * - `again`: as often as it takes, because its repetition finds what it did before, by a key.
 * - `once`: it is repeated only where it certainly did nothing.
 */
type Repeat = 'again' | 'once';

interface TransactionOptions {
  /** Default `again`. */
  readonly repeat?: Repeat;
  /** All of its reads see the same state, and it writes nothing. */
  readonly snapshot?: boolean;
}

/**
 * PostgreSQL behind a pool of connections. Single statements are taken to be repeatable, as `again` says.
 * All methods throw StoreUnavailableError when the server stays away for longer than the patience.
 */
export interface Database extends Queries {
  /** The address without user and password. */
  readonly place: string;
  transaction<T>(body: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** Performs the work unless another process does; false when it does. `name` is the lock's name. */
  alone(name: string, work: () => Promise<void>): Promise<boolean>;
  close(): Promise<void>;
}

const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
/** A transaction that others keep undoing is given up. */
const MOST_UNDONE = 20;

export function openDatabase(
  url: string,
  { patienceMs = 10_000 }: { readonly patienceMs?: number } = {},
): Database {
  const pool = createPool(url);
  const place = placeOf(url);
  let isClosed = false;

  /** Works on a connection. One that has failed in any way but by a refused statement is not used again. */
  const withClient = async <T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> => {
    const client = await pool.connect().catch((error: unknown) => {
      throw new NotSentError(error);
    });
    let failure: Error | undefined;
    try {
      return await work(client);
    } catch (error) {
      if (isAway(error)) failure = new Error('lost');
      throw error;
    } finally {
      client.release(failure);
    }
  };

  const patiently = async <T>(repeat: Repeat, work: () => Promise<T>): Promise<T> => {
    const deadline = Date.now() + patienceMs;
    for (let pause = FIRST_PAUSE_MS, undone = 0; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      try {
        return await work();
      } catch (caught) {
        const isUnsent = caught instanceof NotSentError;
        const error = isUnsent ? caught.cause : caught;
        if (isUndone(error) && (undone += 1) <= MOST_UNDONE) {
          await sleep(pause * Math.random());
          continue;
        }
        if (!isAway(error)) throw error;
        if (isClosed || Date.now() > deadline || (repeat === 'once' && !isUnsent))
          throw unavailable(place, error);
        await sleep(pause * (0.5 + Math.random() / 2));
      }
    }
  };

  const single = (sql: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> =>
    patiently('again', () => withClient((client) => send(client, sql, values)));

  return {
    place,
    async all(sql, ...values) {
      return (await single(sql, values)).rows;
    },
    async get(sql, ...values) {
      return (await single(sql, values)).rows[0];
    },
    async run(sql, ...values) {
      return (await single(sql, values)).rowCount ?? 0;
    },
    transaction: (body, { repeat = 'again', snapshot = false } = {}) =>
      patiently(repeat, () => withClient((client) => transact(client, body, snapshot))),
    async alone(name, work) {
      return patiently('once', () =>
        withClient(async (client) => {
          // The lock goes with the connection, so a process that dies holds it no longer.
          const taken = 'SELECT pg_try_advisory_lock(hashtextextended(?, 0)) AS taken';
          if ((await send(client, taken, [`steadyhand/${name}`])).rows[0]?.['taken'] !== true) return false;
          try {
            await work();
          } finally {
            await send(client, 'SELECT pg_advisory_unlock(hashtextextended(?, 0))', [
              `steadyhand/${name}`,
            ]).catch(() => undefined);
          }
          return true;
        }),
      );
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      await pool.end();
    },
  };
}

/** No connection was made, so that certainly nothing was done. */
class NotSentError extends Error {
  override readonly name = 'NotSentError';

  constructor(cause: unknown) {
    super('not sent', { cause });
  }
}

const IN_FAILED_TRANSACTION = '25P02';

async function transact<T>(
  client: pg.PoolClient,
  body: (tx: Transaction) => Promise<T>,
  snapshot: boolean,
): Promise<T> {
  const unanswered: Promise<unknown>[] = [];
  /** A failure is thrown where it is awaited, and by the commit; where the body does not come to await it, it is no unhandled one. */
  const noted = <P extends Promise<unknown>>(answer: P): P => {
    answer.catch(() => undefined);
    unanswered.push(answer);
    return answer;
  };
  const sent = <T>(
    sql: string,
    values: readonly unknown[],
    part: (result: pg.QueryResult<Row>) => T,
  ): Promise<T> => noted(send(client, sql, values).then(part));
  void noted(client.query(snapshot ? 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' : 'BEGIN'));
  let result: T;
  try {
    result = await body({
      all: (sql, ...values) => sent(sql, values, ({ rows }) => rows),
      get: (sql, ...values) => sent(sql, values, ({ rows }) => rows[0]),
      run: (sql, ...values) => sent(sql, values, ({ rowCount }) => rowCount ?? 0),
      later: (sql, ...values) => void noted(send(client, sql, values)),
    });
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    // What came after a failed statement only says that the transaction has failed.
    if (codeOf(error) === IN_FAILED_TRANSACTION) await Promise.all(unanswered);
    throw error;
  }
  // After a failed statement the server answers the commit with a rollback; that statement's error is the one to tell.
  const commit = noted(client.query('COMMIT'));
  await Promise.all(unanswered);
  const { command } = await commit;
  if (command !== 'COMMIT') throw new Error(`the transaction was not committed: ${command}`);
  return result;
}

function send(client: pg.PoolClient, sql: string, values: readonly unknown[]): Promise<pg.QueryResult<Row>> {
  return client.query<Row>({ ...prepared(sql), values: values.map(storable) });
}

const statements = new Map<string, { readonly name: string; readonly text: string }>();

/** A statement with PostgreSQL's placeholders, under a name by which the server keeps its plan. */
function prepared(sql: string): { readonly name: string; readonly text: string } {
  const known = statements.get(sql);
  if (known !== undefined) return known;
  let number = 0;
  const text = sql.replaceAll('?', () => `$${(number += 1)}`);
  const made = { name: createHash('sha256').update(text).digest('base64url').slice(0, 32), text };
  statements.set(sql, made);
  return made;
}
