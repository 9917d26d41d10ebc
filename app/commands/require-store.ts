import { existsSync } from 'node:fs';
import path from 'node:path';
import { TransferRefusedError } from '@steadyhand/store';
import type { Config } from '../config/config.ts';

/** Throws where the data folder holds no SQLite store, or the configuration has the store elsewhere. */
export function requireStore({ store, dataDir }: Config, command: string): void {
  if (store !== undefined)
    throw new TransferRefusedError(
      `${command} is for a store in DATA_DIR: STORE names a database, so use its own tools`,
    );
  if (!existsSync(path.join(dataDir, 'store', 'store.db')))
    throw new TransferRefusedError(`DATA_DIR=${dataDir} holds no store`);
}
