import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileFault } from '../faults.ts';
import { openFileBlobs } from '../file-blobs.ts';
import type { Store, StoreOptions } from '../store.ts';
import { createAgentRecords } from './agents.ts';
import { createBatchRecords } from './batches.ts';
import { createBlobUses } from './blob-uses.ts';
import { type Connection, openDatabase, watchOver, write } from './database.ts';
import { createEffects } from './effects.ts';
import { createEnvironmentRecords } from './environments.ts';
import { createEventLog } from './events.ts';
import { giveBackPages } from './free-pages.ts';
import { openFileRecords } from './files.ts';
import { createSessionRecords } from './sessions.ts';
import { createWatcher } from './watcher.ts';

/**
 * Opens the store in a folder: `store.db` (SQLite), `blobs/`, and `files/` with the bytes of uploads.
 * Throws StoreTooNewError for a newer program's folder, FileUnusableError where a file cannot be opened.
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
  { dir, now = Date.now, pollMs = 20, part, guard }: StoreOptions,
): Promise<Store> {
  if (guard !== undefined) watchOver(db, guard);
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
  return {
    blobs,
    events,
    sessions: createSessionRecords(db, { log: events, uses, watcher, now }),
    agents: createAgentRecords(db, now),
    environments: createEnvironmentRecords(db, now),
    effects: createEffects(db, uses, now),
    files,
    batches: createBatchRecords(db, now),
    async sweep() {
      await blobs.incoming.removeOld();
      await files.sweep();
      await uses.sweep();
      await giveBackPages(db);
    },
    async close() {
      watcher.close();
      if (db.open) db.close();
    },
  };
}
