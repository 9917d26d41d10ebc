import { z } from 'zod';
import { ApiError, type SnapshotInfo } from '@steadyhand/contracts';
import { count, deleted, json, time, wholeList } from '../routing/shapes.ts';
import { routesOf, type DeepReadonly } from '../routing/route.ts';
import type { SandboxService, SnapshotService } from './services.ts';

const snapshot = z.object({
  id: z.string().describe('`snap_…`'),
  type: z.literal('sandbox_snapshot'),
  sandbox_id: z
    .string()
    .describe('The sandbox that it was taken of, which may be gone; empty where that cannot be read'),
  status: z.enum(['ready', 'failed']).describe('`failed`: its record is damaged, and it can only be deleted'),
  reason: z.string().nullable().describe('Why it is `failed`'),
  created_at: time,
  entries: count,
  size_bytes: count.describe('Of regular files'),
  skipped: count.describe('FIFOs, sockets and whatever else is no file, folder or link'),
  skipped_paths: z.array(z.string()).describe('The first hundred of them, relative'),
}) satisfies z.ZodType<SnapshotInfo>;

export interface SnapshotRouteDeps {
  readonly sandboxes: Pick<SandboxService, 'get'>;
  readonly snapshots: SnapshotService;
  readonly requireRoom?: () => void;
}

const ofSandbox = routesOf<SnapshotRouteDeps>()('Sandboxes', {
  id: 'A sandbox’s id, `sbx_…`',
  snapshot: 'A snapshot’s id, `snap_…`',
});
const route = routesOf<SnapshotRouteDeps>()('Sandboxes', { id: 'A snapshot’s id, `snap_…`' });

/** The routes of the snapshots of sandboxes' workspaces. */
export const snapshotRoutes = [
  ofSandbox('GET /v1/sandboxes/{id}/snapshots', 'listSnapshotsOfSandbox', 'List the snapshots of a sandbox', {
    answer: wholeList(snapshot),
    errors: [500],
    handle: async ({ sandboxes, snapshots }, { params }) => {
      const { id } = await sandboxes.get(params.id);
      return { data: (await snapshots.listOf(id)).map(view) };
    },
  }),
  ofSandbox('POST /v1/sandboxes/{id}/snapshots', 'takeSnapshot', 'Take a snapshot of a sandbox’s workspace', {
    description: 'Between two actions.',
    answer: snapshot,
    errors: [413, 500],
    handle: async ({ sandboxes, snapshots, requireRoom }, { params }) => {
      const { id } = await sandboxes.get(params.id);
      requireRoom?.();
      return view(await snapshots.take(id));
    },
  }),
  ofSandbox(
    'DELETE /v1/sandboxes/{id}/snapshots/{snapshot}',
    'deleteSnapshotOfSandbox',
    'Delete a snapshot of a sandbox',
    {
      description: 'Not found is one of another sandbox.',
      answer: deleted('sandbox_snapshot_deleted'),
      errors: [500],
      handle: async ({ sandboxes, snapshots }, { params }) => {
        const { id } = await sandboxes.get(params.id);
        return removed(params.snapshot, await snapshots.removeOf(id, params.snapshot));
      },
    },
  ),
  ofSandbox(
    'POST /v1/sandboxes/{id}/restore',
    'restoreSnapshot',
    'Make a sandbox’s workspace that of a snapshot',
    {
      description: 'Its computer is started anew. Refused while an action is under way.',
      body: json(z.strictObject({ snapshot_id: z.string() }), { snapshot_id: 'snap_…' }),
      answer: snapshot,
      errors: [409, 500],
      handle: async ({ sandboxes, snapshots, requireRoom }, call) => {
        const { id } = await sandboxes.get(call.params.id);
        const { snapshot_id: wanted } = call.body;
        requireRoom?.();
        return view(await snapshots.restore(id, wanted));
      },
    },
  ),
  route('GET /v1/snapshots', 'listSnapshots', 'List snapshots', {
    description: 'Of whatever sandbox, newest first.',
    answer: wholeList(snapshot),
    handle: async ({ snapshots }) => ({ data: (await snapshots.list()).map(view) }),
  }),
  route('GET /v1/snapshots/{id}', 'retrieveSnapshot', 'Retrieve a snapshot', {
    answer: snapshot,
    handle: async ({ snapshots }, { params: { id } }) => {
      const found = await snapshots.find(id);
      if (found === null) throw unknown(id);
      return view(found);
    },
  }),
  route('DELETE /v1/snapshots/{id}', 'deleteSnapshot', 'Delete a snapshot', {
    answer: deleted('sandbox_snapshot_deleted'),
    handle: async ({ snapshots }, { params: { id } }) => removed(id, await snapshots.remove(id)),
  }),
];

function removed(id: string, wasThere: boolean): { id: string; type: 'sandbox_snapshot_deleted' } {
  if (!wasThere) throw unknown(id);
  return { id, type: 'sandbox_snapshot_deleted' };
}

function unknown(id: string): ApiError {
  return new ApiError('not_found_error', `Snapshot not found: ${id}`);
}

function view({ id, ...info }: SnapshotInfo): DeepReadonly<z.output<typeof snapshot>> {
  return { id, type: 'sandbox_snapshot', ...info };
}
