import { Router } from 'express';
import { createModelList, modelPage } from '@steadyhand/messages';
import type { ServerDeps } from '../deps.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';

/** `/v1/models` of the Messages API. */
export function modelRoutes({ catalog }: Pick<ServerDeps, 'catalog'>): Router {
  const router = Router();
  const models = createModelList({ catalog });
  route(router, '/v1/models', {
    get: async (req, res) => void res.json(modelPage(await models.all(), queryOf(req))),
  });
  route(router, '/v1/models/:id', {
    get: async (req, res) => void res.json(await models.retrieve(pathPart(req, 'id'))),
  });
  return router;
}
