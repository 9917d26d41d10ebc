import type { Response } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import {
  countMessageTokens,
  countRequestSchema,
  createMessage,
  type FileContents,
  parseCountRequest,
  parseMessageRequest,
  type ProviderRegistry,
  resolveFiles,
  streamMessage,
  TOOL_BETAS,
} from '@steadyhand/messages';
import { betasOf } from '../http/api-version.ts';
import { toApiError } from '../http/errors.ts';
import { goneSignal } from '../http/gone-signal.ts';
import { sendMessageStream, type StreamTiming } from '../http/message-stream.ts';
import { requestId } from '../http/request-id.ts';
import { admitRequest, openMeter } from '../limits/meter.ts';
import { named } from '../routing/components.ts';
import { count, json, jsonOrStream } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';
import { betas, message, messageBody, messageEvent, SCRIPT_EXAMPLE } from './message-shapes.ts';

/** A body of `POST /v1/messages/count_tokens` under every beta that matters to its shape. */
const countBody: z.ZodType = countRequestSchema(TOOL_BETAS);

const tokenCount = z.object({
  input_tokens: count,
  context_management: z
    .exactOptional(z.object({ original_input_tokens: count }).nullable())
    .describe('Told to clients of a beta: what the request would use without its edits of the context'),
});

named({ countRequest: countBody, tokenCount });

export interface MessageRouteDeps {
  readonly providers: ProviderRegistry;
  readonly files: FileContents;
  readonly newId: (prefix: string) => string;
  readonly log: Logger;
  readonly streaming?: StreamTiming;
  /** It is aborted when the server ends and waits for answers no longer. */
  readonly ending: AbortSignal;
}

const route = routesOf<MessageRouteDeps>()('Messages', {});

/** The routes of `/v1/messages`, as in the Messages API. */
export const messageRoutes = [
  route('POST /v1/messages', 'createMessage', 'Create a message', {
    description:
      'One reply of a model, whole or as a stream of events. The model `script` carries out a YAML list of steps.',
    headers: betas,
    body: json(messageBody, SCRIPT_EXAMPLE),
    answer: jsonOrStream(message, messageEvent),
    errors: [401, 402, 403, 404, 413, 429, 500, 504, 529],
    handle: async ({ providers, files, newId, log, streaming, ending }, { req, res, unchecked }) => {
      const request = await resolveFiles(parseMessageRequest(unchecked, { betas: betasOf(req) }), files);
      const meter = await openMeter(res, request);
      const { trace } = meter;
      const options = { providers, signal: goneSignal(res, ending), id: newId('msg'), trace };
      if (request.stream) {
        const events = meter.counted(streamMessage(request, options));
        await sendMessageStream(res, events, { ...streaming, failed: logFailure(log, res) });
      } else {
        const reply = await createMessage(request, options);
        meter.reply(reply);
        res.json(reply);
      }
    },
  }),
  /**
   * What a request would cost, without asking for a reply. Clients of the beta, which say so with any beta or with `?beta=true`,
   * are also told what edits of the context take away.
   */
  route('POST /v1/messages/count_tokens', 'countTokens', 'Count the tokens of a message', {
    description:
      'What a request would use as input. The upstream counts for its own models; the others are counted for here.',
    headers: betas,
    body: json(countBody, { model: 'script', messages: [{ role: 'user', content: 'Hello' }] }),
    answer: tokenCount,
    errors: [401, 402, 403, 404, 413, 429, 500, 504, 529],
    handle: async ({ providers, files, ending }, { req, res, unchecked }) => {
      const request = await resolveFiles(parseCountRequest(unchecked, { betas: betasOf(req) }), files);
      await admitRequest(res, 'count_tokens', request.model);
      const counted = await countMessageTokens(request, { providers, signal: goneSignal(res, ending) });
      const beta = request.betas.length > 0 || req.query['beta'] === 'true';
      return beta ? counted : { input_tokens: counted.input_tokens };
    },
  }),
];

function logFailure(log: Logger, res: Response): (error: unknown) => void {
  return (error) => {
    const line = { err: error, request_id: requestId(res) };
    if (toApiError(error).status >= 500) log.error(line, 'stream failed');
  };
}
