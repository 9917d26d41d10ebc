import { z } from 'zod';
import { InvalidRequestError, type Tracing } from '@steadyhand/contracts';
import {
  type BlobLink,
  DELTA_TYPES,
  eventsQuery,
  grantInput,
  Query,
  sendBody,
  type SessionEvents,
} from '@steadyhand/sessions';
import type { Blobs } from '@steadyhand/store';
import { eventFrames } from '../http/event-frames.ts';
import { openEventStream } from '../http/event-stream.ts';
import { sendJsonText } from '../http/send.ts';
import { tellSent } from '../http/traced-events.ts';
import { named } from '../routing/components.ts';
import { eventStream, json, jsonPieces, pageOf, wholeList } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';
import { blobLink } from './blobs.ts';
import { event, streamedEvent } from './event-shapes.ts';
import type { SessionRuntime } from './services.ts';

const sources = z
  .enum(['base64', 'url'])
  .default('base64')
  .describe('How pictures stand in events: their bytes, or a link to `/v1/blobs/…`');

named({ eventSend: sendBody, grant: grantInput });

const deltas = {
  event_deltas: z
    .array(z.enum(DELTA_TYPES))
    .describe(
      'Events to be shown while they are made, by `event_start` and `event_delta`: never stored, best effort. `agent.thinking` ' +
        'tells that the model has begun to think, `agent.thinking.text` what it thinks',
    )
    .optional(),
};

export interface EventRouteDeps {
  readonly sessions: { readonly events: SessionEvents };
  readonly runtime: Pick<SessionRuntime, 'deliver'>;
  readonly blobs: Blobs;
  readonly tracing?: Tracing | undefined;
  /** It is aborted when the server drains. */
  readonly draining: AbortSignal;
}

const route = routesOf<EventRouteDeps>()('Events', {
  id: 'A session’s id, `sesn_…`',
  tool_use: 'The id of an `agent.tool_use`, `sevt_…`',
});

/** The routes of `/v1/sessions/{id}/events`, as in the Managed Agents API: they list, send and stream events. */
export const eventRoutes = [
  route('GET /v1/sessions/{id}/events', 'listEvents', 'List a session’s events', {
    query: { ...eventsQuery, sources },
    answer: jsonPieces(pageOf(event)),
    handle: async ({ sessions }, { params, search, res }) => {
      const { query, link } = readQuery(search);
      await sendJsonText(res, await sessions.events.list(params.id, query, link));
    },
  }),
  route('POST /v1/sessions/{id}/events', 'sendEvents', 'Send events', {
    headers: { 'idempotency-key': z.string().describe('The same key again is the same message').optional() },
    body: json(sendBody, {
      events: [{ type: 'user.message', content: [{ type: 'text', text: '- say: hello' }] }],
    }),
    answer: wholeList(event),
    errors: [409],
    handle: async ({ sessions, runtime }, { params, unchecked, req }) => {
      const sent = await sessions.events.send(params.id, unchecked, req.get('idempotency-key'));
      await runtime.deliver(params.id);
      return sent;
    },
  }),
  route(
    'GET /v1/sessions/{id}/tool_uses/{tool_use}/grants',
    'listGrantChoices',
    'List what can be allowed for a session',
    {
      description:
        'Grants that cover this tool use, the narrowest first, for the field `grant` of its `user.tool_confirmation`.',
      answer: wholeList(grantInput),
      handle: ({ sessions }, { params }) => sessions.events.grantsFor(params.id, params.tool_use),
    },
  ),
  /**
   * Without `Last-Event-ID` the stream begins now, as the official clients expect: they open it, then list what was
   * before. With it (browsers send it by themselves after a cut) it begins right after that event.
   */
  route('GET /v1/sessions/{id}/events/stream', 'streamEvents', 'Stream a session’s events', {
    headers: {
      'last-event-id': z
        .string()
        .describe('The stream begins right after this event; without it, now')
        .optional(),
    },
    query: {
      ...deltas,
      sources,
    },
    answer: eventStream(streamedEvent),
    handle: async ({ sessions, blobs, draining, tracing }, { params, search, req, res }) => {
      const { link, query } = readQuery(search);
      const shown = new Query(query, deltas).list('event_deltas');
      const place = await sessions.events.place(params.id, req.get('last-event-id'));
      const stream = openEventStream(res, draining);
      if (req.method === 'HEAD') stream.end();
      for await (const read of sessions.events.stream(params.id, place, stream.signal, {
        link,
        deltas: shown,
      })) {
        const began = Date.now();
        await stream.sendPieces(eventFrames(read, blobs));
        if (tracing !== undefined) tellSent(tracing, params.id, read.events, began);
      }
      stream.end();
    },
  }),
];

/**
 * `sources=url` asks for links in place of base64, which extends the API for pages that show pictures; the rest of the query
 * is the API's own.
 */
function readQuery(query: URLSearchParams): { readonly query: URLSearchParams; readonly link?: BlobLink } {
  const asked = query.get('sources');
  query.delete('sources');
  if (asked === null || asked === 'base64') return { query };
  if (asked === 'url') return { query, link: blobLink };
  throw new InvalidRequestError("sources: Input should be 'base64' or 'url'");
}
