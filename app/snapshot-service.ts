import type { Sandboxes } from '../sandbox/client/sandboxes.ts';
import { SandboxSnapshots } from '../sandbox/client/snapshots.ts';
import type { SnapshotService } from '../server/deps.ts';
import { asked } from './sandbox-service.ts';

/** Snapshots as the server uses them: their errors become the API's. */
export function snapshotService(sandboxes: Pick<Sandboxes, 'reach' | 'snapshots'>): SnapshotService {
  const ofSandboxes = new SandboxSnapshots(sandboxes);
  return {
    take: (sandbox) => asked(() => ofSandboxes.take(sandbox)),
    listOf: (sandbox) => asked(() => ofSandboxes.list(sandbox)),
    restore: (sandbox, id) => asked(() => ofSandboxes.restore(sandbox, id)),
    list: () => sandboxes.snapshots.list(),
    find: (id) => sandboxes.snapshots.find(id),
    remove: (id) => sandboxes.snapshots.remove(id),
  };
}
