import type { BetaDeletedFile } from '@anthropic-ai/sdk/resources/beta/files.js';
import { z } from 'zod';
import type { SessionFileMetadata } from '@steadyhand/sessions';
import type { Components } from '../components.ts';
import { type Operation, type Paths, pathParameter, queryParameter } from '../document.ts';
import { answers, type Described, describe as describeWith } from './operations.ts';
import { deleted, maybeTime, time } from './shapes.ts';

export const fileMetadata: z.ZodType<SessionFileMetadata> = z.object({
  id: z.string().describe('`file_…`'),
  type: z.literal('file'),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int().min(0),
  created_at: time,
  expires_at: maybeTime.describe('From then on the bytes are gone; 30 days later the file is'),
  downloadable: z.literal(true),
  scope: z
    .object({ type: z.literal('session'), id: z.string() })
    .nullable()
    .describe('The session that it belongs to and goes with'),
  path: z.exactOptional(z.string()).describe('Where its session’s agent left it'),
});

const deletedFile: z.ZodType<BetaDeletedFile> = deleted('file_deleted');

const filePage = z.object({
  data: z.array(fileMetadata),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  next_page: z.string().nullable().describe('Send it as `page` for what comes next; null at the end'),
});

export const fileUpload = z.strictObject({
  file: z.string().meta({ contentMediaType: 'application/octet-stream' }).describe('At most 500 MB'),
  expires_in_seconds: z.exactOptional(z.int().min(3600).max(7_776_000)),
});

const ID = pathParameter('id', 'A file’s id, `file_…`');

/** The routes of uploaded files. */
export function filePaths(components: Components): Paths {
  const describe = (id: string, summary: string, described: Omit<Described, 'tag'>): Operation =>
    describeWith(components, id, summary, { tag: 'Files', ...described });

  return {
    '/v1/files': {
      get: describe('listFiles', 'List files', {
        description:
          'Newest first. `page` and `after_id` say the same; `ids` takes no other parameter beside it.',
        parameters: [
          queryParameter('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 20 }),
          queryParameter('page', { type: 'string' }, 'The `next_page` of the page before'),
          queryParameter('after_id', { type: 'string' }, 'The `last_id` of the page before'),
          queryParameter('before_id', { type: 'string' }, 'The `first_id` of the page behind'),
          {
            ...queryParameter('ids', { type: 'array', items: { type: 'string' }, maxItems: 100 }),
            style: 'form',
            explode: true,
          },
          queryParameter(
            'scope_id',
            { type: 'string' },
            'A session’s id: its copies and what its agent left',
          ),
        ],
        answer: answers(filePage),
      }),
      post: describe('uploadFile', 'Upload a file', {
        body: { required: true, schema: fileUpload, mediaType: 'multipart/form-data' },
        answer: answers(fileMetadata),
      }),
    },
    '/v1/files/{id}': {
      get: describe('retrieveFile', 'Retrieve what is known of a file', {
        parameters: [ID],
        answer: answers(fileMetadata),
        errors: [404],
      }),
      delete: describe('deleteFile', 'Delete a file', {
        parameters: [ID],
        answer: answers(deletedFile),
        errors: [404],
      }),
    },
    '/v1/files/{id}/content': {
      get: describe('downloadFile', 'Download a file', {
        parameters: [ID],
        answer: { description: 'The bytes, under the file’s own type', content: () => ({ '*/*': {} }) },
        errors: [404],
      }),
    },
  };
}
