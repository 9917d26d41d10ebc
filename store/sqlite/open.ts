import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openFileBlobs } from '../file-blobs.ts';
import type { Store, StoreOptions } from '../store.ts';
import { createAgentRecords } from './agents.ts';
import { createBatchRecords } from './batches.ts';
import { createBlobUses } from './blob-uses.ts';
import { openDatabase, write } from './database.ts';
import { createEffects } from './effects.ts';
import { createEnvironmentRecords } from './environments.ts';
import { createEventLog } from './events.ts';
import { openFileRecords } from './files.ts';
import { createSessionRecords } from './sessions.ts';
import { createWatcher } from './watcher.ts';

/**
 * Opens the store in a folder: `store.db` (SQLite), `blobs/`, and `files/` with the bytes of uploads.
 * Throws StoreTooNew for a newer program's folder.
 */
export async function openStore({ dir, now = Date.now, pollMs = 20, part }: StoreOptions): Promise<Store> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const db = openDatabase(join(dir, 'store.db'));
  const blobs = await openFileBlobs({ dir: join(dir, 'blobs'), now, lock: (body) => write(db, body), part });
  const uses = createBlobUses(db, blobs);
  const watcher = createWatcher(db, pollMs);
  const files = await openFileRecords(db, join(dir, 'files'), { now, part });
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
    },
    async close() {
      watcher.close();
      if (db.open) db.close();
    },
  };
}
