import { z } from 'zod';
import {
  fileParams,
  type FileResource,
  type Resources,
  resourcesQuery,
  resourceUpdate,
} from '@steadyhand/sessions';
import { deleted, json, pageOf, time } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';

export const fileResource = z.object({
  id: z.string().describe('`sesrsc_…`'),
  type: z.literal('file'),
  file_id: z.string().describe('The session’s own copy of the file'),
  mount_path: z.string().describe('Below `/mnt/session/uploads`'),
  created_at: time,
  updated_at: time,
}) satisfies z.ZodType<FileResource>;

export interface ResourceRouteDeps {
  readonly sessions: { readonly resources: Resources };
}

const route = routesOf<ResourceRouteDeps>()('Sessions', {
  id: 'A session’s id',
  resource: 'A resource’s id, `sesrsc_…`',
});

/** The routes of `/v1/sessions/{id}/resources`, of what is mounted in the sandboxes of sessions. */
export const resourceRoutes = [
  route('GET /v1/sessions/{id}/resources', 'listSessionResources', 'List what is mounted in a session', {
    query: resourcesQuery,
    answer: pageOf(fileResource),
    handle: ({ sessions }, { params, search }) => sessions.resources.list(params.id, search),
  }),
  route('POST /v1/sessions/{id}/resources', 'addSessionResource', 'Mount a file in a session', {
    description: 'It is there before the next tool use. The session gets a copy of its own.',
    body: json(fileParams, { type: 'file', file_id: 'file_…', mount_path: 'data.csv' }),
    answer: fileResource,
    errors: [409],
    handle: ({ sessions }, { params, unchecked }) => sessions.resources.add(params.id, unchecked),
  }),
  route('GET /v1/sessions/{id}/resources/{resource}', 'retrieveSessionResource', 'Retrieve a resource', {
    answer: fileResource,
    handle: ({ sessions }, { params }) => sessions.resources.retrieve(params.id, params.resource),
  }),
  route(
    'POST /v1/sessions/{id}/resources/{resource}',
    'updateSessionResource',
    'Update a resource: always refused',
    {
      description: 'Only the token of a repository could be, and repositories are not mounted here.',
      body: json(resourceUpdate, { authorization_token: '…' }),
      answer: fileResource,
      handle: ({ sessions }, { params, unchecked }) =>
        sessions.resources.update(params.id, params.resource, unchecked),
    },
  ),
  route(
    'DELETE /v1/sessions/{id}/resources/{resource}',
    'deleteSessionResource',
    'Take a file out of a session',
    {
      answer: deleted('session_resource_deleted'),
      errors: [409],
      handle: ({ sessions }, { params }) => sessions.resources.delete(params.id, params.resource),
    },
  ),
];
