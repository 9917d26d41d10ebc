import { setImmediate } from 'node:timers/promises';
import {
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
import type { BatchOutcome, BatchRecord, BatchRecords, ListedRequest } from '../contract/batches.ts';
import { NotStoredError, stored } from '../contract/errors.ts';
import { canonicalJson } from '../contract/json.ts';
import { type Connection, requireRoom, write } from './database.ts';

/** How many rows one transaction of a deletion removes. */
const ROWS_PER_TRANSACTION = 200;

export function createBatchRecords(db: Connection, now: () => number): BatchRecords {
  const select = db.prepare(`SELECT * FROM batches WHERE id = ? AND ${VISIBLE}`);
  const insert = db.prepare(
    `INSERT INTO batches (id, status, requests, created_at, expires_at, data) VALUES (?, 'incoming', 0, ?, ?, '{}')`,
  );
  const insertRequest = db.prepare(
    'INSERT INTO batch_requests (batch, position, custom_id, params) VALUES (?, ?, ?, ?)',
  );
  const countRequests = db.prepare(
    "UPDATE batches SET requests = requests + ? WHERE id = ? AND status = 'incoming'",
  );
  const accept = db.prepare(
    `UPDATE batches SET status = 'in_progress', created_at = ?, expires_at = ?, data = ?
     WHERE id = ? AND status = 'incoming'`,
  );
  const selectUnfinished = db.prepare(
    "SELECT id FROM batches WHERE status IN ('in_progress', 'canceling') ORDER BY id",
  );
  const cancel = db.prepare(
    `UPDATE batches SET status = 'canceling', cancel_initiated_at = ? WHERE id = ? AND status = 'in_progress'`,
  );
  const selectRequest = db.prepare(
    `SELECT custom_id, params, type, result FROM batch_requests LEFT JOIN batch_results USING (batch, position)
     WHERE batch = ? AND position = ?`,
  );
  const insertResult = db.prepare(
    `INSERT INTO batch_results (batch, position, type, result)
     SELECT batch, position, ?, ? FROM batch_requests JOIN batches ON batches.id = batch
     WHERE batch = ? AND position = ? AND status IN ('in_progress', 'canceling')
     ON CONFLICT DO NOTHING`,
  );
  const countResults = db.prepare(
    'SELECT type, COUNT(*) AS count FROM batch_results WHERE batch = ? GROUP BY type',
  );
  const end = db.prepare(
    `UPDATE batches SET status = 'ended', ended_at = ?, unanswered = ?, succeeded = ?, errored = ? WHERE id = ?`,
  );
  const selectResults = db.prepare(
    `SELECT position, custom_id, type, result FROM batch_requests LEFT JOIN batch_results USING (batch, position)
     WHERE batch = ? AND position > ? ORDER BY position LIMIT ?`,
  );
  const selectRequests = (condition: string): ReturnType<Connection['prepare']> =>
    db.prepare(
      `SELECT position, custom_id, type, result FROM batch_requests LEFT JOIN batch_results USING (batch, position)
       WHERE batch = ? AND position > ? ${condition} ORDER BY position LIMIT ?`,
    );
  const selectAny = selectRequests('');
  const selectUnanswered = selectRequests('AND type IS NULL');
  const selectAnswered = selectRequests('AND type = ?');
  const hide = db.prepare("UPDATE batches SET status = 'leaving' WHERE id = ?");
  const remove = db.prepare('DELETE FROM batches WHERE id = ?');
  const removeSome = ['batch_results', 'batch_requests'].map((table) =>
    db.prepare(
      `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE batch = ? LIMIT ${ROWS_PER_TRANSACTION})`,
    ),
  );
  const selectLeftovers = db.prepare(
    "SELECT id FROM batches WHERE status = 'leaving' OR (status = 'incoming' AND created_at < ?)",
  );

  const read = (id: string): BatchRecord | undefined => maybe(select.get(id), toBatch);
  const present = (id: string): BatchRecord => stored(read(id), 'message batch', id);
  const removeAll = async (id: string): Promise<void> => {
    for (const statement of removeSome) {
      while (write(db, () => statement.run(id).changes) > 0) await setImmediate();
    }
    write(db, () => remove.run(id));
  };

  return {
    async begin(id) {
      requireRoom(db);
      const at = timestamp(now());
      write(db, () => insert.run(id, at, at));
    },
    async add(id, requests) {
      requireRoom(db);
      write(db, () => {
        if (countRequests.run(requests.length, id).changes === 0)
          throw new NotStoredError('message batch', id);
        for (const { position, custom_id, params } of requests) {
          insertRequest.run(id, position, custom_id, params);
        }
      });
    },
    async accept(id, { lifetimeMs, data }) {
      return write(db, () => {
        const at = now();
        accept.run(timestamp(at), timestamp(at + lifetimeMs), canonicalJson(data), id);
        return present(id);
      });
    },
    async get(id) {
      return read(id);
    },
    async list(request) {
      const { sql, values, backwards } = batchListing(request);
      const rows = db.prepare(sql).all(...values, request.limit + 1);
      const page = rows.slice(0, request.limit).map(toBatch);
      return { batches: backwards ? page.toReversed() : page, more: rows.length > request.limit };
    },
    async unfinished() {
      return selectUnfinished.all().map((row) => text(row, 'id'));
    },
    async cancel(id) {
      return write(db, () => {
        cancel.run(timestamp(now()), id);
        return present(id);
      });
    },
    async request(id, position) {
      const batch = read(id);
      return batch && maybe(selectRequest.get(id, position), (row) => toRequest(row, batch));
    },
    async record(id, position, { type, json: result }) {
      write(db, () => insertResult.run(type, result, id, position));
    },
    async end(id, unanswered) {
      return write(db, () => {
        if (present(id).status !== 'ended') {
          const { succeeded, errored } = resultCounts(countResults.all(id));
          end.run(timestamp(now()), unanswered, succeeded, errored, id);
        }
        return present(id);
      });
    },
    async progress(id) {
      const row = select.get(id);
      if (row === undefined) return undefined;
      const { requests, counts, status } = toBatch(row);
      if (status === 'ended') return { processing: 0, ...counts };
      const { succeeded, errored } = resultCounts(countResults.all(id));
      return { processing: requests - succeeded - errored, succeeded, errored, canceled: 0, expired: 0 };
    },
    async requests(id, { after, limit, status }) {
      const row = select.get(id);
      if (row === undefined) return [];
      const unanswered = (maybeText(row, 'unanswered') ?? 'processing') as BatchOutcome;
      const toListed = (line: Row): ListedRequest => toRequestLine(line, unanswered);
      if (status === undefined) return selectAny.all(id, after, limit).map(toListed);
      if (status === unanswered) return selectUnanswered.all(id, after, limit).map(toListed);
      return selectAnswered.all(id, after, status, limit).map(toListed);
    },
    async results(id, after, limit) {
      const row = select.get(id);
      if (row?.['status'] !== 'ended') return [];
      const unanswered = text(row, 'unanswered') as 'canceled' | 'expired';
      return selectResults.all(id, after, limit).map((line) => toLine(line, unanswered));
    },
    async delete(id) {
      if (read(id) === undefined) {
        // A batch that was never accepted is removed too, but it was not visible.
        await removeAll(id);
        return false;
      }
      write(db, () => hide.run(id));
      await removeAll(id);
      return true;
    },
    async sweep() {
      const leftovers = selectLeftovers.all(timestamp(now() - LEFTOVER_AGE_MS));
      for (const row of leftovers) await removeAll(text(row, 'id'));
    },
  };
}
