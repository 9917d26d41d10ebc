import pg from 'pg';

/** The most connections of one process for queries; one more listens. */
const MOST_CONNECTIONS = 10;
const CONNECT_MS = 5000;
/** The server ends a statement after this time, and a transaction whose process has stopped in the middle. */
const STATEMENT_MS = 30_000;
const IDLE_IN_TRANSACTION_MS = 10_000;
/** An answer that has not come by then does not come any more: the connection is given up. */
const ANSWER_MS = STATEMENT_MS + 5000;
const IDLE_MS = 60_000;
/** The time without a word after which both sides ask whether the other one is still there, every second or so. */
const SILENCE_S = 10;

const INT8 = 20;

/** Whole numbers come as numbers: all of the schema's are far below 2^53. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format ?? 'text') as (value: string) => unknown),
};

/** What every connection of the store is opened with; TLS is asked for in the URL (`?sslmode=verify-full`). */
export function clientOptions(url: string): pg.ClientConfig {
  const server = `-c tcp_keepalives_idle=${SILENCE_S} -c tcp_keepalives_interval=3 -c tcp_keepalives_count=3`;
  return {
    connectionString: url,
    application_name: 'steadyhand',
    statement_timeout: STATEMENT_MS,
    lock_timeout: STATEMENT_MS / 2,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENCE_S * 1000,
    options: server,
    types: TYPES,
  };
}

export function createPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    ...clientOptions(url),
    query_timeout: ANSWER_MS,
    max: MOST_CONNECTIONS,
    idleTimeoutMillis: IDLE_MS,
    // Statements are sent without waiting for the answers to those before them.
    pipeline: true,
  } as pg.PoolConfig);
  // Without a listener the loss of a connection would end the process; the queries under way report it. It may be lost with the very
  // packet that opens it, before whoever asked for it has it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // An idle connection was lost: the pool has dropped it, and the next query opens another one.
  pool.on('error', () => undefined);
  return pool;
}
