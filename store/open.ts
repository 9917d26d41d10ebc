import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFault } from './disk/faults.ts';
import { openFileBlobs } from './disk/file-blobs.ts';
import type { Store, StorePart } from './contract/store.ts';
import type { StorageGuard } from './disk/storage-guard.ts';
import type { CollectedBlobs } from './objects/collected-blobs.ts';
import type { ObjectStore } from './contract/objects.ts';
import { createAgentRecords } from './sqlite/agents.ts';
import { createBatchRecords } from './sqlite/batches.ts';
import { createBlobUses } from './sqlite/blob-uses.ts';
import { type Connection, openDatabase, setGuard, write } from './sqlite/database.ts';
import { createEffects } from './sqlite/effects.ts';
import { createEnvironmentRecords } from './sqlite/environments.ts';
import { createEventLog } from './sqlite/events.ts';
import { giveBackPages } from './sqlite/free-pages.ts';
import { openFileRecords } from './sqlite/files.ts';
import { createOnceOnly } from './sqlite/once-only.ts';
import { createSqliteObjectBlobs } from './sqlite/object-blobs.ts';
import { createSessionRecords } from './sqlite/sessions.ts';
import { createWatcher } from './sqlite/watcher.ts';

/** How long bytes stay after a put without a reference from a row. */
const GRACE_MS = 60 * 60 * 1000;

export interface StoreOptions {
  /** Made when missing, readable by its owner only. */
  readonly dir: string;
  /** Milliseconds since 1970; default Date.now. */
  readonly now?: () => number;
  /** How often the appends of other processes are looked for while there are subscriptions; default 20 ms. */
  readonly pollMs?: number;
  /**
   * States that no other process has the folder open as this part, which the caller ensures. Files that an earlier
   * process left half written are then removed at once; without it they are removed when they are an hour old.
   */
  readonly part?: StorePart;
  /** Where the bytes of blobs and files are; default: in the folder. It is closed with the store. */
  readonly objects?: ObjectStore | undefined;
  /** Learns of failed writes, and decides when nothing more is written. */
  readonly guard?: StorageGuard | undefined;
}

/**
 * Opens the store in a folder: `store.db` (SQLite), `blobs/`, and `files/` with the bytes of uploads.
 * @throws {StoreTooNewError} for the folder of a newer program
 * @throws {FileUnusableError} when a file cannot be opened
 * @example
 * const store = await openStore({ dir: '/var/lib/steadyhand' });
 */
export async function openStore(options: StoreOptions): Promise<Store> {
  const path = join(options.dir, 'store.db');
  let db: Connection | undefined;
  try {
    await mkdir(options.dir, { recursive: true, mode: 0o700 });
    db = openDatabase(path);
    return await openParts(db, options);
  } catch (error) {
    db?.close();
    throw fileFault(path, error);
  }
}

async function openParts(
  db: Connection,
  { dir, now = Date.now, pollMs = 20, part, guard, objects }: StoreOptions,
): Promise<Store> {
  if (guard !== undefined) setGuard(db, guard);
  const installation = 'inst';
  const bytesOf = async (kind: 'blob' | 'file', graceMs: number): Promise<CollectedBlobs> =>
    objects === undefined
      ? openFileBlobs({
          dir: join(dir, `${kind}s`),
          now,
          lock: (body) => write(db, body),
          graceMs,
          part,
          guard,
        })
      : createSqliteObjectBlobs(db, { objects, kind, installation, graceMs, now });
  const blobs = await bytesOf('blob', GRACE_MS);
  const uses = createBlobUses(db, blobs);
  const watcher = createWatcher(db, pollMs);
  const files = await openFileRecords(db, await bytesOf('file', 0), now);
  const events = createEventLog(db, { watcher, uses, now });
  const onceOnly = createOnceOnly(db, now);
  return {
    blobs,
    events,
    sessions: createSessionRecords(db, { log: events, uses, watcher, now }),
    agents: createAgentRecords(db, now),
    environments: createEnvironmentRecords(db, now),
    effects: createEffects(db, uses, now),
    files,
    batches: createBatchRecords(db, now),
    onceOnly,
    leases: null,
    rates: null,
    async sweep() {
      await blobs.sweep();
      await files.sweep();
      await uses.sweep();
      onceOnly.sweep();
      await giveBackPages(db);
    },
    async close() {
      watcher.close();
      if (db.open) db.close();
      objects?.close();
    },
  };
}
