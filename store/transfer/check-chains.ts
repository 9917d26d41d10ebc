import { ChainWalks, EVENTS_PER_PIECE } from '../common/chain-walk.ts';
import { type Row, text, toSession } from '../common/rows.ts';
import { CorruptError, stored } from '../contract/errors.ts';
import type { Verification } from '../contract/events.ts';
import { EVENT_COLUMNS, SESSION_COLUMNS } from '../postgres/event-columns.ts';
import { TransferFailedError } from './errors.ts';
import type { TransferSource } from './source.ts';
import type { TransferTarget } from './target.ts';

/** How many chains are walked side by side, so that the database works on one while another is hashed. */
const AT_ONCE = 4;

type Read = (sql: string, values: readonly unknown[]) => Promise<readonly Row[]> | readonly Row[];

/**
 * Walks the hash chain of every session that was copied.
 * @returns the sessions that were damaged already where they come from
 * @throws {TransferFailedError} for a chain that was whole there
 */
export async function checkChains(
  source: TransferSource,
  target: TransferTarget,
  checked: (sessions: number) => void,
): Promise<readonly string[]> {
  const there = walks('$1', '$2', (sql, values) => target.all(sql, values));
  const here = walks('?', '?', (sql, values) => [...source.rows(sql, ...values)]);
  const sessions = [...source.rows('SELECT id FROM sessions WHERE deleting_at IS NULL ORDER BY id')].map(
    (row) => text(row, 'id'),
  );
  const damaged: string[] = [];
  let done = 0;
  const check = async (session: string): Promise<void> => {
    const found = await walked(there, session);
    if (!found.ok) {
      const before = await walked(here, session);
      if (before.ok)
        throw new TransferFailedError(
          `${session} was copied wrongly, from event ${found.broken_at}: ${found.reason}`,
        );
      damaged.push(session);
    }
    checked((done += 1));
  };
  const worker = async (): Promise<void> => {
    for (let next = sessions.pop(); next !== undefined; next = sessions.pop()) await check(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return damaged.toSorted();
}

function walks(first: string, second: string, read: Read): ChainWalks {
  return new ChainWalks(async (session, after) => {
    const [row] = await read(`SELECT ${SESSION_COLUMNS} FROM sessions WHERE id = ${first}`, [session]);
    const rows = await read(
      `SELECT ${EVENT_COLUMNS} FROM events WHERE session = ${first} AND seq > ${second} ORDER BY seq LIMIT ${EVENTS_PER_PIECE}`,
      [session, after],
    );
    return { record: toSession(stored(row, 'session', session)), rows };
  });
}

async function walked(chains: ChainWalks, session: string): Promise<Verification> {
  try {
    return await chains.whole(session);
  } catch (error) {
    if (!(error instanceof CorruptError)) throw error;
    return { ok: false, broken_at: 0, reason: error.message };
  }
}
