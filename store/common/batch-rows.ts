import type {
  BatchListRequest,
  BatchOutcome,
  BatchRecord,
  ListedRequest,
  ResultLine,
  StoredRequest,
  StoredResult,
} from '../contract/batches.ts';
import { integer, json, maybeText, type Row, text } from './rows.ts';
import { type Bindable, Where } from './where.ts';

/** A batch of this age that was not accepted was begun by a process that is gone. */
export const LEFTOVER_AGE_MS = 60 * 60 * 1000;

/** The condition for visible batches: `incoming` and `leaving` ones are not. */
export const VISIBLE = "status IN ('in_progress', 'canceling', 'ended')";

export const BATCH_COLUMNS = `id, status, requests, created_at, expires_at, cancel_initiated_at, ended_at, unanswered,
  succeeded, errored, data`;

export function batchListing({ afterId, beforeId }: BatchListRequest): {
  sql: string;
  values: readonly Bindable[];
  backwards: boolean;
} {
  const backwards = beforeId !== undefined;
  const where = new Where().and(VISIBLE);
  if (afterId !== undefined) where.and('id < ?', afterId);
  if (beforeId !== undefined) where.and('id > ?', beforeId);
  const sql = `SELECT ${BATCH_COLUMNS} FROM batches ${where.sql} ORDER BY id ${backwards ? 'ASC' : 'DESC'} LIMIT ?`;
  return { sql, values: where.values, backwards };
}

export function toBatch(row: Row): BatchRecord {
  const requests = integer(row, 'requests');
  const answered = { succeeded: integer(row, 'succeeded'), errored: integer(row, 'errored') };
  const unanswered = maybeText(row, 'unanswered');
  const rest = requests - answered.succeeded - answered.errored;
  return {
    id: text(row, 'id'),
    status: text(row, 'status') as BatchRecord['status'],
    requests,
    created_at: text(row, 'created_at'),
    expires_at: text(row, 'expires_at'),
    cancel_initiated_at: maybeText(row, 'cancel_initiated_at'),
    ended_at: maybeText(row, 'ended_at'),
    counts: {
      ...answered,
      canceled: unanswered === 'canceled' ? rest : 0,
      expired: unanswered === 'expired' ? rest : 0,
    },
    data: json(row, 'data') as BatchRecord['data'],
  };
}

/** How many results of which type, from rows of `type` and `count`. */
export function resultCounts(rows: readonly Row[]): { readonly succeeded: number; readonly errored: number } {
  const counts = new Map(rows.map((row) => [text(row, 'type'), integer(row, 'count')]));
  return { succeeded: counts.get('succeeded') ?? 0, errored: counts.get('errored') ?? 0 };
}

export function toRequest(row: Row, batch: BatchRecord): StoredRequest {
  const params = row['params'] as Uint8Array;
  return { custom_id: text(row, 'custom_id'), params, result: toResult(row) ?? null, batch };
}

export function toLine(row: Row, unanswered: 'canceled' | 'expired'): ResultLine {
  return {
    position: integer(row, 'position'),
    custom_id: text(row, 'custom_id'),
    result: toResult(row) ?? { type: unanswered },
  };
}

export function toRequestLine(row: Row, unanswered: BatchOutcome): ListedRequest {
  const result = toResult(row) ?? null;
  return {
    position: integer(row, 'position'),
    custom_id: text(row, 'custom_id'),
    status: result?.type ?? unanswered,
    result,
  };
}

function toResult(row: Row): StoredResult | undefined {
  const type = maybeText(row, 'type');
  return type === null ? undefined : { type: type as StoredResult['type'], json: text(row, 'result') };
}
