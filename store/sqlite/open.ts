import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createIds } from '../contract/ids.ts';
import type { ObjectStore } from '../contract/objects.ts';
import type { Store, StorePart } from '../contract/store.ts';
import { fileFault } from '../disk/faults.ts';
import { openFileBlobs } from '../disk/file-blobs.ts';
import type { StorageGuard } from '../disk/storage-guard.ts';
import type { CollectedBlobs } from '../objects/collected-blobs.ts';
import { createAgentRecords } from './agents.ts';
import { createBatchRecords } from './batches.ts';
import { createBlobUses } from './blob-uses.ts';
import { type Connection, openDatabase, setGuard, write } from './database.ts';
import { createEffects } from './effects.ts';
import { createEnvironmentRecords } from './environments.ts';
import { createEventLog } from './events.ts';
import { openFileRecords } from './files.ts';
import { createFigures } from './figures.ts';
import { giveBackPages } from './free-pages.ts';
import { createSqliteObjectBlobs } from './object-blobs.ts';
import { createOnceOnly } from './once-only.ts';
import { createSessionRecords } from './sessions.ts';
import { createSettings } from './settings.ts';
import { createWatcher } from './watcher.ts';

interface SqliteStoreOptions {
  /** Made when missing, readable by its owner only. */
  readonly dir: string;
  readonly now: () => number;
  /** How often the appends of other processes are looked for while there are subscriptions. */
  readonly pollMs: number;
  readonly part: StorePart | undefined;
  readonly guard: StorageGuard | undefined;
  /** Where the bytes of blobs and files are; undefined: in the folder. It is closed with the store. */
  readonly objects: ObjectStore | undefined;
}

/** How long bytes stay after a put without a reference from a row. */
const GRACE_MS = 60 * 60 * 1000;

/** Opens the store in a folder: `store.db` (SQLite), `blobs/`, and `files/` with the bytes of uploads. */
export async function openSqliteStore(options: SqliteStoreOptions): Promise<Store> {
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
  { dir, now, pollMs, part, guard, objects }: SqliteStoreOptions,
): Promise<Store> {
  if (guard !== undefined) setGuard(db, guard);
  const settings = createSettings(db);
  const installation = await settings.getOrMake('installation', () => createIds()('inst'));
  const bytesOf = async (kind: 'blob' | 'file', graceMs: number): Promise<CollectedBlobs> => {
    if (objects !== undefined)
      return createSqliteObjectBlobs(db, { objects, kind, installation, graceMs, now });
    const lock = <T>(body: () => T): T => write(db, body);
    return openFileBlobs({ dir: join(dir, `${kind}s`), now, lock, graceMs, part, guard });
  };
  const blobs = await bytesOf('blob', GRACE_MS);
  const uses = createBlobUses(db, blobs);
  const watcher = createWatcher(db, pollMs);
  const files = await openFileRecords(db, await bytesOf('file', 0), now);
  const events = createEventLog(db, { watcher, uses, now });
  const onceOnly = createOnceOnly(db, now);
  return {
    installation,
    settings,
    blobs,
    events,
    sessions: createSessionRecords(db, { log: events, uses, watcher, now }),
    agents: createAgentRecords(db, now),
    environments: createEnvironmentRecords(db, now),
    effects: createEffects(db, uses, now),
    files,
    batches: createBatchRecords(db, now),
    figures: createFigures(db),
    onceOnly,
    leases: null,
    rates: null,
    relay: null,
    sandboxes: null,
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
