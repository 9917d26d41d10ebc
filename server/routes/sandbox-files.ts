import path from 'node:path';
import { type Request, type Response, Router } from 'express';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import {
  type BytePath,
  decodePath,
  encodePath,
  rawQueryValue,
  shownPath,
  type TreeEntry,
} from '@steadyhand/sandbox/client';
import type { ServerDeps } from '../deps.ts';
import { ClientGoneError } from '../gone-signal.ts';
import { pathPart, queryOf } from '../query.ts';
import { route } from '../routing.ts';
import { sendBytes } from '../send-bytes.ts';
import { byteRange } from './byte-range.ts';

const MAX_PAGE = 1000;

/**
 * `/v1/sandboxes/{id}/files`: the files inside, with the agent's rights. Mounted before bodies are read: an upload goes on as
 * it comes.
 */
export function sandboxFileRoutes({
  sandboxes,
  sandboxFiles: files,
}: Pick<ServerDeps, 'sandboxes' | 'sandboxFiles'>): Router {
  const router = Router();
  const at = async (req: Request): Promise<{ id: string; file: BytePath }> => {
    const { id } = await sandboxes.get(pathPart(req, 'id'));
    return { id, file: pathOf(req, 'path') };
  };
  route(router, '/v1/sandboxes/:id/files', {
    get: async (req, res) => {
      const { id, file } = await at(req);
      const query = queryOf(req);
      const page = query.get('page');
      const { entries, more } = await files.list(id, file, {
        depth: depthOf(query.get('depth')),
        limit: limitOf(query.get('limit')),
        ...(page === null ? {} : { after: Buffer.from(page, 'base64url').toString('latin1') }),
      });
      const last = entries.at(-1);
      const next = more && last !== undefined ? Buffer.from(last.path, 'latin1').toString('base64url') : null;
      res.json({ data: entries.map(viewEntry), next_page: next });
    },
    delete: async (req, res) => {
      const { id, file } = await at(req);
      await files.remove(id, file, queryOf(req).get('recursive') === 'true');
      res.json({ type: 'sandbox_file_deleted', path: shownPath(file) });
    },
  });
  route(router, '/v1/sandboxes/:id/files/stat', {
    get: async (req, res) => {
      const { id, file } = await at(req);
      res.json(viewEntry(await files.describe(id, file)));
    },
  });
  route(router, '/v1/sandboxes/:id/files/folder', {
    post: async (req, res) => {
      const { id, file } = await at(req);
      res.json(viewEntry(await files.makeFolder(id, file, modeOf(req))));
    },
  });
  route(router, '/v1/sandboxes/:id/files/move', {
    post: async (req, res) => {
      const { id, file } = await at(req);
      res.json(viewEntry(await files.move(id, file, pathOf(req, 'to'))));
    },
  });
  route(router, '/v1/sandboxes/:id/files/content', {
    get: async (req, res) => {
      const { id, file } = await at(req);
      await download(req, res, (range) => files.read(id, file, range));
    },
    put: async (req, res) => {
      const { id, file } = await at(req);
      const mode = modeOf(req);
      // Not destroyed when nobody reads on: its connection still has to carry the answer.
      const bytes = req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
      try {
        res.json(viewEntry(await files.write(id, file, bytes, mode === undefined ? {} : { mode })));
      } catch (error) {
        throw req.destroyed && !req.complete ? new ClientGoneError() : error;
      }
    },
  });
  return router;
}

type Read = (range: { start?: number; end?: number }) => ReturnType<ServerDeps['sandboxFiles']['read']>;

/** Always a download: a file may hold a page, and this server's address is one that a browser trusts. */
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
export function viewEntry(entry: TreeEntry): object {
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

function modeOf(req: Request): number | undefined {
  const text = queryOf(req).get('mode');
  if (text === null) return undefined;
  if (/^[0-7]{3,4}$/.test(text)) return parseInt(text, 8);
  throw new InvalidRequestError('mode: Input should be three or four octal digits, e.g. 0644');
}
