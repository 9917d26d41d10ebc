import type { IncomingMessage } from 'node:http';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { errorCode, errorText } from '../../error-fields.ts';
import type { FetchedPage } from '../../guest-protocol/fetched-page.ts';
import { htmlText } from './html-text.ts';
import { httpGet, ProxyRefusedError } from './http-get.ts';

/** At most this many bytes of an answer are read, and at most this many come out of its decompression. */
const MOST_PAGE_BYTES = 10 * 1024 * 1024;
const LONGEST_MS = 30_000;
const MOST_REDIRECTS = 10;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/markdown,text/plain;q=0.9,*/*;q=0.8',
  'accept-encoding': 'identity',
  'user-agent': 'Mozilla/5.0 (compatible; Steadyhand)',
};

/**
 * Fetches a page with the network that programs in the sandbox have. Redirects are followed within the host. One that
 * leads to another host is returned, so that the caller can decide anew.
 */
export async function fetchPage(
  address: string,
  signal: AbortSignal,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<FetchedPage> {
  const timeout = AbortSignal.timeout(LONGEST_MS);
  const either = AbortSignal.any([signal, timeout]);
  let url = new URL(address);
  try {
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
      const answer = await httpGet(url, { headers: HEADERS, signal: either, env });
      const { statusCode: status = 0, headers } = answer;
      const location = isRedirect(status) ? headers.location : undefined;
      if (location === undefined) return await pageOf(answer, url);
      answer.destroy();
      const next = URL.canParse(location, url.href) ? new URL(location, url) : null;
      if (next === null || !/^https?:$/.test(next.protocol) || !isSameHost(url, next))
        return { kind: 'redirect', url: url.href, status, location: next?.href ?? location };
      url = next;
    }
    return { kind: 'failed', reason: `more than ${MOST_REDIRECTS} redirects` };
  } catch (error) {
    if (signal.aborted) return { kind: 'failed', reason: 'interrupted' };
    if (timeout.aborted)
      return { kind: 'failed', reason: `no whole answer came within ${LONGEST_MS / 1000} seconds` };
    return { kind: 'failed', reason: failureReason(error) };
  }
}

function isRedirect(status: number): boolean {
  return [301, 302, 303, 307, 308].includes(status);
}

/** Whether both have the same name and the same port; https's default port may replace http's. */
function isSameHost(from: URL, to: URL): boolean {
  if (from.hostname !== to.hostname) return false;
  return from.host === to.host || (from.port === '' && to.port === '');
}

async function pageOf(answer: IncomingMessage, url: URL): Promise<FetchedPage> {
  const body = await bodyOf(answer);
  if (body === null) return { kind: 'failed', reason: `the answer has more than ${MOST_PAGE_BYTES} bytes` };
  const { statusCode: status = 0, headers } = answer;
  const [given = '', ...parameters] = (headers['content-type'] ?? '').split(';');
  const type = given.trim().toLowerCase();
  const isHtml = type === 'text/html' || type === 'application/xhtml+xml';
  if (!isHtml && !isText(type, body))
    return { kind: 'bytes', url: url.href, status, type, data: body.toString('base64') };
  const source = decoded(body, charsetOf(parameters) ?? (isHtml ? metaCharset(body) : undefined));
  const page = isHtml ? htmlText(source, url.href) : { title: '', text: source };
  return { kind: 'text', url: url.href, status, type, ...page };
}

/** Returns null when the body is larger than is accepted. */
async function bodyOf(answer: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer) {
    pieces.push(piece as Buffer);
    length += (piece as Buffer).length;
    if (length > MOST_PAGE_BYTES) {
      answer.destroy();
      return null;
    }
  }
  const body = Buffer.concat(pieces);
  const options = { maxOutputLength: MOST_PAGE_BYTES };
  try {
    switch (answer.headers['content-encoding']) {
      case 'gzip':
      case 'x-gzip':
        return gunzipSync(body, options);
      case 'deflate':
        return inflateSync(body, options);
      case 'br':
        return brotliDecompressSync(body, options);
      default:
        return body;
    }
  } catch (error) {
    if (errorCode(error) === 'ERR_BUFFER_TOO_LARGE') return null;
    throw error;
  }
}

const TEXTS =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml|yaml|javascript|x-ndjson|toml|x-sh)|image\/svg\+xml)$/;

/** Decides by the media type, or where none is given by the content. */
function isText(type: string, body: Buffer): boolean {
  return type === '' ? !body.subarray(0, 8192).includes(0) : TEXTS.test(type);
}

function charsetOf(parameters: readonly string[]): string | undefined {
  const given = parameters.map((each) => /^\s*charset\s*=\s*"?([^"\s]+)/i.exec(each)?.[1]);
  return given.find((each) => each !== undefined);
}

/** The charset that a page itself declares within its first kilobyte. */
function metaCharset(body: Buffer): string | undefined {
  return /<meta[^>]{0,200}?charset\s*=\s*["']?([\w-]{1,40})/i.exec(body.toString('latin1', 0, 1024))?.[1];
}

function decoded(body: Buffer, charset = 'utf-8'): string {
  try {
    return new TextDecoder(charset).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

function failureReason(error: unknown): string {
  if (error instanceof ProxyRefusedError) return error.message;
  switch (errorCode(error)) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name of the host cannot be looked up';
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ENETUNREACH':
    case 'EHOSTUNREACH':
      return 'the host cannot be reached';
    case 'ECONNRESET':
      return 'the connection was closed before the whole answer had come';
    default:
      return errorText(error);
  }
}
