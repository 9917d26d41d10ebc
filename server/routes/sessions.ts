import { Router } from 'express';
import { valueJson } from '@steadyhand/sessions';
import type { ServerDeps } from '../deps.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';
import { sendJsonText } from '../send-json-text.ts';

/** `/v1/sessions` of the Managed Agents API, without the events. */
export function sessionRoutes({ sessions, runtime }: Pick<ServerDeps, 'sessions' | 'runtime'>): Router {
  const router = Router();
  route(router, '/v1/sessions', {
    get: async (req, res) => void res.json(await sessions.list(queryOf(req))),
    post: async (req, res) => {
      const session = await sessions.create(req.body);
      // For `initial_events`; a session without any starts running with its first message.
      await runtime.deliver(session.id);
      res.json(session);
    },
  });
  route(router, '/v1/sessions/:id', {
    get: async (req, res) => void res.json(await sessions.retrieve(pathPart(req, 'id'))),
    post: async (req, res) => void res.json(await sessions.update(pathPart(req, 'id'), req.body)),
    delete: async (req, res) => {
      const deleted = await sessions.delete(pathPart(req, 'id'));
      await runtime.end(deleted.id);
      res.json(deleted);
    },
  });
  route(router, '/v1/sessions/:id/archive', {
    post: async (req, res) => void res.json(await sessions.archive(pathPart(req, 'id'))),
  });
  route(router, '/v1/sessions/:id/resources', {
    get: async (req, res) => void res.json(await sessions.resources.list(pathPart(req, 'id'), queryOf(req))),
    post: async (req, res) => void res.json(await sessions.resources.add(pathPart(req, 'id'), req.body)),
  });
  route(router, '/v1/sessions/:id/resources/:resource', {
    get: async (req, res) => {
      res.json(await sessions.resources.retrieve(pathPart(req, 'id'), pathPart(req, 'resource')));
    },
    post: async (req, res) => {
      res.json(await sessions.resources.update(pathPart(req, 'id'), pathPart(req, 'resource'), req.body));
    },
    delete: async (req, res) => {
      res.json(await sessions.resources.delete(pathPart(req, 'id'), pathPart(req, 'resource')));
    },
  });
  route(router, '/v1/sessions/:id/recording', {
    get: async (req, res) => {
      await sendJsonText(res, valueJson(await sessions.recording(pathPart(req, 'id'))));
    },
  });
  route(router, '/v1/sessions/:id/verify', {
    get: async (req, res) => void res.json(await sessions.verify(pathPart(req, 'id'))),
  });
  route(router, '/v1/sessions/:id/state', {
    get: async (req, res) => {
      const { id, status } = await sessions.retrieve(pathPart(req, 'id'));
      res.json({ type: 'session_state', session_id: id, status, state: await runtime.state(id) });
    },
  });
  return router;
}
