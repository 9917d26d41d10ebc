import { Router } from 'express';
import { z } from 'zod';
import { ApiError, type SnapshotInfo } from '@steadyhand/contracts';
import { parse } from '@steadyhand/sessions';
import type { ServerDeps } from '../deps.ts';
import { pathPart } from '../query.ts';
import { route } from '../routing.ts';

export const restoreBody = z.strictObject({ snapshot_id: z.string() });

/** Snapshots of sandboxes' workspaces: `/v1/sandboxes/{id}/snapshots`, `/v1/sandboxes/{id}/restore`, `/v1/snapshots`. */
export function snapshotRoutes({
  sandboxes,
  snapshots,
  requireRoom,
}: Pick<ServerDeps, 'sandboxes' | 'snapshots' | 'requireRoom'>): Router {
  const router = Router();
  route(router, '/v1/sandboxes/:id/snapshots', {
    get: async (req, res) => {
      const { id } = await sandboxes.get(pathPart(req, 'id'));
      res.json({ data: (await snapshots.listOf(id)).map(view) });
    },
    post: async (req, res) => {
      const { id } = await sandboxes.get(pathPart(req, 'id'));
      requireRoom?.();
      res.json(view(await snapshots.take(id)));
    },
  });
  route(router, '/v1/sandboxes/:id/snapshots/:snapshot', {
    delete: async (req, res) => {
      const { id: sandbox } = await sandboxes.get(pathPart(req, 'id'));
      const id = pathPart(req, 'snapshot');
      if (!(await snapshots.removeOf(sandbox, id))) throw unknown(id);
      res.json({ id, type: 'sandbox_snapshot_deleted' });
    },
  });
  route(router, '/v1/sandboxes/:id/restore', {
    post: async (req, res) => {
      const { id } = await sandboxes.get(pathPart(req, 'id'));
      const { snapshot_id: snapshotId } = parse(restoreBody, req.body);
      requireRoom?.();
      res.json(view(await snapshots.restore(id, snapshotId)));
    },
  });
  route(router, '/v1/snapshots', {
    get: async (_req, res) => void res.json({ data: (await snapshots.list()).map(view) }),
  });
  route(router, '/v1/snapshots/:id', {
    get: async (req, res) => {
      const id = pathPart(req, 'id');
      const found = await snapshots.find(id);
      if (found === null) throw unknown(id);
      res.json(view(found));
    },
    delete: async (req, res) => {
      const id = pathPart(req, 'id');
      if (!(await snapshots.remove(id))) throw unknown(id);
      res.json({ id, type: 'sandbox_snapshot_deleted' });
    },
  });
  return router;
}

function unknown(id: string): ApiError {
  return new ApiError('not_found_error', `Snapshot not found: ${id}`);
}

function view({ id, ...info }: SnapshotInfo): object {
  return { id, type: 'sandbox_snapshot', ...info };
}
