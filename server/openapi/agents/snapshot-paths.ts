import { z } from 'zod';
import type { SnapshotInfo } from '@steadyhand/contracts';
import { restoreBody } from '../../routes/snapshots.ts';
import type { Components } from '../components.ts';
import { type Operation, type Paths, pathParameter } from '../document.ts';
import { answers, type Described, describe as describeWith, json } from './operations.ts';
import { deleted, time, wholeList } from './shapes.ts';

export const snapshot = z.object({
  id: z.string().describe('`snap_…`'),
  type: z.literal('sandbox_snapshot'),
  sandbox_id: z
    .string()
    .describe('The sandbox that it was taken of, which may be gone; empty where that cannot be read'),
  status: z.enum(['ready', 'failed']).describe('`failed`: its record is damaged, and it can only be deleted'),
  reason: z.string().nullable().describe('Why it is `failed`'),
  created_at: time,
  entries: z.int().min(0),
  size_bytes: z.int().min(0).describe('Of regular files'),
  skipped: z.int().min(0).describe('FIFOs, sockets and whatever else is no file, folder or link'),
  skipped_paths: z.array(z.string()).describe('The first hundred of them, relative'),
}) satisfies z.ZodType<SnapshotInfo>;

const SANDBOX = pathParameter('id', 'A sandbox’s id, `sbx_…`');
const SNAPSHOT = pathParameter('id', 'A snapshot’s id, `snap_…`');

/** The routes of snapshots of sandboxes' workspaces. */
export function snapshotPaths(components: Components): Paths {
  const describe = (id: string, summary: string, described: Omit<Described, 'tag'>): Operation =>
    describeWith(components, id, summary, { tag: 'Sandboxes', ...described });
  return {
    '/v1/sandboxes/{id}/snapshots': {
      get: describe('listSnapshotsOfSandbox', 'List the snapshots of a sandbox', {
        parameters: [SANDBOX],
        answer: answers(wholeList(snapshot)),
        errors: [404, 500],
      }),
      post: describe('takeSnapshot', 'Take a snapshot of a sandbox’s workspace', {
        description: 'Between two actions.',
        parameters: [SANDBOX],
        answer: answers(snapshot),
        errors: [404, 413, 500],
      }),
    },
    '/v1/sandboxes/{id}/snapshots/{snapshot}': {
      delete: describe('deleteSnapshotOfSandbox', 'Delete a snapshot of a sandbox', {
        description: 'Of one that lives in a container or on another machine, whose snapshots lie there.',
        parameters: [SANDBOX, pathParameter('snapshot', 'A snapshot’s id, `snap_…`')],
        answer: answers(deleted('sandbox_snapshot_deleted')),
        errors: [404, 500],
      }),
    },
    '/v1/sandboxes/{id}/restore': {
      post: describe('restoreSnapshot', 'Make a sandbox’s workspace that of a snapshot', {
        description: 'Its computer is started anew. Refused while an action is under way.',
        parameters: [SANDBOX],
        body: json(restoreBody, { snapshot_id: 'snap_…' }),
        answer: answers(snapshot),
        errors: [404, 409, 500],
      }),
    },
    '/v1/snapshots': {
      get: describe('listSnapshots', 'List snapshots of this machine', {
        description: 'Of whatever sandbox, newest first.',
        answer: answers(wholeList(snapshot)),
      }),
    },
    '/v1/snapshots/{id}': {
      get: describe('retrieveSnapshot', 'Retrieve a snapshot', {
        parameters: [SNAPSHOT],
        answer: answers(snapshot),
        errors: [404],
      }),
      delete: describe('deleteSnapshot', 'Delete a snapshot', {
        parameters: [SNAPSHOT],
        answer: answers(deleted('sandbox_snapshot_deleted')),
        errors: [404],
      }),
    },
  };
}
