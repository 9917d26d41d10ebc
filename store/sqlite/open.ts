import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createIds } from '../contract/ids.ts';
import type { Store, StorePart } from '../contract/store.ts';
import { fileFault } from '../disk/faults.ts';
import { openFileBlobs } from '../disk/file-blobs.ts';
import type { StorageGuard } from '../disk/storage-guard.ts';
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
}

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
  { dir, now, pollMs, part, guard }: SqliteStoreOptions,
): Promise<Store> {
  if (guard !== undefined) setGuard(db, guard);
  const settings = createSettings(db);
  const blobs = await openFileBlobs({
    dir: join(dir, 'blobs'),
    now,
    lock: (body) => write(db, body),
    part,
    guard,
  });
  const uses = createBlobUses(db, blobs);
  const watcher = createWatcher(db, pollMs);
  const files = await openFileRecords(db, join(dir, 'files'), { now, part, guard });
  const events = createEventLog(db, { watcher, uses, now });
  const onceOnly = createOnceOnly(db, now);
  return {
    installation: await settings.getOrMake('installation', () => createIds()('inst')),
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
    async sweep() {
      await blobs.incoming.removeOld();
      await files.sweep();
      await uses.sweep();
      onceOnly.sweep();
      await giveBackPages(db);
    },
    async close() {
      watcher.close();
      if (db.open) db.close();
    },
  };
}
