import { Router } from 'express';
import { countMessageTokens, parseCountRequest, resolveFiles } from '@steadyhand/messages';
import { betasOf } from '../api-version.ts';
import type { ServerDeps } from '../deps.ts';
import { goneSignal } from '../gone-signal.ts';
import { admitRequest } from '../limits/meter.ts';
import { route } from '../routing.ts';

interface CountRouteDeps extends Pick<ServerDeps, 'providers' | 'files'> {
  /** Aborted when the server ends and waits for answers no longer. */
  readonly ending: AbortSignal;
}

/**
 * `POST /v1/messages/count_tokens`: what a request would cost, without asking for a reply. Clients of the beta, which say so
 * with any beta or with `?beta=true`, are also told what edits of the context take away.
 */
export function countTokenRoutes({ providers, files, ending }: CountRouteDeps): Router {
  const router = Router();
  route(router, '/v1/messages/count_tokens', {
    post: async (req, res) => {
      const request = await resolveFiles(parseCountRequest(req.body, { betas: betasOf(req) }), files);
      admitRequest(res, 'count_tokens', request.model);
      const count = await countMessageTokens(request, { providers, signal: goneSignal(res, ending) });
      const beta = request.betas.length > 0 || req.query['beta'] === 'true';
      res.json(beta ? count : { input_tokens: count.input_tokens });
    },
  });
  return router;
}
