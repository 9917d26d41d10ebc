import { pipeline } from 'node:stream/promises';
import { SandboxError, type SnapshotInfo } from '@steadyhand/contracts';
import { isDiskFull } from '../../error-fields.ts';
import { invalidRequest } from '../../invalid-request.ts';
import { TreeTooLargeError } from '../../snapshots/copy-tree.ts';
import { type Snapshots, isSnapshotId } from '../../snapshots/snapshots.ts';
import { type DaemonRoutes, readJson } from './exchange.ts';

/**
 * `POST /snapshots {id}`, `GET /snapshots`, `DELETE /snapshots?id=`, `GET|PUT /snapshots/archive?id=`, `POST /restore {id,
 * first}`.
 */
export function snapshotRoutes(daemon: {
  readonly snapshots: Pick<Snapshots, 'list' | 'pack' | 'remove' | 'unpack'>;
  snapshot(id: string): Promise<SnapshotInfo>;
  restore(id: string, options: { readonly first: boolean }): Promise<SnapshotInfo>;
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
    'GET /snapshots/archive': async ({ query, response }) => {
      const archive = await daemon.snapshots.pack(readId({ id: query.get('id') }));
      response.writeHead(200, { 'content-type': 'application/gzip' });
      await pipeline(archive, response);
    },
    'PUT /snapshots/archive': async ({ query, request }) => {
      const id = readId({ id: query.get('id') });
      return withSandboxErrors(() => daemon.snapshots.unpack(id, request));
    },
    'POST /restore': async ({ request }) => {
      const body = await readJson(request);
      const id = readId(body);
      const first = typeof body === 'object' && body !== null && 'first' in body && body.first === true;
      return withSandboxErrors(() => daemon.restore(id, { first }));
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
