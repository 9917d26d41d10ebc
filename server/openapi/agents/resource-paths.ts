import type {
  BetaManagedAgentsDeleteSessionResource,
  BetaManagedAgentsFileResource,
} from '@anthropic-ai/sdk/resources/beta/sessions/resources.js';
import { z } from 'zod';
import { fileParams } from '@steadyhand/sessions';
import type { Components } from '../components.ts';
import { type Operation, type Paths, pathParameter, queryParameter } from '../document.ts';
import { answers, type Described, describe as describeWith, json } from './operations.ts';
import { deleted, pageOf, time } from './shapes.ts';

export const fileResource: z.ZodType<BetaManagedAgentsFileResource> = z.object({
  id: z.string().describe('`sesrsc_…`'),
  type: z.literal('file'),
  file_id: z.string().describe('The session’s own copy of the file'),
  mount_path: z.string().describe('Below `/mnt/session/uploads`'),
  created_at: time,
  updated_at: time,
});

const deletedResource: z.ZodType<BetaManagedAgentsDeleteSessionResource> =
  deleted('session_resource_deleted');

const IDS = [pathParameter('id', 'A session’s id'), pathParameter('resource', 'A resource’s id, `sesrsc_…`')];

/** The routes of what is mounted in the sandboxes of sessions. */
export function resourcePaths(components: Components): Paths {
  const describe = (id: string, summary: string, described: Omit<Described, 'tag'>): Operation =>
    describeWith(components, id, summary, { tag: 'Sessions', ...described });
  return {
    '/v1/sessions/{id}/resources': {
      get: describe('listSessionResources', 'List what is mounted in a session', {
        parameters: [
          ...IDS.slice(0, 1),
          queryParameter('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 20 }),
          queryParameter('page', { type: 'string' }, 'The `next_page` of the page before'),
        ],
        answer: answers(pageOf(fileResource)),
        errors: [404],
      }),
      post: describe('addSessionResource', 'Mount a file in a session', {
        description: 'It is there before the next tool use. The session gets a copy of its own.',
        parameters: IDS.slice(0, 1),
        body: json(fileParams, { type: 'file', file_id: 'file_…', mount_path: 'data.csv' }),
        answer: answers(fileResource),
        errors: [404, 409],
      }),
    },
    '/v1/sessions/{id}/resources/{resource}': {
      get: describe('retrieveSessionResource', 'Retrieve a resource', {
        parameters: IDS,
        answer: answers(fileResource),
        errors: [404],
      }),
      post: describe('updateSessionResource', 'Update a resource: always refused', {
        description: 'Only the token of a repository could be, and repositories are not mounted here.',
        parameters: IDS,
        body: json(z.looseObject({ authorization_token: z.string() }), { authorization_token: '…' }),
        answer: answers(fileResource),
        errors: [404],
      }),
      delete: describe('deleteSessionResource', 'Take a file out of a session', {
        parameters: IDS,
        answer: answers(deletedResource),
        errors: [404, 409],
      }),
    },
  };
}
