import type { BetaManagedAgentsSessionEventType } from '@anthropic-ai/sdk/resources/beta/sessions/events.js';
import { z } from 'zod';
import { type Blobs, NotStoredError, type ReadRequest, type Store } from '@steadyhand/store';
import { fromStored } from '../events/log-event.ts';
import { createdAt, encodePage, limit, order, page, Query } from '../api/query.ts';
import type { TimeSlices } from './time-slices.ts';
import type { EventPages } from './event-pages.ts';
import { jsonText } from './json-text.ts';
import type { BlobLink } from './event-view.ts';
import { type SerializedEvent, serializeEvents } from './serialize.ts';

/** How much of the event log is read and held at a time. */
const READ_EVENTS = 100;
const READ_CHARACTERS = 256 * 1024;

/** The types that clients may ask for: all of the SDK's, including those that are never written here. */
const LISTABLE_EVENT_TYPES = [
  'user.message',
  'user.interrupt',
  'user.tool_confirmation',
  'user.custom_tool_result',
  'user.tool_result',
  'user.define_outcome',
  'agent.message',
  'agent.thinking',
  'agent.tool_use',
  'agent.tool_result',
  'agent.custom_tool_use',
  'agent.mcp_tool_use',
  'agent.mcp_tool_result',
  'agent.thread_message_received',
  'agent.thread_message_sent',
  'agent.thread_context_compacted',
  'session.error',
  'session.status_rescheduled',
  'session.status_running',
  'session.status_idle',
  'session.status_terminated',
  'session.thread_created',
  'session.thread_status_running',
  'session.thread_status_idle',
  'session.thread_status_rescheduled',
  'session.thread_status_terminated',
  'session.updated',
  'session.usage',
  'span.model_request_start',
  'span.model_request_end',
  'span.outcome_evaluation_start',
  'span.outcome_evaluation_ongoing',
  'span.outcome_evaluation_end',
  'system.message',
  'workflow_run.created',
  'workflow_run.status_running',
  'workflow_run.status_idle',
  'workflow_run.status_ended',
  'workflow_run.error',
  'workflow_run.phase_started',
  'workflow_run.phase_ended',
] as const satisfies readonly BetaManagedAgentsSessionEventType[];

export const eventsQuery = {
  limit: limit(100),
  page,
  order: order('asc'),
  types: z.array(z.enum(LISTABLE_EVENT_TYPES)).optional(),
  ...createdAt('gt', 'gte', 'lt', 'lte'),
};

/**
 * `GET /v1/sessions/{id}/events`: `order` (asc), `types`, `created_at[...]`, `limit` (100), `page`. It answers the JSON
 * of a `Page<SessionEvent>` in pieces, because a thousand events may hold many pictures.
 *
 * @throws {InvalidRequestError} for a wrong parameter, before the first piece
 */
export function listEvents(
  source: EventSource,
  session: string,
  params: URLSearchParams,
  link?: BlobLink,
): AsyncIterable<string> {
  const query = new Query(params, eventsQuery);
  const direction = query.choice('order');
  const types = query.list('types');
  const range = query.createdAt();
  const most = query.integer('limit');
  const place = query.page(z.int().min(0));
  const isWhole = direction === 'asc' && types === undefined && Object.keys(range).length === 0;
  const request = { session, order: direction, createdAt: range, ...(types === undefined ? {} : { types }) };
  const next = isWhole ? sharedPages(source, session, link) : ownPages(source, request, link);
  return listText(next, place, most, source.store.blobs);
}

/** The source of listed events. */
export interface EventSource {
  readonly store: Store;
  readonly slices: TimeSlices;
  readonly pages: EventPages;
}

/** Reads some of the events after a place; none at the end. At most `count` of them are used. */
type NextEvents = (place: number | undefined, count: number) => Promise<readonly SerializedEvent[]>;

/** Pages of a whole log are shared, as many clients ask for them. */
function sharedPages({ pages }: EventSource, session: string, link?: BlobLink): NextEvents {
  return async (place = 0) => {
    try {
      return (await pages.read(session, place, link)).events;
    } catch (error) {
      // The session was deleted while it was listed.
      if (error instanceof NotStoredError && error.kind === 'session') return [];
      throw error;
    }
  };
}

/** Filtered or reversed lists are read for the one request. */
function ownPages({ store, slices }: EventSource, request: ReadRequest, link?: BlobLink): NextEvents {
  return async (from, count) => {
    const place = from === undefined ? {} : request.order === 'asc' ? { after: from } : { before: from };
    const bounds = { limit: Math.min(count, READ_EVENTS), maxCharacters: READ_CHARACTERS };
    const found = await slices.run(() => store.events.read({ ...request, ...place, ...bounds }));
    return await serializeEvents(found.map(fromStored), slices, link);
  };
}

async function* listText(
  next: NextEvents,
  from: number | undefined,
  limit: number,
  blobs: Blobs,
): AsyncGenerator<string, void, undefined> {
  let last = from;
  let shown = 0;
  let isMore = false;
  yield '{"data":[';
  while (!isMore) {
    // One more event than is listed tells whether there is a next page.
    const found = await next(last, limit + 1 - shown);
    if (found.length === 0) break;
    const listed = found.slice(0, limit - shown);
    yield* jsonText(
      listed.flatMap(({ json }, index) => (shown + index > 0 ? [',', ...json] : json)),
      blobs,
    );
    shown += listed.length;
    last = listed.at(-1)?.seq ?? last;
    isMore = found.at(-1)?.seq !== last;
  }
  yield `],"next_page":${isMore ? JSON.stringify(encodePage(last)) : 'null'}}`;
}
