import {
  BATCH_COLUMNS,
  batchListing,
  LEFTOVER_AGE_MS,
  resultCounts,
  toBatch,
  toLine,
  toRequest,
  toRequestLine,
  VISIBLE,
} from '../common/batch-rows.ts';
import { maybe, maybeText, type Row, text, timestamp } from '../common/rows.ts';
import type { BatchOutcome, BatchRecord, BatchRecords } from '../contract/batches.ts';
import { NotStoredError, stored } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import type { Database, Queries } from './database.ts';
import { removeRows } from './sessions.ts';

const REQUESTS = `FROM batch_requests LEFT JOIN batch_results USING (batch, position)
  WHERE batch = ? AND position > ?::bigint`;

export function createBatchRecords(db: Database, now: () => number): BatchRecords {
  const rowOf = (from: Queries, id: string, lock = ''): Promise<Row | undefined> =>
    from.get(`SELECT ${BATCH_COLUMNS} FROM batches WHERE id = ? AND ${VISIBLE} ${lock}`, id);
  const read = async (id: string): Promise<BatchRecord | undefined> => maybe(await rowOf(db, id), toBatch);
  const present = async (id: string): Promise<BatchRecord> => stored(await read(id), 'message batch', id);
  const countResults = (from: Queries, id: string): Promise<readonly Row[]> =>
    from.all('SELECT type, count(*) AS count FROM batch_results WHERE batch = ? GROUP BY type', id);

  const removeAll = async (id: string): Promise<void> => {
    await removeRows(db, 'batch_results', 'batch', id);
    await removeRows(db, 'batch_requests', 'batch', id);
    await db.run('DELETE FROM batches WHERE id = ?', id);
  };

  return {
    async begin(id) {
      const at = timestamp(now());
      await db.run(
        `INSERT INTO batches (id, status, requests, created_at, expires_at, data)
         VALUES (?, 'incoming', 0, ?, ?, '{}')`,
        id,
        at,
        at,
      );
    },
    async add(id, requests) {
      await db.transaction(
        async (tx) => {
          const found = await tx.run(
            "UPDATE batches SET requests = requests + ? WHERE id = ? AND status = 'incoming'",
            requests.length,
            id,
          );
          if (found === 0) throw new NotStoredError('message batch', id);
          for (const { position, custom_id, params } of requests) {
            tx.later(
              'INSERT INTO batch_requests (batch, position, custom_id, params) VALUES (?, ?, ?, ?)',
              id,
              position,
              custom_id,
              Buffer.from(params.buffer, params.byteOffset, params.byteLength),
            );
          }
        },
        { repeat: 'once' },
      );
    },
    async accept(id, { lifetimeMs, data }) {
      const at = now();
      await db.run(
        `UPDATE batches SET status = 'in_progress', created_at = ?, expires_at = ?, data = ?
         WHERE id = ? AND status = 'incoming'`,
        timestamp(at),
        timestamp(at + lifetimeMs),
        canonicalJson(data),
        id,
      );
      return present(id);
    },
    get: read,
    async list(request) {
      const { sql, values, backwards } = batchListing(request);
      const rows = await db.all(sql, ...values, request.limit + 1);
      const page = rows.slice(0, request.limit).map(toBatch);
      return { batches: backwards ? page.toReversed() : page, more: rows.length > request.limit };
    },
    async unfinished() {
      const rows = await db.all(
        "SELECT id FROM batches WHERE status IN ('in_progress', 'canceling') ORDER BY id",
      );
      return rows.map((row) => text(row, 'id'));
    },
    async cancel(id) {
      await db.run(
        `UPDATE batches SET status = 'canceling', cancel_initiated_at = ? WHERE id = ? AND status = 'in_progress'`,
        timestamp(now()),
        id,
      );
      return present(id);
    },
    async request(id, position) {
      const batch = await read(id);
      if (batch === undefined) return undefined;
      const row = await db.get(
        `SELECT custom_id, params, type, result
         FROM batch_requests LEFT JOIN batch_results USING (batch, position) WHERE batch = ? AND position = ?`,
        id,
        position,
      );
      return maybe(row, (found) => toRequest(found, batch));
    },
    async record(id, position, { type, json: result }) {
      await db.transaction(async (tx) => {
        // The batch is held, so that no result comes in between the counting and the end.
        const batch = await tx.get(
          "SELECT id FROM batches WHERE id = ? AND status IN ('in_progress', 'canceling') FOR KEY SHARE",
          id,
        );
        if (batch === undefined) return;
        tx.later(
          `INSERT INTO batch_results (batch, position, type, result)
           SELECT batch, position, ?, ? FROM batch_requests WHERE batch = ? AND position = ?
           ON CONFLICT DO NOTHING`,
          type,
          result,
          id,
          position,
        );
      });
    },
    async end(id, unanswered) {
      return db.transaction(async (tx) => {
        const batch = toBatch(stored(await rowOf(tx, id, 'FOR UPDATE'), 'message batch', id));
        if (batch.status === 'ended') return batch;
        const { succeeded, errored } = resultCounts(await countResults(tx, id));
        tx.later(
          `UPDATE batches SET status = 'ended', ended_at = ?, unanswered = ?, succeeded = ?, errored = ? WHERE id = ?`,
          timestamp(now()),
          unanswered,
          succeeded,
          errored,
          id,
        );
        return toBatch(stored(await rowOf(tx, id), 'message batch', id));
      });
    },
    async progress(id) {
      const batch = await read(id);
      if (batch === undefined) return undefined;
      if (batch.status === 'ended') return { processing: 0, ...batch.counts };
      const { succeeded, errored } = resultCounts(await countResults(db, id));
      return {
        processing: batch.requests - succeeded - errored,
        succeeded,
        errored,
        canceled: 0,
        expired: 0,
      };
    },
    async requests(id, { after, limit, status }) {
      const row = await rowOf(db, id);
      if (row === undefined) return [];
      const unanswered = (maybeText(row, 'unanswered') ?? 'processing') as BatchOutcome;
      const [condition, values] =
        status === undefined
          ? ['', []]
          : status === unanswered
            ? ['AND type IS NULL', []]
            : ['AND type = ?', [status]];
      const rows = await db.all(
        `SELECT position, custom_id, type, result ${REQUESTS} ${condition} ORDER BY position LIMIT ?`,
        id,
        after,
        ...values,
        limit,
      );
      return rows.map((line) => toRequestLine(line, unanswered));
    },
    async results(id, after, limit) {
      const row = await rowOf(db, id);
      if (row?.['status'] !== 'ended') return [];
      const unanswered = text(row, 'unanswered') as 'canceled' | 'expired';
      const rows = await db.all(
        `SELECT position, custom_id, type, result ${REQUESTS} ORDER BY position LIMIT ?`,
        id,
        after,
        limit,
      );
      return rows.map((line) => toLine(line, unanswered));
    },
    async delete(id) {
      const hidden = await db.run(`UPDATE batches SET status = 'leaving' WHERE id = ? AND ${VISIBLE}`, id);
      // A batch that was never accepted is removed too, but it was not visible.
      await removeAll(id);
      return hidden > 0;
    },
    async sweep() {
      const leftovers = await db.all(
        "SELECT id FROM batches WHERE status = 'leaving' OR (status = 'incoming' AND created_at < ?)",
        timestamp(now() - LEFTOVER_AGE_MS),
      );
      for (const row of leftovers) await removeAll(text(row, 'id'));
    },
  };
}
