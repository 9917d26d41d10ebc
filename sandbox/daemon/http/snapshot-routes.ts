import { SandboxError, type SnapshotInfo } from '@steadyhand/contracts';
import { isDiskFull } from '../../error-fields.ts';
import { invalidRequest } from '../../invalid-request.ts';
import { TreeTooLargeError } from '../../snapshots/copy-tree.ts';
import { type Snapshots, isSnapshotId } from '../../snapshots/snapshots.ts';
import { type DaemonRoutes, readJson } from './exchange.ts';

/** `POST /snapshots {id}`, `GET /snapshots`, `DELETE /snapshots?id=`, `POST /restore {id}`. */
export function snapshotRoutes(daemon: {
  readonly snapshots: Pick<Snapshots, 'list' | 'remove'>;
  snapshot(id: string): Promise<SnapshotInfo>;
  restore(id: string): Promise<SnapshotInfo>;
}): DaemonRoutes {
  return {
    'POST /snapshots': async ({ request }) => {
      const id = readId(await readJson(request));
      return withSandboxErrors(() => daemon.snapshot(id));
    },
    'GET /snapshots': async () => ({ snapshots: await daemon.snapshots.list() }),
    'DELETE /snapshots': async ({ query }) => ({
      deleted: await daemon.snapshots.remove(query.get('id') ?? ''),
    }),
    'POST /restore': async ({ request }) => {
      const id = readId(await readJson(request));
      return withSandboxErrors(() => daemon.restore(id));
    },
  };
}

function readId(body: unknown): string {
  const id: unknown = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
  if (typeof id === 'string' && isSnapshotId(id)) return id;
  throw invalidRequest('id: expected snap_ and letters or digits');
}

async function withSandboxErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TreeTooLargeError) throw new SandboxError('too_large', error.message);
    if (isDiskFull(error)) throw new SandboxError('storage_full', 'the disk is full; nothing was changed');
    throw error;
  }
}
