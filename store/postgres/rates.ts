import { randomUUID } from 'node:crypto';
import { type RateRequest, type Rates, type RateState, STREAM_LEASE_MS } from '../contract/rates.ts';
import type { Row } from '../common/rows.ts';
import type { Database } from './database.ts';

/** What rounding may take off a level. It is allowed for, so that a wait that was told is long enough. */
const ROUNDING = '1e-9::float8';

const MAKE = 'INSERT INTO rate_levels (key) VALUES (?) ON CONFLICT DO NOTHING';

/** A level as it is now: refilled since the last time, less what was used meanwhile. Null where there is no limit. */
const level = (name: string): string => `
  least(most_${name}, least(most_${name},
    coalesce(held.${name}, most_${name}) + greatest(0, ms - coalesce(held.at, ms)) * most_${name} / 60000
  ) - used_${name}) AS ${name}`;

const enough = (name: string): string => `coalesce(now.${name} + ${ROUNDING} >= need_${name}, true)`;

/** One statement, under the row's lock: nothing that another process does comes in between. */
const TAKE = `
  WITH asked AS (
    SELECT ?::text AS key, ?::text AS holder,
      ?::float8 AS most_requests, ?::float8 AS most_input, ?::float8 AS most_output,
      ?::float8 AS used_requests, ?::float8 AS used_input, ?::float8 AS used_output,
      ?::boolean AS asks,
      ?::float8 AS need_requests, ?::float8 AS need_input, ?::float8 AS need_output,
      ?::float8 AS take_requests, ?::float8 AS take_input, ?::float8 AS take_output,
      ?::integer AS open, ?::integer AS more, ?::integer AS most_streams
  ), held AS MATERIALIZED (
    SELECT levels.* FROM rate_levels AS levels, asked WHERE levels.key = asked.key FOR UPDATE OF levels
  ), timed AS MATERIALIZED (
    SELECT held.*, extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms FROM held
  ), now AS MATERIALIZED (
    SELECT ms, ${['requests', 'input', 'output'].map(level).join(',')},
      (
        SELECT coalesce(jsonb_object_agg(entry.key, entry.value), '{}') FROM jsonb_each(held.streams) AS entry
        WHERE entry.key <> holder AND (entry.value->>'until')::float8 > ms
      ) AS others
    FROM timed AS held, asked
  ), counted AS MATERIALIZED (
    SELECT now.*, (
      SELECT coalesce(sum((entry.value->>'open')::integer), 0)::integer FROM jsonb_each(others) AS entry
    ) AS elsewhere FROM now
  ), judged AS MATERIALIZED (
    SELECT now.*, (
      asks AND ${['requests', 'input', 'output'].map(enough).join(' AND ')}
      AND (more = 0 OR coalesce(elsewhere + open + more <= most_streams, true))
    ) AS admitted FROM counted AS now, asked
  )
  UPDATE rate_levels AS levels SET
    requests = judged.requests - CASE WHEN admitted THEN take_requests ELSE 0 END,
    input = judged.input - CASE WHEN admitted THEN take_input ELSE 0 END,
    output = judged.output - CASE WHEN admitted THEN take_output ELSE 0 END,
    at = ms,
    streams = others || CASE WHEN open + CASE WHEN admitted THEN more ELSE 0 END > 0
      THEN jsonb_build_object(holder, jsonb_build_object(
        'open', open + CASE WHEN admitted THEN more ELSE 0 END, 'until', ms + ${STREAM_LEASE_MS}))
      ELSE '{}' END
  FROM judged, asked WHERE levels.key = asked.key
  RETURNING admitted, elsewhere, levels.requests, levels.input, levels.output`;

/**
 * The levels of a key are one row, by the database's clock. The table is unlogged: it costs no flush to the disk, and after a crash of the
 * database server all levels are full.
 */
export function createRates(db: Database): Rates & { sweep(): Promise<void> } {
  const self = randomUUID();
  const made = new Set<string>();

  const take = async (request: RateRequest): Promise<RateState> => {
    if (!made.has(request.key)) await db.run(MAKE, request.key);
    made.add(request.key);
    const row = await db.get(TAKE, ...valuesOf(request, self));
    if (row !== undefined) return stateOf(row);
    made.delete(request.key);
    return take(request);
  };

  return {
    take,
    async sweep() {
      // Who comes again finds full levels, as after this time in any case.
      const aDayAgo = Date.now() - 24 * 60 * 60 * 1000;
      await db.run('DELETE FROM rate_levels WHERE at < ?', aDayAgo);
    },
  };
}

function valuesOf({ key, limits, used, ask, streams }: RateRequest, holder: string): readonly unknown[] {
  const { need, take } = ask ?? { need: used, take: used };
  return [
    key,
    holder,
    ...[limits.requests, limits.inputTokens, limits.outputTokens].map((most) => most ?? null),
    used.requests,
    used.inputTokens,
    used.outputTokens,
    ask !== undefined,
    need.requests,
    need.inputTokens,
    need.outputTokens,
    take.requests,
    take.inputTokens,
    take.outputTokens,
    streams.open,
    ask?.stream === true ? 1 : 0,
    streams.limit ?? null,
  ];
}

function stateOf(row: Row): RateState {
  return {
    admitted: row['admitted'] === true,
    levels: {
      requests: Number(row['requests'] ?? 0),
      inputTokens: Number(row['input'] ?? 0),
      outputTokens: Number(row['output'] ?? 0),
    },
    elsewhere: Number(row['elsewhere']),
  };
}
