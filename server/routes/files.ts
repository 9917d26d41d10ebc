import type { Request, Response } from 'express';
import type { BetaDeletedFile } from '@anthropic-ai/sdk/resources/beta/files.js';
import { z } from 'zod';
import {
  type FileContent,
  type FilePage,
  type Files,
  filesQuery,
  type SessionFileMetadata,
} from '@steadyhand/sessions';
import type { ByteRange } from '@steadyhand/store';
import { ApiError } from '@steadyhand/contracts';
import { sendBytes } from '../http/send.ts';
import { named } from '../routing/components.ts';
import { count, deleted, form, maybeTime, nextPage, time } from '../routing/shapes.ts';
import { routesOf } from '../routing/route.ts';
import { byteRange } from './byte-range.ts';
import { readUpload } from './upload-form.ts';

const fileMetadata: z.ZodType<SessionFileMetadata> = z.object({
  id: z.string().describe('`file_…`'),
  type: z.literal('file'),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: count,
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

const filePage: z.ZodType<FilePage> = z.object({
  data: z.array(fileMetadata),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  next_page: nextPage,
});

const fileUpload = z.strictObject({
  file: z.string().meta({ contentMediaType: 'application/octet-stream' }).describe('At most 500 MB'),
  expires_in_seconds: z.exactOptional(z.int().min(3600).max(7_776_000)),
});

named({ fileMetadata, fileUpload });

const route = routesOf<{ readonly files: Files }>()('Files', { id: 'A file’s id, `file_…`' });

/** The routes of `/v1/files`, as in the Files API. */
export const fileRoutes = [
  route('GET /v1/files', 'listFiles', 'List files', {
    description:
      'Newest first. `page` and `after_id` say the same; `ids` takes no other parameter beside it.',
    query: filesQuery,
    answer: filePage,
    handle: ({ files }, { search }) => files.list(search),
  }),
  route('POST /v1/files', 'uploadFile', 'Upload a file', {
    body: form('multipart/form-data', fileUpload),
    answer: fileMetadata,
    handle: async ({ files }, { req }) => {
      const { file, facts } = await readUpload(req, files.receive, files.maxBytes);
      return file.keep(facts);
    },
  }),
  route('GET /v1/files/{id}', 'retrieveFile', 'Retrieve what is known of a file', {
    answer: fileMetadata,
    handle: ({ files }, { params }) => files.retrieve(params.id),
  }),
  route('DELETE /v1/files/{id}', 'deleteFile', 'Delete a file', {
    answer: deletedFile,
    handle: ({ files }, { params }) => files.delete(params.id),
  }),
  route('GET /v1/files/{id}/content', 'downloadFile', 'Download a file', {
    description: 'The whole file, or the one range that `Range` asks for.',
    answer: { description: 'The bytes, under the file’s own type', content: () => ({ '*/*': {} }) },
    handle: async ({ files }, { params, req, res }) => {
      const range = await rangeOf(files, params.id, req, res);
      const { body, ...content } = await files.content(params.id, range ?? undefined);
      describeContent(res, content, range);
      await sendBytes(req, res, body);
    },
  }),
];

/** The range that is asked for; null for the whole file. */
async function rangeOf(
  files: Pick<Files, 'describe'>,
  id: string,
  req: Request,
  res: Response,
): Promise<ByteRange | null> {
  const asked = req.get('range');
  // `If-Range` asks for the whole unless the version is a certain one; the whole is right in any case.
  if (asked === undefined || req.method !== 'GET' || req.get('if-range') !== undefined) return null;
  const { size_bytes: size } = await files.describe(id);
  const range = byteRange(asked, size);
  if (range !== 'unsatisfiable') return range;
  res.setHeader('content-range', `bytes */${size}`);
  throw new ApiError('invalid_request_error', 'range: lies beyond the end of the file', { status: 416 });
}

/** The answer is always a download, because a file may hold a page, and a browser trusts this server's address. */
function describeContent(
  res: Response,
  { metadata, size, hash }: Omit<FileContent, 'body'>,
  range: ByteRange | null,
): void {
  res.attachment(metadata.filename);
  // The type is sent as it was found, while Express would add a charset to that of a text.
  res.setHeader('content-type', metadata.mime_type);
  res.setHeader('content-length', String(range === null ? size : range.end - range.start));
  res.setHeader('accept-ranges', 'bytes');
  res.setHeader('cache-control', 'private, no-cache');
  res.setHeader('etag', `"${hash}"`);
  if (range !== null) {
    res.status(206).setHeader('content-range', `bytes ${range.start}-${range.end - 1}/${size}`);
  }
}
