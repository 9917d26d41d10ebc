import type { FileListRequest, FileRecord } from '../contract/files.ts';
import { integer, maybeObject, maybeText, type Row, text } from './rows.ts';
import type { Where } from './where.ts';

/** How long the record of an expired file is kept: 30 days, as in the API. */
export const EXPIRED_KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** A file of this age whose session does not exist is an orphan: its session is not being created any more. */
export const ORPHAN_AGE_MS = 60 * 60 * 1000;

export const FILE_COLUMNS =
  'id, created_at, expires_at, filename, mime_type, size_bytes, scope, origin, details';

/** Lists newest first; with `before` oldest first, as the rows nearest to it are wanted. `where` has a request's ids. */
export function fileListing({ after, before, ids, scope, snapshots }: FileListRequest, where: Where): string {
  if (after !== undefined) where.and('id < ?', after);
  if (before !== undefined) where.and('id > ?', before);
  if (scope !== undefined) where.and('scope = ?', scope);
  else if (ids === undefined) where.and('scope IS NULL');
  where.and(snapshots === undefined ? 'details IS NULL' : 'details IS NOT NULL');
  if (typeof snapshots === 'string') where.and('origin = ?', snapshots);
  const direction = before === undefined ? 'DESC' : 'ASC';
  return `SELECT ${FILE_COLUMNS} FROM files ${where.sql} ORDER BY id ${direction} LIMIT ?`;
}

export function toFile(row: Row): FileRecord {
  return {
    id: text(row, 'id'),
    created_at: text(row, 'created_at'),
    expires_at: maybeText(row, 'expires_at'),
    filename: text(row, 'filename'),
    mime_type: text(row, 'mime_type'),
    size_bytes: integer(row, 'size_bytes'),
    scope: maybeText(row, 'scope'),
    origin: maybeText(row, 'origin'),
    details: maybeObject(row, 'details'),
  };
}
