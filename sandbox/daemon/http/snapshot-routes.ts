import { SandboxError, type SnapshotInfo } from '@steadyhand/contracts';
import { isDiskFull } from '../../error-fields.ts';
import { TreeTooLargeError } from '../../snapshots/copy-tree.ts';
import { type Snapshots, isSnapshotId } from '../../snapshots/snapshots.ts';
import { type DaemonRoute, readJson, sendJson } from './exchange.ts';

/** `POST /snapshots {id}`, `GET /snapshots`, `DELETE /snapshots?id=`, `POST /restore {id}`. */
export function snapshotRoutes(daemon: {
  readonly snapshots: Pick<Snapshots, 'list' | 'remove'>;
  snapshot(id: string): Promise<SnapshotInfo>;
  restore(id: string): Promise<SnapshotInfo>;
}): readonly DaemonRoute[] {
  return [
    {
      method: 'POST',
      path: '/snapshots',
      handle: async ({ request, response }) => {
        const id = readId(await readJson(request));
        sendJson(response, 200, await withSandboxErrors(() => daemon.snapshot(id)));
      },
    },
    {
      method: 'GET',
      path: '/snapshots',
      handle: async ({ response }) => sendJson(response, 200, { snapshots: await daemon.snapshots.list() }),
    },
    {
      method: 'DELETE',
      path: '/snapshots',
      handle: async ({ response, query }) =>
        sendJson(response, 200, { deleted: await daemon.snapshots.remove(query.get('id') ?? '') }),
    },
    {
      method: 'POST',
      path: '/restore',
      handle: async ({ request, response }) => {
        const id = readId(await readJson(request));
        sendJson(response, 200, await withSandboxErrors(() => daemon.restore(id)));
      },
    },
  ];
}

function readId(body: unknown): string {
  const id: unknown = typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined;
  if (typeof id === 'string' && isSnapshotId(id)) return id;
  throw new SandboxError('invalid_request', 'id: expected snap_ and letters or digits');
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
