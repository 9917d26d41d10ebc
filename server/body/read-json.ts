import type { Request, RequestHandler, Response } from 'express';
import { ApiError, InvalidRequestError } from '@steadyhand/contracts';
import { createPace } from '../http/pacing.ts';
import { setBodyReader } from '../routing/router.ts';
import { createBodyReader } from './body-reader.ts';
import { parseBody } from './parse-body.ts';
import { RequestRefusedError } from './request-refused.ts';

/** The largest body of most routes, in bytes: the Messages API's own limit. */
export const BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** How long a body may take to arrive: what 32 MB take over 5 Mbit/s. */
const BODY_MS = 60_000;

export interface ReadJsonOptions {
  /** Default 60 s. */
  readonly timeoutMs?: number | undefined;
}

function hasBody({ headers }: Request): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Has the routes after it read a JSON body into `req.body`, which stays undefined where there is none; the routes check its
 * shape. Nothing is read for a path that no route has, or for a method that it does not take. The answer is 413 as soon as a
 * body is known to be too large, announced or not, compressed or not. It is 400 for a body that is not JSON, for another
 * content type, encoding or character set, and for a body that does not arrive in time.
 */
export function readJson({ timeoutMs }: ReadJsonOptions = {}): RequestHandler {
  const bodies = createBodyReader({ bytes: BODY_LIMIT_BYTES, ms: timeoutMs ?? BODY_MS });
  const read = async (req: Request, res: Response): Promise<void> => {
    if (!hasBody(req)) return;
    const charset = knownCharset(req);
    const bytes = await bodies.read(req, res, { inflate: true, hold: 'reading' }).catch(asApiError);
    const pace = createPace();
    const text = charset === 'latin1' ? Buffer.from(bytes.toString('latin1'), 'utf8') : bytes;
    req.body = text.length === 0 ? undefined : await parseBody(text, pace);
  };
  return (_req, res, next) => {
    setBodyReader(res, read);
    next();
  };
}

const CHARSETS: Readonly<Record<string, 'utf8' | 'latin1'>> = {
  'utf-8': 'utf8',
  utf8: 'utf8',
  'us-ascii': 'utf8',
  ascii: 'utf8',
  'iso-8859-1': 'latin1',
};

/** The character set that a JSON body names, UTF-8 where it names none. Another content type is refused. */
export function charsetOf(req: Request): string {
  const type = req.headers['content-type'];
  if (type !== undefined && req.is(['json', '+json']) === false) {
    throw new InvalidRequestError(`content-type: expected application/json, got ${type}`);
  }
  return /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(type ?? '')?.[1] ?? 'utf-8';
}

function knownCharset(req: Request): 'utf8' | 'latin1' {
  const name = charsetOf(req);
  const charset = Object.hasOwn(CHARSETS, name.toLowerCase()) ? CHARSETS[name.toLowerCase()] : undefined;
  if (charset !== undefined) return charset;
  throw new InvalidRequestError(
    `content-type: charset ${name} is not supported; send no charset, UTF-8, ISO-8859-1 or US-ASCII`,
    { error_code: 'unsupported_charset' },
  );
}

/** The reader's refusals in the API's words. */
export function asApiError(error: unknown): never {
  if (!(error instanceof RequestRefusedError)) throw error;
  switch (error.status) {
    case 413:
      throw bodyTooLarge();
    case 408:
      throw new InvalidRequestError(error.message, { error_code: 'request_body_timeout' });
    case 503:
      throw new ApiError('overloaded_error', 'Overloaded', { retryAfterMs: 1000 });
    default:
      throw new InvalidRequestError(error.message);
  }
}

/** The API's own text. It names no figure: the limits of batches and files are others, and read by their routes. */
export function bodyTooLarge(): ApiError {
  return new ApiError('request_too_large', 'Request exceeds the maximum size');
}
