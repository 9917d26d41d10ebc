import { z } from 'zod';
import type { ListPlace, SessionListRequest, SessionRecord, Store } from '@steadyhand/store';
import {
  createdAt,
  encodePage,
  includeArchived,
  limit,
  order,
  page,
  Query,
  type TwoWayPage,
} from './api/query.ts';
import { type Session, viewSession } from './session-view.ts';

const STATUSES = ['rescheduling', 'running', 'idle', 'terminated'] as const;

const none = z.string().describe('No session here has one').optional();

export const sessionsQuery = {
  limit: limit(20),
  page,
  order: order('desc'),
  include_archived: includeArchived,
  agent_id: z.string().optional(),
  agent_version: z.int().min(1).optional(),
  environment_id: z.string().describe('Ours').optional(),
  deployment_id: none,
  memory_store_id: none,
  statuses: z.array(z.enum(STATUSES)).optional(),
  ...createdAt('gt', 'gte', 'lt', 'lte'),
};

/** A page token: the last session of the previous page, or, backwards, the first of the next page. */
const token = z.strictObject({ created_at: z.string(), id: z.string(), back: z.boolean() });

/** `GET /v1/sessions`: newest first unless `order=asc`. */
export async function listSessions(
  store: Store,
  params: URLSearchParams,
  now: number,
): Promise<TwoWayPage<Session>> {
  const query = new Query(params, sessionsQuery);
  const most = query.integer('limit');
  const direction = query.choice('order');
  const agentId = query.text('agent_id');
  const agentVersion = query.integer('agent_version');
  const environmentId = query.text('environment_id');
  const statuses = query.list('statuses');
  const request: Omit<SessionListRequest, 'limit' | 'order' | 'after'> = {
    includeArchived: query.boolean('include_archived'),
    createdAt: query.createdAt(),
    ...(agentId === undefined ? {} : { agentId }),
    // As in the API, a version without an agent is ignored.
    ...(agentId === undefined || agentVersion === undefined ? {} : { agentVersion }),
    ...(environmentId === undefined ? {} : { environmentId }),
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
    order: back ? (direction === 'asc' ? 'desc' : 'asc') : direction,
    limit: most + 1,
    ...(from === undefined ? {} : { after: { created_at: from.created_at, id: from.id } }),
  });
  const more = found.length > most;
  const shown = back ? found.slice(0, most).toReversed() : found.slice(0, most);
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
