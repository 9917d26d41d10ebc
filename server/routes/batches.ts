import { Router, type Request } from 'express';
import { betasOf } from '../api-version.ts';
import type { ServerDeps } from '../deps.ts';
import { batchBody } from '../body/batch-body.ts';
import { sendStream } from '../send-stream.ts';
import { admitRequest } from '../limits/meter.ts';
import { originOf } from '../origin.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';

/** The media type of lines of JSON. */
export const JSON_LINES = 'application/x-jsonl';

/** `/v1/messages/batches`. It reads its own bodies: see `batch-body.ts`. */
export function batchRoutes({
  batches,
  batchRuntime,
  uploadTimeoutMs,
}: Pick<ServerDeps, 'batches' | 'batchRuntime' | 'uploadTimeoutMs'>): Router {
  const router = Router();
  const idOf = (req: Request): string => pathPart(req, 'id');

  route(router, '/v1/messages/batches', {
    get: async (req, res) => {
      res.json(await batches.list(queryOf(req), originOf(req)));
    },
    post: async (req, res) => {
      admitRequest(res, 'batches');
      const body = batchBody(req, uploadTimeoutMs);
      const batch = await batches.create(body, { betas: betasOf(req), origin: originOf(req) });
      res.json(batch);
      // It stands in the store, and is offered until it is taken.
      void batchRuntime.deliver(batch.id);
    },
  });
  route(router, '/v1/messages/batches/:id', {
    get: async (req, res) => {
      res.json(await batches.retrieve(idOf(req), originOf(req)));
    },
    delete: async (req, res) => {
      res.json(await batches.delete(idOf(req)));
    },
  });
  route(router, '/v1/messages/batches/:id/cancel', {
    post: async (req, res) => {
      const batch = await batches.cancel(idOf(req), originOf(req));
      res.json(batch);
      void batchRuntime.deliver(batch.id);
    },
  });
  route(router, '/v1/messages/batches/:id/results', {
    get: async (req, res) => {
      const lines = await batches.results(idOf(req));
      res.setHeader('content-type', JSON_LINES);
      if (req.method === 'HEAD') res.end();
      else await sendStream(res, lines);
    },
  });
  return router;
}
