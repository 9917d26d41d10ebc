import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import { SandboxSnapshots } from '../sandbox/client/snapshots.ts';
import type { SnapshotInfo } from '../sandbox/protocol.ts';
import type { SnapshotService } from '../server/services.ts';
import { asked } from './sandbox-service.ts';

/** Snapshots as the server uses them: their errors become the API's. */
export function snapshotService(sandboxes: Pick<Sandboxes, 'reach' | 'snapshots'>): SnapshotService {
  const ofSandboxes = new SandboxSnapshots(sandboxes);
  const listOf = async (sandbox: string): Promise<readonly SnapshotInfo[]> =>
    (await asked(() => ofSandboxes.list(sandbox))).filter(({ sandbox_id }) => sandbox_id === sandbox);
  return {
    take: (sandbox) => asked(() => ofSandboxes.take(sandbox)),
    listOf,
    restore: (sandbox, id) => asked(() => ofSandboxes.restore(sandbox, id)),
    removeOf: async (sandbox, id) => {
      const isIts = (await listOf(sandbox)).some((info) => info.id === id);
      return isIts && asked(() => ofSandboxes.remove(sandbox, id));
    },
    list: () => sandboxes.snapshots.list(),
    find: (id) => sandboxes.snapshots.find(id),
    remove: (id) => sandboxes.snapshots.remove(id),
  };
}
