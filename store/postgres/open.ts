import { createIds } from '../contract/ids.ts';
import type { ObjectStore } from '../contract/objects.ts';
import type { Store } from '../contract/store.ts';
import { createAgentRecords } from './agents.ts';
import { createBatchRecords } from './batches.ts';
import { createCollector } from './collector.ts';
import { openDatabase } from './database.ts';
import { createDatabaseClock } from './database-clock.ts';
import { createEffects } from './effects.ts';
import { createEnvironmentRecords } from './environments.ts';
import { createEventLog } from './events.ts';
import { createFigures } from './figures.ts';
import { createFileRecords } from './files.ts';
import { createLeases } from './leases.ts';
import { createListening } from './listening.ts';
import { migrate } from './migrate.ts';
import { requireWhole } from './moving.ts';
import { createObjectBlobs } from '../objects/object-blobs.ts';
import { createObjectRows } from './object-rows.ts';
import { createOnceOnly } from './once-only.ts';
import { createRates } from './rates.ts';
import { createRelay } from './relay.ts';
import { createSandboxRecords } from './sandboxes.ts';
import { createSessionRecords } from './sessions.ts';
import { createSettings } from './settings.ts';
import { createTails } from './tails.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Where the bytes of blobs and files lie. It is closed with the store. */
  readonly objects: ObjectStore;
  /** Milliseconds since 1970; default Date.now, and the server's clock for leases and times of grace. */
  readonly now?: (() => number) | undefined;
  /** How often sessions that are listened to are looked at for what no notification told of. */
  readonly pollMs: number;
  /** How long an operation waits for a server that is away before it fails. */
  readonly patienceMs?: number | undefined;
}

/**
 * Opens the store in a PostgreSQL database, which any number of processes on any machines share.
 * @throws {StoreUnavailableError} when the server cannot be reached
 * @throws {StoreTooNewError} when a newer program has made of the schema what this one cannot use
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, objects, now = Date.now, pollMs, patienceMs } = options;
  await migrate(url);
  const db = openDatabase(url, patienceMs === undefined ? {} : { patienceMs });
  const settings = createSettings(db);
  const installation = await requireWhole(db)
    .then(() => settings.getOrMake('installation', () => createIds()('inst')))
    .catch(async (error) => {
      await db.close();
      throw error;
    });
  const clock = createDatabaseClock(options.now);
  const listening = createListening(url);
  const tails = createTails(db, listening, pollMs);
  const rows = createObjectRows(db, clock);
  const blobs = createObjectBlobs({ objects, rows, folder: `${installation}/bytes/`, now });
  const collector = createCollector(db, blobs, clock);
  const events = createEventLog(db, { tails, now });
  const files = createFileRecords(db, { blobs, objects: rows, clock, now });
  const onceOnly = createOnceOnly(db, now);
  let listedAt: number | undefined;
  const leases = createLeases(db);
  const rates = createRates(db);
  const relay = createRelay(db, listening);
  return {
    installation,
    settings,
    blobs,
    events,
    sessions: createSessionRecords(db, { log: events, tails, now, collector }),
    agents: createAgentRecords(db, now),
    environments: createEnvironmentRecords(db, now),
    effects: createEffects(db, now),
    files,
    batches: createBatchRecords(db, now),
    figures: createFigures(db),
    onceOnly,
    leases,
    rates,
    relay,
    sandboxes: createSandboxRecords(db),
    async sweep() {
      await db.alone('sweep', async () => {
        await files.sweep();
        await collector.collect();
        // A list of all objects costs a request for each thousand of them.
        if (listedAt === undefined || now() - listedAt >= DAY_MS) {
          await blobs.deleteStray();
          listedAt = now();
        }
        await onceOnly.sweep();
        await leases.sweep();
        await rates.sweep();
      });
    },
    async close() {
      await tails.close();
      await relay.close();
      await listening.close();
      await leases.close();
      await db.close();
      objects.close();
    },
  };
}
