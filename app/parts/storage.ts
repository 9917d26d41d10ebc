import path from 'node:path';
import { createStorageGuard, openStore, type StorageGuard, type Store } from '@steadyhand/store';
import { observedStore, tracedStore } from '@steadyhand/telemetry';
import type { Start } from './start.ts';

export interface Storage {
  readonly store: Store;
  /** Knows whether the disk has room. */
  readonly guard: StorageGuard;
}

/** Opens the store, and watches the disk that it lies on. */
export async function openStorage({ config, log, metrics, tracing, shutdown }: Start): Promise<Storage> {
  const guard = createStorageGuard({
    dir: config.dataDir,
    reserveBytes: config.storageReserveBytes,
    onChange: (state) => {
      if (state.status === 'ok') log.info('the store can be written again');
      else log.error(state, 'the store cannot be written');
    },
  });
  shutdown.add(() => guard.close());
  const store = await openStore({
    dir: path.join(config.dataDir, 'store'),
    postgres: config.store,
    part: config.role,
    guard,
  });
  // This is not awaited, because a slow disk takes long to write the reserve.
  guard.look().catch((error: unknown) => log.warn({ err: error }, 'no reserve of room was made'));
  shutdown.add(() => store.close());
  metrics.store.readFigures(() => store.figures());
  const observed = observedStore(store, metrics.store);
  return { store: tracing === undefined ? observed : tracedStore(observed, tracing), guard };
}
