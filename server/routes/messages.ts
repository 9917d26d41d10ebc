import { Router } from 'express';
import { createMessage } from '../../messages/create-message.ts';
import { parseMessageRequest } from '../../messages/schema/parse-message-request.ts';
import type { ServerDeps } from '../deps.ts';
import { goneSignal } from '../gone-signal.ts';
import { route } from '../routing.ts';

/** `POST /v1/messages`: one reply of a model, not streamed. */
export function messageRoutes({ providers, newId }: Pick<ServerDeps, 'providers' | 'newId'>): Router {
  const router = Router();
  route(router, '/v1/messages', {
    post: async (req, res) => {
      const betas = (req.get('anthropic-beta') ?? '').split(',');
      const request = parseMessageRequest(req.body, { betas });
      res.json(await createMessage(request, { providers, signal: goneSignal(res), id: newId('msg') }));
    },
  });
  return router;
}
