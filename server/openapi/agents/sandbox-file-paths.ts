import { z } from 'zod';
import type { Components } from '../components.ts';
import { type Operation, type Paths, pathParameter, queryParameter } from '../document.ts';
import { answers, type Described, describe as describeWith } from './operations.ts';
import { pageOf, time } from './shapes.ts';

export const sandboxFile = z.object({
  type: z.enum(['file', 'directory', 'symlink', 'other']),
  name: z.string(),
  path: z.string().describe('As text: bytes that are not UTF-8 show as U+FFFD'),
  encoded_path: z.string().describe('For a query’s `path`, whatever the bytes are'),
  size_bytes: z.int().min(0).describe('0 for what is no file'),
  mode: z.string().describe('Four octal digits'),
  modified_at: time,
  target: z.string().nullable().describe('What a symbolic link says'),
});

const deletedFile = z.object({ type: z.literal('sandbox_file_deleted'), path: z.string() });

const ID = pathParameter('id', 'A sandbox’s id, `sbx_…`');
const at = (name: string, description: string): ReturnType<typeof queryParameter> => ({
  ...queryParameter(name, { type: 'string' }, description),
  required: true,
});
const PATH = at('path', 'Absolute, inside the sandbox; percent-encoded bytes');
const MODE = queryParameter('mode', { type: 'string', pattern: '^[0-7]{3,4}$' }, 'Octal, e.g. 0644');

/** The routes of the files inside a sandbox. */
export function sandboxFilePaths(components: Components): Paths {
  const describe = (id: string, summary: string, described: Omit<Described, 'tag'>): Operation =>
    describeWith(components, id, summary, { tag: 'Sandboxes', ...described, errors: [404, 409, 500] });
  return {
    '/v1/sandboxes/{id}/files': {
      get: describe('listSandboxFiles', 'List a folder of a sandbox', {
        description: 'In the order of the names’ bytes, each folder before what is in it.',
        parameters: [
          ID,
          PATH,
          queryParameter('depth', { type: 'string', default: '1' }, 'Levels below the folder, or `all`'),
          queryParameter('limit', { type: 'integer', minimum: 1, maximum: 1000, default: 1000 }),
          queryParameter('page', { type: 'string' }, 'The `next_page` of the page before'),
        ],
        answer: answers(pageOf(sandboxFile)),
      }),
      delete: describe('deleteSandboxFile', 'Delete a file or a folder of a sandbox', {
        parameters: [
          ID,
          PATH,
          queryParameter('recursive', { type: 'boolean', default: false }, 'Also a folder that is not empty'),
        ],
        answer: answers(deletedFile),
      }),
    },
    '/v1/sandboxes/{id}/files/stat': {
      get: describe('describeSandboxFile', 'Retrieve what is known of a file of a sandbox', {
        description: 'Of the entry itself: a symbolic link is not followed.',
        parameters: [ID, PATH],
        answer: answers(sandboxFile),
      }),
    },
    '/v1/sandboxes/{id}/files/content': {
      get: describe('downloadSandboxFile', 'Download a file of a sandbox', {
        description: 'Of any size; takes a `Range` of bytes.',
        parameters: [ID, PATH],
        answer: {
          description: 'The bytes',
          content: () => ({ 'application/octet-stream': {} }),
        },
      }),
      put: describe('uploadSandboxFile', 'Upload a file into a sandbox', {
        description:
          'The body is the content, of any size. It replaces the file in one step; folders on the way are made.',
        parameters: [ID, PATH, MODE],
        body: {
          required: false,
          schema: z.string().meta({ contentMediaType: 'application/octet-stream' }),
          mediaType: 'application/octet-stream',
        },
        answer: answers(sandboxFile),
      }),
    },
    '/v1/sandboxes/{id}/files/folder': {
      post: describe('makeSandboxFolder', 'Make a folder in a sandbox', {
        description: 'Folders on the way are made; one that is there stays as it is.',
        parameters: [ID, PATH, MODE],
        answer: answers(sandboxFile),
      }),
    },
    '/v1/sandboxes/{id}/files/move': {
      post: describe('moveSandboxFile', 'Rename a file or a folder of a sandbox', {
        description: 'What is there under the new name is replaced, as rename(2) does.',
        parameters: [ID, PATH, at('to', 'The new path')],
        answer: answers(sandboxFile),
      }),
    },
  };
}
