import path from 'node:path';
import { createSandboxes, type SandboxPool, type Sandboxes } from '@steadyhand/sandbox/client';
import type { Store } from '@steadyhand/store';
import { poolOf } from '../sandbox-pool.ts';
import { storeRegistry } from '../sandbox-registry.ts';
import { storeArchives } from '../snapshot-archives.ts';
import type { Start } from './start.ts';

export interface Computers {
  readonly sandboxes: Sandboxes;
  /** Undefined without a pool token. */
  readonly pool: SandboxPool | undefined;
}

/** Opens the sandboxes, and adopts those that run. */
export async function openComputers(
  { config, dist, log, readiness, tracing, shutdown }: Start,
  { sandboxes: records, installation, files }: Pick<Store, 'sandboxes' | 'installation' | 'files'>,
): Promise<Computers> {
  const dir = path.join(config.dataDir, 'sandboxes');
  // Every server and worker with the same store reaches every sandbox of the pool.
  const registry = records === null ? undefined : storeRegistry(records, installation);
  const pool = poolOf(config.sandbox.pool, { dir, registry, logger: log });
  const sandboxes = createSandboxes({
    dir,
    daemonEntry: dist('sandbox-daemon.mjs'),
    guestEntry: dist('sandbox-guest.cjs'),
    isolation: config.sandbox.isolation,
    allowPrivate: config.sandbox.allowPrivate,
    resolve: config.sandbox.resolve,
    defaults: { limits: config.sandbox.limits },
    containerImage: config.sandbox.image,
    ...(pool === undefined ? {} : { pool }),
    archives: storeArchives(files),
    tracing,
    logger: log,
  });
  shutdown.add(() => sandboxes.close());
  await sandboxes.adopt();
  // A server without members must stay reachable: they register with it.
  if (pool !== undefined)
    readiness.add({
      name: 'pool',
      isRequired: false,
      look: async () => {
        const { members } = await pool.figures();
        if (members === 0) throw new Error('no member of the sandbox pool was heard of lately');
      },
    });
  return { sandboxes, pool };
}
