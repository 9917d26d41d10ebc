import { RequestRefusedError } from '../body/request-refused.ts';
import type { Pace } from '../http/pacing.ts';

/** Bounds of a form beside that of its bytes, with Starlette's answers to what goes beyond them. */
const MAX_FILES = 1;
const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 1024 * 1024;
const MAX_PART_HEADERS = 8 * 1024;
const MAX_SPACES = 256;

/** Searched at a time: bytes made to be hard to search take some 2 ms of this. */
const WINDOW = 256 * 1024;

const CRLF = Buffer.from('\r\n');
const HEADERS_END = Buffer.from('\r\n\r\n');

export interface FormFile {
  readonly filename: string;
  /** A view of the body, not a copy. */
  readonly bytes: Buffer;
}

/** A form's parts by name; of several with one name the last counts, as in FastAPI. */
export interface Form {
  readonly files: ReadonlyMap<string, FormFile>;
  readonly fields: ReadonlyMap<string, string>;
}

export const EMPTY_FORM: Form = { files: new Map(), fields: new Map() };

/** The boundary a content type names. Throws RequestRefusedError (400) when there is none or it is not a legal one. */
export function boundaryOf(contentType: string): string {
  const match = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType);
  const boundary = match?.[1] ?? match?.[2] ?? '';
  if (boundary === '') throw new RequestRefusedError(400, 'Missing boundary in multipart.');
  // RFC 2046 allows 70; some clients write more.
  if (boundary.length > 200) throw new RequestRefusedError(400, 'Invalid boundary in multipart.');
  return boundary;
}

/**
 * Takes a multipart/form-data body apart. The body is whole already (it is bounded, and an image is decoded from one
 * piece), so that the parts are views of it, found by Node's own search. A part without its end is none, as in FastAPI.
 * Throws RequestRefusedError (400).
 */
export async function parseMultipart(body: Buffer, boundary: string, pace: Pace): Promise<Form> {
  const files = new Map<string, FormFile>();
  const fields = new Map<string, string>();
  let count = { files: 0, fields: 0 };
  const opening = Buffer.from(`--${boundary}`, 'latin1');
  const delimiter = Buffer.concat([CRLF, opening]);

  let at = body.subarray(0, CRLF.length).equals(CRLF) ? CRLF.length : 0;
  if (body.length === 0) return { files, fields };
  if (!body.subarray(at, at + opening.length).equals(opening)) throw invalid();
  at += opening.length;
  for (;;) {
    // After a delimiter: `--` ends the form, a line break begins a part.
    if (body[at] === 0x2d && body[at + 1] === 0x2d) return { files, fields };
    at = afterSpace(body, at);
    if (at + 2 > body.length) return { files, fields };
    if (!body.subarray(at, at + 2).equals(CRLF)) throw invalid();

    // Searched from the line break itself, so that a part without headers is found to have none.
    const headersEnd = body.subarray(at, at + MAX_PART_HEADERS).indexOf(HEADERS_END);
    if (headersEnd === -1) {
      if (body.length - at > MAX_PART_HEADERS) throw invalid();
      return { files, fields };
    }
    const headers = body.toString('utf8', at + 2, at + headersEnd + 2);
    const start = at + headersEnd + HEADERS_END.length;
    const end = await find(body, delimiter, start - CRLF.length, pace);
    if (end === -1) return { files, fields };
    const bytes = body.subarray(Math.min(start, end), end);
    const { name, filename } = disposition(headers);
    if (filename === undefined) {
      count = { ...count, fields: count.fields + 1 };
      if (count.fields > MAX_FIELDS) throw tooMany('fields', MAX_FIELDS);
      if (bytes.length > MAX_FIELD_BYTES) {
        throw new RequestRefusedError(400, `Part exceeded maximum size of ${MAX_FIELD_BYTES / 1024}KB.`);
      }
      fields.set(name, bytes.toString('utf8'));
    } else {
      count = { ...count, files: count.files + 1 };
      if (count.files > MAX_FILES) throw tooMany('files', MAX_FILES);
      files.set(name, { filename, bytes });
    }
    at = end + delimiter.length;
  }
}

/** Where the next delimiter begins: what only begins like one, e.g. `--boundaryXYZ`, is a part of the data. */
async function find(body: Buffer, delimiter: Buffer, from: number, pace: Pace): Promise<number> {
  for (let start = from; start < body.length; start += WINDOW) {
    const window = body.subarray(start, start + WINDOW + delimiter.length - 1);
    for (let at = window.indexOf(delimiter); at !== -1; at = window.indexOf(delimiter, at + 1)) {
      if (endsDelimiter(body, start + at + delimiter.length)) return start + at;
      // Millions of these can be in a form: to wait for nothing, each time, takes longer than to look.
      const others = pace();
      if (others !== undefined) await others;
    }
    await pace();
  }
  return -1;
}

/** Spaces and a line break, or two dashes. */
function endsDelimiter(body: Buffer, after: number): boolean {
  if (body[after] === 0x2d && body[after + 1] === 0x2d) return true;
  const at = afterSpace(body, after);
  return body[at] === 0x0d && body[at + 1] === 0x0a;
}

/** Past the spaces that may follow a boundary; more of them than this are none. */
function afterSpace(body: Buffer, start: number): number {
  let at = start;
  while (at < start + MAX_SPACES && (body[at] === 0x20 || body[at] === 0x09)) at += 1;
  return at;
}

/** A part's name, and its file name when it is a file. */
function disposition(headers: string): { readonly name: string; readonly filename: string | undefined } {
  const value = /^content-disposition:[ \t]*form-data[ \t]*(;[^\r\n]*)/im.exec(headers)?.[1];
  const parameters = new Map<string, string>();
  for (const [, key = '', quoted, token] of (value ?? '').matchAll(
    /;[ \t]*([\w*-]+)=(?:"((?:[^"\\]|\\.)*)"|([^;"\s]*))/g,
  )) {
    parameters.set(key.toLowerCase(), quoted?.replaceAll(/\\(["\\])/g, '$1') ?? token ?? '');
  }
  const name = parameters.get('name');
  if (name === undefined) {
    throw new RequestRefusedError(400, 'The Content-Disposition header field "name" must be provided.');
  }
  return { name, filename: parameters.get('filename') ?? parameters.get('filename*') };
}

function invalid(): RequestRefusedError {
  return new RequestRefusedError(400, 'Invalid multipart data.');
}

function tooMany(what: 'files' | 'fields', max: number): RequestRefusedError {
  return new RequestRefusedError(400, `Too many ${what}. Maximum number of ${what} is ${max}.`);
}
