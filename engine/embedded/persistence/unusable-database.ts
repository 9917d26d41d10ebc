import { EngineUnavailableError } from '../../connection/engine-unavailable-error.ts';
import { ForeignDatabaseError, SchemaTooNewError } from './database.ts';

/** The causes of SQLite's refusals to work with a file and what to do about each, by the driver's codes. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /NOTADB|CORRUPT/,
    'it is damaged, or no database of the engine: put a copy of it in its place, or move it away. Without it the engine ' +
      'begins empty, and the sessions go on where their own logs end',
  ],
  [/BUSY|LOCKED/, 'another process has it open: stop that one'],
  [
    // The code 14 (cannot open) comes as a text; the extended codes of READONLY (8) and PERM (3) come without a name.
    /READONLY|PERM|CANTOPEN|AUTH|readonly|: 14"/,
    'it cannot be opened for writing: look at the owner and the mode of the file and its folder',
  ],
  [/FULL|IOERR/, 'it cannot be read or written: look at the disk, and whether it is full'],
];

/** Makes the error that ends a start with a database that cannot be used; answers `error` if it has another cause. */
export function unusableDatabase(path: string, error: unknown): unknown {
  // Some of the driver's errors are made in another realm, so they are no instances of this one's Error.
  const { message, code } = Object(error) as { readonly message?: unknown; readonly code?: unknown };
  if (typeof message !== 'string') return error;
  const unavailable = (advice: string): EngineUnavailableError =>
    new EngineUnavailableError('embedded', `${path} cannot be used (${message.trim()}): ${advice}.`, {
      cause: error,
    });
  if (error instanceof SchemaTooNewError)
    return unavailable(
      'a newer release has written it; start that one, or put a copy from before it in its place',
    );
  if (error instanceof ForeignDatabaseError)
    return unavailable(
      "it is another program's database: name another file for the engine, or move this one away",
    );
  const isSqlite = typeof code === 'string' && code.includes('SQLITE');
  if (!isSqlite && !message.startsWith('ConnectionFailed')) return error;
  const known = ADVICE.find(([pattern]) => pattern.test(`${String(code)} ${message}`));
  return known === undefined ? error : unavailable(known[1]);
}
