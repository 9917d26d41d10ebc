import { Router } from 'express';
import type { ServerDeps } from '../deps.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';

/** `/v1/agents` of the Managed Agents API. */
export function agentRoutes({ sessions: { agents } }: Pick<ServerDeps, 'sessions'>): Router {
  const router = Router();
  route(router, '/v1/agents', {
    get: async (req, res) => void res.json(await agents.list(queryOf(req))),
    post: async (req, res) => void res.json(await agents.create(req.body)),
  });
  route(router, '/v1/agents/:id', {
    get: async (req, res) => void res.json(await agents.retrieve(pathPart(req, 'id'), queryOf(req))),
    post: async (req, res) => void res.json(await agents.update(pathPart(req, 'id'), req.body)),
  });
  route(router, '/v1/agents/:id/versions', {
    get: async (req, res) => void res.json(await agents.versions(pathPart(req, 'id'), queryOf(req))),
  });
  route(router, '/v1/agents/:id/archive', {
    post: async (req, res) => void res.json(await agents.archive(pathPart(req, 'id'))),
  });
  return router;
}
