import path from 'node:path';
import type { Logger } from 'pino';
import {
  createStorageGuard,
  type ObjectStore,
  ObjectStoreRefusedError,
  openS3Objects,
  openStore,
  type StorageGuard,
  type Store,
  StoreUnavailableError,
} from '@steadyhand/store';
import { observedStore, tracedStore } from '@steadyhand/telemetry';
import type { Start } from './start.ts';

/** The hash of nothing that is stored. */
const NO_BLOB = '0'.repeat(64);

export interface Storage {
  readonly store: Store;
  /** Knows whether the disk has room. */
  readonly guard: StorageGuard;
}

/** Opens the store, and watches the disk that it lies on. */
export async function openStorage({
  config,
  log,
  metrics,
  patience,
  readiness,
  tracing,
  shutdown,
}: Start): Promise<Storage> {
  const guard = createStorageGuard({
    dir: config.dataDir,
    reserveBytes: config.storageReserveBytes,
    onChange: (state) => {
      if (state.status === 'ok') log.info('the store can be written again');
      else log.error(state, 'the store cannot be written');
    },
  });
  shutdown.add(() => guard.close());
  const objects = config.blobs === undefined ? undefined : openS3Objects(config.blobs);
  const { role } = config;
  const store = await patience.until('the database', isAway, () =>
    openStore({
      dir: path.join(config.dataDir, 'store'),
      postgres: config.store,
      guard,
      objects,
      ...(role === 'inference' ? {} : { part: role }),
    }),
  );
  // This is not awaited, because a slow disk takes long to write the reserve.
  guard.look().catch((error: unknown) => log.warn({ err: error }, 'no reserve of room was made'));
  shutdown.add(() => store.close());
  readiness.add({ name: 'store', look: () => store.sessions.get('sesn_of_nobody') });
  const lookAtBytes = (): Promise<unknown> => objects?.check() ?? store.blobs.has(NO_BLOB);
  // Processes share one object store: while it is away each of them would be taken out, and most answers need no bytes.
  readiness.add({ name: 'blobs', look: lookAtBytes, isRequired: objects === undefined });
  if (objects !== undefined) await requireObjects(objects, log);
  metrics.store.readFigures(() => store.figures());
  const observed = observedStore(store, metrics.store);
  return { store: tracing === undefined ? observed : tracedStore(observed, tracing), guard };
}

const isAway = (error: unknown): boolean => error instanceof StoreUnavailableError;

/** A store that refuses ends the start; one that is away may be back soon, and what needs it is tried again. */
async function requireObjects(objects: ObjectStore, log: Logger): Promise<void> {
  try {
    await objects.check();
    log.info({ place: objects.place }, 'the object store answers');
  } catch (error) {
    if (error instanceof ObjectStoreRefusedError) throw error;
    log.warn({ err: error }, 'the object store does not answer yet');
  }
}
