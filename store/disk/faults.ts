import { FileUnusableError } from '../contract/errors.ts';

/** The code of an error of the system or of SQLite; '' where it has none. */
export function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}

/** When SQLite cannot open a file, libsql's error has no code, only this text. */
const UNOPENED = /Unable to open connection to local database (.*): (\d+)/;
const SQLITE_CODES: Readonly<Record<string, string>> = {
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** Whether the disk is full, or this user's quota is used up. */
export function isFull(error: unknown): boolean {
  return ['SQLITE_FULL', 'ENOSPC', 'EDQUOT'].includes(codeOf(error));
}

/** Whether the medium or the permissions forbid writing. */
export function isUnwritable(error: unknown): boolean {
  return /^(?:SQLITE_(?:IOERR|READONLY|CANTOPEN)|EIO$|EROFS$)/.test(codeOf(error));
}

const REMEDIES: readonly (readonly [RegExp, string])[] = [
  [/^SQLITE_NOTADB/, 'is no SQLite database: put a backup in its place, or move it away to begin anew'],
  [/^SQLITE_CORRUPT/, 'is damaged: put a backup in its place, or move it away to begin anew'],
  [/^(?:SQLITE_FULL|ENOSPC|EDQUOT)/, 'cannot be written: the disk is full'],
  [/^(?:SQLITE_READONLY|EROFS)/, 'cannot be written: the file, its folder or its file system is read-only'],
  [
    /^(?:SQLITE_CANTOPEN|EACCES|EPERM)/,
    'cannot be opened: this user needs the right to write it, and its file system must not be read-only',
  ],
  [/^(?:SQLITE_IOERR|EIO)/, 'cannot be read or written: the disk reports an error'],
  [/^(?:ENOTDIR|EEXIST|EISDIR)/, 'cannot be made: something of another kind stands there'],
];

/** The error that stopped a start, as a FileUnusableError where a file caused it, otherwise unchanged. */
export function fileFault(path: string, error: unknown): unknown {
  if (error instanceof FileUnusableError) return error;
  const unopened = UNOPENED.exec(error instanceof Error ? error.message : '');
  const code = codeOf(error) || (SQLITE_CODES[unopened?.[2] ?? ''] ?? '');
  const remedy = REMEDIES.find(([pattern]) => pattern.test(code))?.[1];
  if (remedy === undefined) return error;
  const own = typeof error === 'object' && error !== null && 'path' in error ? String(error.path) : undefined;
  const named = own ?? unopened?.[1] ?? path;
  return new FileUnusableError(named, `${remedy} (${code})`, { cause: error });
}
