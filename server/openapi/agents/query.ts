import { DELTA_TYPES, LISTABLE_EVENT_TYPES } from '@steadyhand/sessions';
import { type Parameter, queryParameter } from '../document.ts';

const count = { type: 'integer', minimum: 1, maximum: 1000 };
const time = { type: 'string', format: 'date-time' };
const yesOrNo = { type: 'boolean', default: false };

const page = queryParameter('page', { type: 'string' }, 'The `next_page` of the page before');
const includeArchived = queryParameter('include_archived', yesOrNo);

function limit(fallback: number): Parameter {
  return queryParameter('limit', { ...count, default: fallback });
}

function createdAt(bounds: readonly string[]): readonly Parameter[] {
  return bounds.map((bound) => queryParameter(`created_at[${bound}]`, time));
}

function listOf(name: string, values: readonly string[]): Parameter {
  const schema = { type: 'array', items: { type: 'string', enum: values } };
  return { ...queryParameter(name, schema), style: 'form', explode: true };
}

const order = (fallback: string): Parameter =>
  queryParameter('order', { type: 'string', enum: ['asc', 'desc'], default: fallback });

const sources = queryParameter(
  'sources',
  { type: 'string', enum: ['base64', 'url'], default: 'base64' },
  'How pictures stand in events: their bytes, or a link to `/v1/blobs/…`',
);

export const networkLogQuery = [
  queryParameter(
    'after',
    { type: 'integer', minimum: 0, default: 0 },
    'The number of the last entry that you have',
  ),
  queryParameter('limit', { ...count, default: 1000 }),
];
export const versionQuery = [
  queryParameter('version', { type: 'integer', minimum: 1 }, 'Default: the newest'),
];
export const versionsQuery = [limit(20), page];
export const agentsQuery = [limit(20), page, includeArchived, ...createdAt(['gte', 'lte'])];
export const environmentsQuery = [limit(20), page, includeArchived];
export const sessionsQuery = [
  limit(20),
  page,
  order('desc'),
  includeArchived,
  queryParameter('agent_id', { type: 'string' }),
  queryParameter('agent_version', { type: 'integer', minimum: 1 }),
  listOf('statuses', ['rescheduling', 'running', 'idle', 'terminated']),
  ...createdAt(['gt', 'gte', 'lt', 'lte']),
];
export const eventsQuery = [
  limit(100),
  page,
  order('asc'),
  listOf('types', LISTABLE_EVENT_TYPES),
  ...createdAt(['gt', 'gte', 'lt', 'lte']),
  sources,
];
export const streamQuery = [
  {
    ...listOf('event_deltas', DELTA_TYPES),
    description:
      'Events to be shown while they are made, by `event_start` and `event_delta`: never stored, best effort. `agent.thinking` ' +
      'tells that the model has begun to think, `agent.thinking.text` what it thinks',
  },
  sources,
];
export const blobQuery = [
  queryParameter(
    'media_type',
    { type: 'string' },
    'What to answer it as, when it is a picture; anything else is a download',
  ),
];
