import path from 'node:path';
import type { Request, Response } from 'express';
import { z } from 'zod';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import {
  type BytePath,
  decodePath,
  encodePath,
  rawQueryValue,
  shownPath,
  type TreeEntry,
} from '@steadyhand/sandbox/client';
import { ClientGoneError } from '../http/gone-signal.ts';
import { sendBytes } from '../http/send.ts';
import { bytesOf, count, form, optional, pageOf, time } from '../routing/shapes.ts';
import { type Call, routesOf, type DeepReadonly } from '../routing/route.ts';
import { byteRange } from './byte-range.ts';
import type { SandboxFileService, SandboxService } from './services.ts';

const MAX_PAGE = 1000;

const sandboxFile = z.object({
  type: z.enum(['file', 'directory', 'symlink', 'other']),
  name: z.string(),
  path: z.string().describe('As text: bytes that are not UTF-8 show as U+FFFD'),
  encoded_path: z.string().describe('For a query’s `path`, whatever the bytes are'),
  size_bytes: count.describe('0 for what is no file'),
  mode: z.string().describe('Four octal digits'),
  modified_at: time,
  target: z.string().nullable().describe('What a symbolic link says'),
});

const query = { path: z.string().describe('Absolute, inside the sandbox; percent-encoded bytes') };
const mode = z
  .string()
  .regex(/^[0-7]{3,4}$/)
  .describe('Octal, e.g. 0644')
  .optional();
const errors = [409, 500];
const bytes = z.string().meta({ contentMediaType: 'application/octet-stream' });

export interface SandboxFileRouteDeps {
  readonly sandboxes: Pick<SandboxService, 'get'>;
  readonly sandboxFiles: SandboxFileService;
}

const route = routesOf<SandboxFileRouteDeps>()('Sandboxes', { id: 'A sandbox’s id, `sbx_…`' });

/**
 * The routes of `/v1/sandboxes/{id}/files`, of the files inside, which are accessed with the agent's rights. They are mounted
 * before bodies are read, so that an upload is passed on as it arrives.
 */
export const sandboxFileRoutes = [
  route('GET /v1/sandboxes/{id}/files', 'listSandboxFiles', 'List a folder of a sandbox', {
    description: 'In the order of the names’ bytes, each folder before what is in it.',
    query: {
      ...query,
      depth: z.string().default('1').describe('Levels below the folder, or `all`'),
      limit: z.int().min(1).max(MAX_PAGE).default(MAX_PAGE),
      page: z.string().describe('The `next_page` of the page before').optional(),
    },
    answer: pageOf(sandboxFile),
    errors,
    handle: async (deps, call) => {
      const { id, file } = await placeOf(deps, call);
      const { search } = call;
      const page = search.get('page');
      const { entries, more } = await deps.sandboxFiles.list(id, file, {
        depth: depthOf(search.get('depth')),
        limit: limitOf(search.get('limit')),
        ...(page === null ? {} : { after: Buffer.from(page, 'base64url').toString('latin1') }),
      });
      const last = entries.at(-1);
      const next = more && last !== undefined ? Buffer.from(last.path, 'latin1').toString('base64url') : null;
      return { data: entries.map(viewEntry), next_page: next };
    },
  }),
  route('DELETE /v1/sandboxes/{id}/files', 'deleteSandboxFile', 'Delete a file or a folder of a sandbox', {
    query: { ...query, recursive: z.boolean().default(false).describe('Also a folder that is not empty') },
    answer: z.object({ type: z.literal('sandbox_file_deleted'), path: z.string() }),
    errors,
    handle: async (deps, call) => {
      const { id, file } = await placeOf(deps, call);
      await deps.sandboxFiles.remove(id, file, call.search.get('recursive') === 'true');
      return { type: 'sandbox_file_deleted' as const, path: shownPath(file) };
    },
  }),
  route(
    'GET /v1/sandboxes/{id}/files/stat',
    'describeSandboxFile',
    'Retrieve what is known of a file of a sandbox',
    {
      description: 'Of the entry itself: a symbolic link is not followed.',
      query,
      answer: sandboxFile,
      errors,
      handle: async (deps, call) => {
        const { id, file } = await placeOf(deps, call);
        return viewEntry(await deps.sandboxFiles.describe(id, file));
      },
    },
  ),
  route('GET /v1/sandboxes/{id}/files/content', 'downloadSandboxFile', 'Download a file of a sandbox', {
    description: 'Of any size; takes a `Range` of bytes.',
    query,
    answer: bytesOf('application/octet-stream'),
    errors,
    handle: async (deps, call) => {
      const { id, file } = await placeOf(deps, call);
      await download(call.req, call.res, (range) => deps.sandboxFiles.read(id, file, range));
    },
  }),
  route('PUT /v1/sandboxes/{id}/files/content', 'uploadSandboxFile', 'Upload a file into a sandbox', {
    description:
      'The body is the content, of any size. It replaces the file in one step; folders on the way are made.',
    query: { ...query, mode },
    body: optional(form('application/octet-stream', bytes)),
    answer: sandboxFile,
    errors,
    handle: async (deps, call) => {
      const { id, file } = await placeOf(deps, call);
      const { req } = call;
      const wanted = modeOf(call.search);
      // The request is not destroyed when nobody reads on, because its connection still has to carry the answer.
      const sent = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      try {
        const options = wanted === undefined ? {} : { mode: wanted };
        return viewEntry(await deps.sandboxFiles.write(id, file, sent, options));
      } catch (error) {
        throw req.destroyed && !req.complete ? new ClientGoneError() : error;
      }
    },
  }),
  route('POST /v1/sandboxes/{id}/files/folder', 'makeSandboxFolder', 'Make a folder in a sandbox', {
    description: 'Folders on the way are made; one that is there stays as it is.',
    query: { ...query, mode },
    answer: sandboxFile,
    errors,
    handle: async (deps, call) => {
      const { id, file } = await placeOf(deps, call);
      return viewEntry(await deps.sandboxFiles.makeFolder(id, file, modeOf(call.search)));
    },
  }),
  route('POST /v1/sandboxes/{id}/files/move', 'moveSandboxFile', 'Rename a file or a folder of a sandbox', {
    description: 'What is there under the new name is replaced, as rename(2) does.',
    query: { ...query, to: z.string().describe('The new path') },
    answer: sandboxFile,
    errors,
    handle: async (deps, call) => {
      const { id, file } = await placeOf(deps, call);
      return viewEntry(await deps.sandboxFiles.move(id, file, pathOf(call.req, 'to')));
    },
  }),
];

async function placeOf(
  { sandboxes }: Pick<SandboxFileRouteDeps, 'sandboxes'>,
  { params, req }: Call<'id', never>,
): Promise<{ readonly id: string; readonly file: BytePath }> {
  const { id } = await sandboxes.get(params.id);
  return { id, file: pathOf(req, 'path') };
}

type Read = (range: { start?: number; end?: number }) => ReturnType<SandboxFileService['read']>;

/** The answer is always a download, because a file may hold a page, and a browser trusts this server's address. */
async function download(req: Request, res: Response, read: Read): Promise<void> {
  const asked = req.get('range');
  const head = req.method === 'HEAD' || asked !== undefined ? await read({ start: 0, end: 0 }) : null;
  head?.body.resume();
  const range = head === null ? null : byteRange(asked, head.entry.size);
  if (range === 'unsatisfiable') {
    res.setHeader('content-range', `bytes */${head?.entry.size ?? 0}`);
    throw new ApiError('invalid_request_error', 'range: lies beyond the end of the file', { status: 416 });
  }
  const { entry, body } = req.method === 'HEAD' && head !== null ? head : await read(range ?? {});
  res.attachment(path.posix.basename(shownPath(entry.path)));
  res.set({
    'content-type': 'application/octet-stream',
    'content-length': String(range === null ? entry.size : range.end - range.start),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    'last-modified': timeOf(entry).toUTCString(),
  });
  if (range !== null) {
    res.status(206).setHeader('content-range', `bytes ${range.start}-${range.end - 1}/${entry.size}`);
  }
  await sendBytes(req, res, body);
}

/** An entry as answered. `encoded_path` is what a query takes as `path`, also for names that are not UTF-8. */
export function viewEntry(entry: TreeEntry): DeepReadonly<z.output<typeof sandboxFile>> {
  const shown = shownPath(entry.path);
  return {
    type: entry.kind,
    name: path.posix.basename(shown),
    path: shown,
    encoded_path: encodePath(entry.path),
    size_bytes: entry.size,
    mode: entry.mode.toString(8).padStart(4, '0'),
    modified_at: timeOf(entry).toISOString(),
    target: entry.target === null ? null : shownPath(entry.target),
  };
}

/** The last moment that a date can be, in milliseconds; some file systems take later ones. */
const LAST_MS = 8.64e15;

function timeOf({ mtimeMs }: TreeEntry): Date {
  return new Date(Math.min(Math.max(mtimeMs, -LAST_MS), LAST_MS));
}

function pathOf(req: Request, name: string): BytePath {
  const given = rawQueryValue(req.originalUrl, name);
  if (given === undefined) throw new InvalidRequestError(`${name}: Field required`);
  const decoded = decodePath(given);
  if (decoded.startsWith('/') && !decoded.includes('\0')) return decoded;
  throw new InvalidRequestError(`${name}: expected an absolute path without NUL, beginning with /`);
}

function depthOf(text: string | null): number | null {
  if (text === 'all') return null;
  if (text === null) return 1;
  const depth = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (depth >= 1 && depth <= MAX_PAGE) return depth;
  throw new InvalidRequestError("depth: Input should be 'all' or a whole number from 1 to 1000");
}

function limitOf(text: string | null): number {
  if (text === null) return MAX_PAGE;
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= MAX_PAGE) return limit;
  throw new InvalidRequestError('limit: Input should be a whole number from 1 to 1000');
}

function modeOf(search: URLSearchParams): number | undefined {
  const text = search.get('mode');
  if (text === null) return undefined;
  if (/^[0-7]{3,4}$/.test(text)) return parseInt(text, 8);
  throw new InvalidRequestError('mode: Input should be three or four octal digits, e.g. 0644');
}
