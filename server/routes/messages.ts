import { type Response, Router } from 'express';
import { createMessage, parseMessageRequest, resolveFiles, streamMessage } from '@steadyhand/messages';
import { betasOf } from '../api-version.ts';
import type { ServerDeps } from '../deps.ts';
import { toApiError } from '../errors.ts';
import { goneSignal } from '../gone-signal.ts';
import { openMeter } from '../limits/meter.ts';
import { sendMessageStream } from '../message-stream.ts';
import { requestId } from '../request-id.ts';
import { route } from '../routing.ts';

interface MessageRouteDeps extends Pick<ServerDeps, 'providers' | 'files' | 'newId' | 'log' | 'streaming'> {
  /** Aborted when the server ends and waits for answers no longer. */
  readonly ending: AbortSignal;
}

/** `POST /v1/messages`: one reply of a model, whole or as a stream of events. */
export function messageRoutes(deps: MessageRouteDeps): Router {
  const { providers, files, newId, log, streaming, ending } = deps;
  const router = Router();
  const failed = (res: Response) => (error: unknown) => {
    const line = { err: error, request_id: requestId(res) };
    if (toApiError(error).status >= 500) log.error(line, 'stream failed');
  };
  route(router, '/v1/messages', {
    post: async (req, res) => {
      const parsed = parseMessageRequest(req.body, { betas: betasOf(req) });
      const request = await resolveFiles(parsed, files);
      const meter = openMeter(res, request);
      const { trace } = meter;
      const options = { providers, signal: goneSignal(res, ending), id: newId('msg'), trace };
      if (request.stream) {
        const events = meter.counted(streamMessage(request, options));
        await sendMessageStream(res, events, { ...streaming, failed: failed(res) });
      } else {
        const message = await createMessage(request, options);
        meter.reply(message);
        res.json(message);
      }
    },
  });
  return router;
}
