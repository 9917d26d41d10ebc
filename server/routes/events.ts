import { type Request, Router } from 'express';
import { InvalidRequestError } from '@steadyhand/contracts';
import { type BlobLink, DELTA_TYPES, Query } from '@steadyhand/sessions';
import type { ServerDeps } from '../deps.ts';
import { eventFrames } from '../event-frames.ts';
import { openEventStream } from '../event-stream.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';
import { sendJsonText } from '../send-json-text.ts';
import { blobLink } from './blobs.ts';

interface EventRouteDeps extends Pick<ServerDeps, 'sessions' | 'runtime' | 'blobs'> {
  /** Aborted when the server drains. */
  readonly draining: AbortSignal;
}

/** `/v1/sessions/{id}/events` of the Managed Agents API: list, send, stream. */
export function eventRoutes({ sessions, runtime, blobs, draining }: EventRouteDeps): Router {
  const router = Router();
  route(router, '/v1/sessions/:id/events', {
    get: async (req, res) => {
      const { query, link } = readQuery(req);
      await sendJsonText(res, await sessions.events.list(pathPart(req, 'id'), query, link));
    },
    post: async (req, res) => {
      const id = pathPart(req, 'id');
      const sent = await sessions.events.send(id, req.body, req.get('idempotency-key'));
      await runtime.deliver(id);
      res.json(sent);
    },
  });

  /**
   * Without `Last-Event-ID` the stream begins now, as the official clients expect: they open it, then list what was
   * before. With it (browsers send it by themselves after a cut) it begins right after that event.
   */
  route(router, '/v1/sessions/:id/events/stream', {
    get: async (req, res) => {
      const id = pathPart(req, 'id');
      const { link, query } = readQuery(req);
      const deltas = new Query(query, ['event_deltas']).list('event_deltas', DELTA_TYPES);
      const place = await sessions.events.place(id, req.get('last-event-id'));
      const stream = openEventStream(res, draining);
      if (req.method === 'HEAD') stream.end();
      for await (const page of sessions.events.stream(id, place, stream.signal, { link, deltas })) {
        await stream.sendPieces(eventFrames(page, blobs));
      }
      stream.end();
    },
  });
  return router;
}

/**
 * `sources=url` asks for links in place of base64 (ours, for pages that show pictures); the rest of the query is the
 * API's own.
 */
function readQuery(req: Request): { readonly query: URLSearchParams; readonly link?: BlobLink } {
  const query = queryOf(req);
  const sources = query.get('sources');
  query.delete('sources');
  if (sources === null || sources === 'base64') return { query };
  if (sources === 'url') return { query, link: blobLink };
  throw new InvalidRequestError("sources: Input should be 'base64' or 'url'");
}
