import { Buffer } from 'node:buffer';
import { SandboxError, type SandboxErrorCode } from '@steadyhand/contracts';
import { invalidRequest } from '../../invalid-request.ts';
import { type BytePath, decodePath, rawQueryValue } from '../../byte-path.ts';
import { GuestCallError, GuestFileError } from '../../guest-protocol/guest.ts';
import { TREE_CHUNK_BYTES, type TreeMethods } from '../../guest-protocol/tree.ts';
import type { GuestClient } from '../computer/guest-client.ts';
import type { DaemonRoutes, Exchange } from './exchange.ts';

const MAX_PATH_BYTES = 4096;
const MAX_PAGE = 1000;
/** How long one call may take: the agent can stop its guest (`kill -STOP -1`), and callers must not wait for ever. */
const CALL_MS = 60_000;

type Call = <M extends keyof TreeMethods>(
  method: M,
  params: TreeMethods[M]['params'],
) => Promise<TreeMethods[M]['result']>;

/**
 * The agent's files: `GET /files` (list), `GET /files/stat`, `GET|PUT /files/content`, `POST /files/folder`, `POST
 * /files/move`, `DELETE /files`. They do not wait for actions, nor actions for them. Paths are percent-encoded, so that
 * they can have any bytes.
 */
export function fileRoutes(daemon: { guest(): Promise<Pick<GuestClient, 'call'>> }): DaemonRoutes {
  const withCalls =
    <T>(work: (call: Call, exchange: Exchange) => Promise<T>) =>
    (exchange: Exchange): Promise<T> =>
      withSandboxErrors(async () => {
        const guest = await daemon.guest();
        return work((method, params) => withTimeout(guest.call(method, params)), exchange);
      });
  return {
    'GET /files': withCalls((call, exchange) => {
      const { query } = exchange;
      const depth = query.get('depth') === 'all' ? null : wholeNumber(query, 'depth', 1, 1000);
      const after = query.has('after') ? pathOf(exchange, 'after') : null;
      const limit = wholeNumber(query, 'limit', MAX_PAGE, MAX_PAGE);
      return call('treeList', { path: pathOf(exchange), depth, after, limit });
    }),
    'GET /files/stat': withCalls((call, exchange) => call('treeDescribe', { path: pathOf(exchange) })),
    'GET /files/content': withCalls((call, exchange) => download(exchange, call)),
    'PUT /files/content': withCalls((call, exchange) => upload(exchange, call)),
    'POST /files/folder': withCalls((call, exchange) =>
      call('treeMakeFolder', { path: pathOf(exchange), mode: modeOf(exchange) }),
    ),
    'POST /files/move': withCalls((call, exchange) =>
      call('treeMove', { from: pathOf(exchange), to: pathOf(exchange, 'to') }),
    ),
    'DELETE /files': withCalls(async (call, exchange) => {
      const recursive = exchange.query.get('recursive') === 'true';
      await call('treeRemove', { path: pathOf(exchange), recursive });
      return {};
    }),
  };
}

/** Sends the bytes from `start` (default 0) up to `end` (exclusive; default: the file's size when it was opened). */
async function download(exchange: Exchange, call: Call): Promise<void> {
  const { query, response } = exchange;
  const { handle, entry } = await call('treeOpen', { path: pathOf(exchange) });
  try {
    const start = Math.min(wholeNumber(query, 'start', 0, Number.MAX_SAFE_INTEGER), entry.size);
    const end = Math.min(wholeNumber(query, 'end', entry.size, Number.MAX_SAFE_INTEGER), entry.size);
    const length = Math.max(0, end - start);
    response.writeHead(200, {
      'content-type': 'application/octet-stream',
      'content-length': length,
      // The path is left out: the caller knows it, and it may be longer than a header can be.
      'x-entry': JSON.stringify({ ...entry, path: '' }),
    });
    const pieceAt = (offset: number): Promise<{ data: string }> =>
      call('treeRead', { handle, offset, bytes: Math.min(TREE_CHUNK_BYTES, end - offset) });
    let next = length > 0 ? pieceAt(start) : null;
    let offset = start;
    while (next !== null) {
      // The piece is cut to what was asked for, because bytes after the body would be read as the next answer.
      const piece = Buffer.from((await next).data, 'base64').subarray(0, end - offset);
      // The file has become shorter. The caller sees that the answer was cut short.
      if (piece.length === 0) throw new SandboxError('conflict', 'the file became shorter as it was read');
      offset += piece.length;
      next = offset < end ? pieceAt(offset) : null;
      next?.catch(() => undefined);
      if (!response.write(piece)) await drained(response);
      if (response.destroyed) return;
    }
    response.end();
  } finally {
    await call('treeClose', { handle }).catch(() => undefined);
  }
}

async function upload(exchange: Exchange, call: Call): Promise<TreeMethods['treeCommit']['result']> {
  const { handle } = await call('treeCreate', { path: pathOf(exchange), mode: modeOf(exchange) });
  try {
    for await (const chunk of exchange.request as AsyncIterable<Buffer>) {
      for (let at = 0; at < chunk.length; at += TREE_CHUNK_BYTES) {
        const data = chunk.subarray(at, at + TREE_CHUNK_BYTES).toString('base64');
        await call('treeWrite', { handle, data });
      }
    }
    return await call('treeCommit', { handle });
  } finally {
    // After a commit nothing is open, and this call does nothing.
    await call('treeClose', { handle }).catch(() => undefined);
  }
}

/** The error codes for the system's codes. */
const CODES: Readonly<Record<string, SandboxErrorCode>> = {
  ENOENT: 'not_found',
  ENOTDIR: 'not_found',
  ELOOP: 'not_found',
  EISDIR: 'invalid_request',
  EINVAL: 'invalid_request',
  ENAMETOOLONG: 'invalid_request',
  EACCES: 'invalid_request',
  EPERM: 'invalid_request',
  EROFS: 'invalid_request',
  EXDEV: 'invalid_request',
  ENXIO: 'invalid_request',
  EEXIST: 'conflict',
  ENOTEMPTY: 'conflict',
  EBUSY: 'conflict',
  ETXTBSY: 'conflict',
  ENOSPC: 'storage_full',
  EDQUOT: 'storage_full',
};

async function withSandboxErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof GuestFileError || error instanceof GuestCallError) {
      throw new SandboxError(CODES[error.code] ?? 'unavailable', error.message);
    }
    throw error;
  }
}

/** A path of the query, decoded to bytes and checked. */
function pathOf({ request }: Exchange, name = 'path'): BytePath {
  const path = decodePath(rawQueryValue(request.url ?? '', name) ?? '');
  if (!path.startsWith('/')) {
    throw invalidRequest(`${name}: expected an absolute path, beginning with /`);
  }
  if (path.includes('\0')) throw invalidRequest(`${name}: must not hold NUL`);
  if (path.length >= MAX_PATH_BYTES) {
    throw invalidRequest(`${name}: expected at most ${MAX_PATH_BYTES - 1} bytes`);
  }
  return path;
}

function modeOf({ query }: Exchange): number | null {
  const text = query.get('mode');
  return text === null ? null : parseInt(text, 8) & 0o7777;
}

function wholeNumber(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 0 || value > max)
    throw invalidRequest(`${name}: expected a whole number up to ${max}`);
  return value;
}

function drained(response: Exchange['response']): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
    if (response.destroyed) done();
  });
}

function withTimeout<T>(promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = new SandboxError('unavailable', `the computer did not answer in ${CALL_MS / 1000} s`);
    const timer = setTimeout(() => reject(late), CALL_MS);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
