import { z } from 'zod';
import type { ListPlace, SessionListRequest, SessionRecord, Store } from '@steadyhand/store';
import { CREATED_AT, encodePage, Query, type TwoWayPage } from './api/page.ts';
import { type Session, viewSession } from './session-view.ts';

const STATUSES = ['rescheduling', 'running', 'idle', 'terminated'] as const;

const PARAMETERS = [
  'agent_id',
  'agent_version',
  'deployment_id',
  'memory_store_id',
  'include_archived',
  'order',
  'statuses',
  'limit',
  'page',
  ...CREATED_AT,
];

/** A page token: the last session of the previous page, or, backwards, the first of the next page. */
const token = z.strictObject({ created_at: z.string(), id: z.string(), back: z.boolean() });

/** `GET /v1/sessions`: newest first unless `order=asc`. */
export async function listSessions(
  store: Store,
  params: URLSearchParams,
  now: number,
): Promise<TwoWayPage<Session>> {
  const query = new Query(params, PARAMETERS);
  const limit = query.limit(20);
  const order = query.choice('order', ['asc', 'desc']) ?? 'desc';
  const agentId = query.text('agent_id');
  const agentVersion = query.integer('agent_version', { min: 1 });
  const statuses = query.list('statuses', STATUSES);
  const request: Omit<SessionListRequest, 'limit' | 'order' | 'after'> = {
    includeArchived: query.boolean('include_archived') ?? false,
    createdAt: query.createdAt(),
    ...(agentId === undefined ? {} : { agentId }),
    // As in the API, a version without an agent is ignored.
    ...(agentId === undefined || agentVersion === undefined ? {} : { agentVersion }),
    ...(statuses === undefined ? {} : { statuses }),
  };
  const from = query.page(token);
  // Sessions of this server never have a deployment or a memory store.
  if (query.text('deployment_id') !== undefined || query.text('memory_store_id') !== undefined) {
    return { data: [], next_page: null, prev_page: null };
  }

  const back = from?.back ?? false;
  const found = await store.sessions.list({
    ...request,
    order: back ? (order === 'asc' ? 'desc' : 'asc') : order,
    limit: limit + 1,
    ...(from === undefined ? {} : { after: { created_at: from.created_at, id: from.id } }),
  });
  const more = found.length > limit;
  const shown = back ? found.slice(0, limit).toReversed() : found.slice(0, limit);
  const hasNext = back || more;
  const hasPrevious = back ? more : from !== undefined;
  return {
    data: shown.map((record) => viewSession(record, now)),
    next_page: hasNext ? pageToken(shown.at(-1), false) : null,
    prev_page: hasPrevious ? pageToken(shown.at(0), true) : null,
  };
}

function pageToken(record: SessionRecord | undefined, back: boolean): string | null {
  if (record === undefined) return null;
  const place: ListPlace = { created_at: record.created_at, id: record.id };
  return encodePage({ ...place, back });
}
