import { Router } from 'express';
import type { ServerDeps } from '../deps.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';

/** `/v1/environments` of the Managed Agents API. */
export function environmentRoutes({ sessions: { environments } }: Pick<ServerDeps, 'sessions'>): Router {
  const router = Router();
  route(router, '/v1/environments', {
    get: async (req, res) => void res.json(await environments.list(queryOf(req))),
    post: async (req, res) => void res.json(await environments.create(req.body)),
  });
  route(router, '/v1/environments/:id', {
    get: async (req, res) => void res.json(await environments.retrieve(pathPart(req, 'id'))),
    post: async (req, res) => void res.json(await environments.update(pathPart(req, 'id'), req.body)),
    delete: async (req, res) => void res.json(await environments.delete(pathPart(req, 'id'))),
  });
  route(router, '/v1/environments/:id/archive', {
    post: async (req, res) => void res.json(await environments.archive(pathPart(req, 'id'))),
  });
  return router;
}
