import { join } from 'node:path';
import type { ObjectStore } from './contract/objects.ts';
import type { Store, StorePart } from './contract/store.ts';
import { openDiskObjects } from './disk/disk-objects.ts';
import type { StorageGuard } from './disk/storage-guard.ts';
import { openSqliteStore } from './sqlite/open.ts';

const SQLITE_POLL_MS = 20;
const POSTGRES_POLL_MS = 2000;

export interface StoreOptions {
  /** The folder of what is on this machine's disk; made when missing, readable by its owner only. */
  readonly dir: string;
  /** `postgres://user:password@host:port/database` for a store that several machines share; without it, SQLite in `dir`. */
  readonly postgres?: string | undefined;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  /**
   * How often the appends of other processes are looked for while there are subscriptions; default 20 ms with SQLite,
   * and 2 s with PostgreSQL, which also notifies.
   */
  readonly pollMs?: number;
  /** How long an operation waits for a PostgreSQL server that is away before it fails; default 10 s. */
  readonly patienceMs?: number;
  /**
   * States that no other process has the folder open as this part, which the caller ensures. Files that an earlier
   * process left half written are then removed at once; without it they are removed when they are an hour old.
   */
  readonly part?: StorePart;
  /** Where the bytes of blobs and files are; default: in the folder. It is closed with the store. */
  readonly objects?: ObjectStore | undefined;
  /** Learns of failed writes to the folder, and decides when nothing more is written. */
  readonly guard?: StorageGuard | undefined;
}

/**
 * Opens the store, in a folder or in a PostgreSQL database.
 * @throws {StoreTooNewError} for the store of a newer program
 * @throws {FileUnusableError} when a file cannot be opened
 * @throws {StoreUnavailableError} when the database server cannot be reached
 * @throws {StoreRefusedError} when it does not take this program in
 * @example
 * const store = await openStore({ dir: '/var/lib/steadyhand' });
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { dir, postgres, now, part, guard, patienceMs } = options;
  if (postgres === undefined) {
    return openSqliteStore({
      dir,
      now: now ?? Date.now,
      pollMs: options.pollMs ?? SQLITE_POLL_MS,
      part,
      guard,
      objects: options.objects,
    });
  }
  // A store in a folder does without the client of PostgreSQL, which takes a thirtieth of a start to load.
  const { openPostgresStore } = await import('./postgres/open.ts');
  const objects = options.objects ?? (await openDiskObjects({ dir: join(dir, 'bytes'), guard }));
  const pollMs = options.pollMs ?? POSTGRES_POLL_MS;
  try {
    return await openPostgresStore({ url: postgres, objects, now, pollMs, patienceMs });
  } catch (error) {
    objects.close();
    throw error;
  }
}
