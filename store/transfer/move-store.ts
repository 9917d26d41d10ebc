import { type Row, text } from '../common/rows.ts';
import { canonicalJson, type JsonObject } from '../contract/json.ts';
import type { ObjectStore } from '../contract/objects.ts';
import { MOVING } from '../postgres/moving.ts';
import { checkChains } from './check-chains.ts';
import { TransferFailedError, TransferRefusedError } from './errors.ts';
import { type MovedBytes, moveBytes } from './move-bytes.ts';
import { openTransferSource, type TransferSource } from './source.ts';
import type { TransferTarget } from './target.ts';
import { COMPUTERS, TRANSFERRED } from './tables.ts';

export interface MoveOptions {
  /** The folder of the SQLite store, with which no product works; nothing in it is changed. */
  readonly dir: string;
  /** Where its bytes are; undefined for the folder. */
  readonly sourceObjects?: ObjectStore | undefined;
  /** `postgres://user:password@host:port/database`; the database has to be empty. */
  readonly to: string;
  /** Where the bytes are to be. */
  readonly objects: ObjectStore;
  /** What is recorded of the computer of a session, which does not come along and counts as lost. */
  readonly lostComputer: (id: string) => { readonly config: JsonObject; readonly reason: string };
  /** Is told how far it is, by a line. */
  readonly progress: (line: string) => void;
}

export interface MovedStore {
  readonly installation: string;
  /** The number of rows by table. */
  readonly rows: Readonly<Record<string, number>>;
  readonly bytes: MovedBytes;
  /** Sessions whose event logs were damaged before. */
  readonly damagedSessions: readonly string[];
  /** Sessions whose computers count as lost. */
  readonly lostComputers: number;
  /** Whether secrets of sessions came along, sealed as they are. */
  readonly hasSecrets: boolean;
}

/**
 * Copies a SQLite store with its bytes into an empty PostgreSQL database and an object store. Bytes go first. All rows come
 * in one transaction, which is committed once their numbers and hash chains were found right: so the database has
 * either all of them or none, and after a kill the same call goes on.
 * @throws {TransferRefusedError} where the database is not empty or somebody works with it
 * @throws {TransferFailedError} where what was copied is not what is at its source
 */
export async function moveStore(options: MoveOptions): Promise<MovedStore> {
  const { dir, sourceObjects, to, objects, progress } = options;
  const source = openTransferSource(dir, sourceObjects);
  try {
    const { installation } = source;
    if (installation === '')
      throw new TransferRefusedError(`${dir} was never started on: there is nothing to move`);
    // The client of PostgreSQL is loaded here and below, as everybody who uses the store loads this module.
    const { openTransferTarget } = await import('./target.ts');
    const target = await openTransferTarget(to, installation);
    try {
      const bytes = await movedBytes(source, to, objects, progress);
      return { installation, bytes, ...(await moveRows(source, target, options)) };
    } finally {
      await target.close();
    }
  } finally {
    source.close();
  }
}

async function movedBytes(
  source: TransferSource,
  to: string,
  objects: ObjectStore,
  progress: MoveOptions['progress'],
): Promise<MovedBytes> {
  const { openDatabase } = await import('../postgres/database.ts');
  const db = openDatabase(to);
  try {
    await objects.check();
    return await moveBytes(source, {
      db,
      objects,
      copied: (done, of) => progress(`bytes: ${done} of ${of} objects in ${objects.place}`),
    });
  } finally {
    await db.close();
  }
}

async function moveRows(
  source: TransferSource,
  target: TransferTarget,
  { lostComputer, progress }: MoveOptions,
): Promise<Omit<MovedStore, 'installation' | 'bytes'>> {
  const rows: Record<string, number> = {};
  await target.all('BEGIN');
  await target.all(`DELETE FROM settings WHERE name <> $1`, [MOVING]);
  for (const { name, value } of settingsOf(source))
    await target.all('INSERT INTO settings (name, value) VALUES ($1, $2)', [name, value]);
  for (const table of TRANSFERRED) {
    rows[table.name] = await target.fill(table, source.rows(table.select), (count) =>
      progress(`rows: ${count} of ${table.name}`),
    );
  }
  const computers = [...source.rows(COMPUTERS)].map((row) => text(row, 'id'));
  for (const id of computers) {
    const { config, reason } = lostComputer(id);
    await target.all('INSERT INTO sandboxes (id, config, lost) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING', [
      id,
      canonicalJson(config),
      reason,
    ]);
  }
  for (const [name, expected] of Object.entries(rows)) await requireRows(target, name, expected);
  const damagedSessions = await checkChains(source, target, (count) =>
    progress(`hash chains: ${count} of ${rows['sessions'] ?? 0} sessions`),
  );
  await target.all('DELETE FROM settings WHERE name = $1', [MOVING]);
  await target.all('COMMIT');
  // The planner knows nothing yet of what came at once.
  await target.all('ANALYZE');
  const hasSecrets = (rows['session_secrets'] ?? 0) > 0;
  return { rows, damagedSessions, lostComputers: computers.length, hasSecrets };
}

function settingsOf(source: TransferSource): readonly { readonly name: string; readonly value: string }[] {
  const view = (row: Row): { name: string; value: string } => ({
    name: text(row, 'name'),
    value: text(row, 'value'),
  });
  return [...source.rows('SELECT name, value FROM settings ORDER BY name')].map(view);
}

async function requireRows(target: TransferTarget, name: string, expected: number): Promise<void> {
  const [row] = await target.all(`SELECT count(*) AS n FROM ${name}`);
  const found = Number(row?.['n']);
  if (found !== expected)
    throw new TransferFailedError(`${target.place} has ${found} rows of ${name}, not ${expected}`);
}
