import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { signatureFault } from './s3-signature.ts';

/** The only bucket. */
const BUCKET = 'test-bucket';
const SMALLEST_PART = 5 * 1024 * 1024;
const STATUS: Readonly<Record<string, number>> = {
  PreconditionFailed: 412,
  NoSuchKey: 404,
  NoSuchBucket: 404,
  NoSuchUpload: 404,
  InvalidRange: 416,
  InvalidPart: 400,
  EntityTooSmall: 400,
  SlowDown: 503,
  InternalError: 500,
  ConditionalRequestConflict: 409,
};

interface Stored {
  readonly bytes: Buffer;
  readonly tag: string;
  readonly writtenAt: number;
}

interface Upload {
  readonly key: string;
  readonly begunAt: number;
  readonly parts: Map<number, Stored>;
}

/**
 * What goes wrong with a request: a refusal by its code; the connection cut before anything is done, after it is done, or
 * in the middle of the answer's body; or nothing is answered at all.
 */
export type S3Fault = { readonly code: string } | 'cut' | 'lost' | 'broken' | 'silent';

export interface S3TestServer {
  /** For `BLOBS`. */
  readonly address: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** By key, as they are. */
  readonly objects: Map<string, Stored>;
  readonly uploads: Map<string, Upload>;
  /** Every request: method, key and query. */
  readonly requests: string[];
  /** Is asked at each request, before anything is done. */
  fault: (request: {
    readonly method: string;
    readonly key: string;
    readonly query: URLSearchParams;
  }) => S3Fault | undefined;
  /** Added to the server's clock. */
  clockAheadMs: number;
  /** Away: every connection is refused until it is back, at the same port. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

/** The part of Amazon S3's interface that the store uses, over a real socket, with signatures checked; in memory. */
export async function startS3Server(options: { readonly pageSize?: number } = {}): Promise<S3TestServer> {
  const { pageSize = 1000 } = options;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'testsecret' };
  const objects = new Map<string, Stored>();
  const uploads = new Map<string, Upload>();
  const now = (): number => Date.now() + state.clockAheadMs;

  const stored = (bytes: Buffer): Stored => ({
    bytes,
    tag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    writtenAt: now(),
  });

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '', 'http://s3');
    const [, bucket = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const [key, query, method] = [rest.join('/'), url.searchParams, request.method ?? ''];
    state.requests.push(`${method} ${key}${url.search}`);
    const body = await buffer(request);
    const fault = state.fault({ method, key, query });
    if (fault === 'cut') return void request.socket.destroy();
    if (fault === 'silent') return;
    const refuse = (code: string): void => {
      const text = `<Error><Code>${code}</Code><Message>because of ${code}</Message></Error>`;
      response.writeHead(STATUS[code] ?? 403, { 'content-type': 'application/xml' });
      response.end(method === 'HEAD' ? undefined : text);
    };
    const unsigned = signatureFault(request, body, { ...credentials, region: 'us-east-1', now: now() });
    response.setHeader('date', new Date(now()).toUTCString());
    if (unsigned !== undefined) return refuse(unsigned);
    if (typeof fault === 'object') return refuse(fault.code);
    if (bucket !== BUCKET) return refuse('NoSuchBucket');
    const answer = answerTo({ method, key, query, body, headers: request.headers });
    if (fault === 'lost') return void request.socket.destroy();
    if (typeof answer === 'string') return refuse(answer);
    response.writeHead(answer.status, answer.headers);
    if (fault !== 'broken') return void response.end(answer.body);
    response.write(answer.body?.subarray(0, Math.floor((answer.body.byteLength * 2) / 3)), () =>
      request.socket.destroy(),
    );
  };

  const answerTo = ({ method, key, query, body, headers }: Asked): Answer | string => {
    if (key === '') return query.has('uploads') ? listUploads(query) : method === 'HEAD' ? ok() : list(query);
    const uploadId = query.get('uploadId');
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      uploads.set(id, { key, begunAt: now(), parts: new Map() });
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`);
    }
    if (uploadId !== null) {
      const upload = uploads.get(uploadId);
      if (upload?.key !== key) return 'NoSuchUpload';
      if (method === 'DELETE') uploads.delete(uploadId);
      else if (method === 'POST') return complete(uploadId, upload, body.toString(), headers);
      else {
        const part = stored(body);
        upload.parts.set(Number(query.get('partNumber')), part);
        return ok({ etag: part.tag });
      }
      return { status: 204, headers: {} };
    }
    if (method === 'PUT') {
      if (headers['if-none-match'] === '*' && objects.has(key)) return 'PreconditionFailed';
      objects.set(key, stored(body));
      return ok();
    }
    if (method === 'DELETE') {
      objects.delete(key);
      return { status: 204, headers: {} };
    }
    return read(key, headers, method === 'HEAD');
  };

  const complete = (id: string, upload: Upload, text: string, headers: Asked['headers']): Answer | string => {
    if (headers['if-none-match'] === '*' && objects.has(upload.key)) return 'PreconditionFailed';
    const named = [...text.matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)].map(
      ([, number, tag = '']) => ({
        part: upload.parts.get(Number(number)),
        tag: tag.replaceAll('&quot;', '"'),
      }),
    );
    const parts = named.map(({ part }) => part?.bytes ?? Buffer.alloc(0));
    if (named.length === 0 || named.some(({ part, tag }) => part?.tag !== tag)) return 'InvalidPart';
    if (parts.slice(0, -1).some((part) => part.byteLength < SMALLEST_PART)) return 'EntityTooSmall';
    objects.set(upload.key, stored(Buffer.concat(parts)));
    uploads.delete(id);
    return xml('<CompleteMultipartUploadResult/>');
  };

  const read = (key: string, headers: Asked['headers'], isHead: boolean): Answer | string => {
    const found = objects.get(key);
    if (found === undefined) return 'NoSuchKey';
    const { bytes, tag, writtenAt } = found;
    if (headers['if-match'] !== undefined && headers['if-match'] !== tag) return 'PreconditionFailed';
    const known = { etag: tag, 'last-modified': new Date(writtenAt).toUTCString() };
    const length = (size: number): Record<string, string> => ({ ...known, 'content-length': String(size) });
    if (isHead) return { status: 200, headers: length(bytes.byteLength) };
    const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
    if (first === undefined) return { status: 200, headers: length(bytes.byteLength), body: bytes };
    const start = Number(first);
    if (start >= bytes.byteLength) return 'InvalidRange';
    const part = bytes.subarray(start, last === '' ? undefined : Number(last) + 1);
    const range = `bytes ${start}-${start + part.byteLength - 1}/${bytes.byteLength}`;
    return { status: 206, headers: { ...length(part.byteLength), 'content-range': range }, body: part };
  };

  const list = (query: URLSearchParams): Answer => {
    const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
    const found = [...objects]
      .filter(([key]) => key.startsWith(query.get('prefix') ?? '') && key > after)
      .toSorted(([a], [b]) => (a < b ? -1 : 1));
    const page = found.slice(0, pageSize);
    const contents = page.map(
      ([key, { bytes, writtenAt }]) =>
        `<Contents><Key>${key}</Key><LastModified>${new Date(writtenAt).toISOString()}</LastModified><Size>${bytes.byteLength}</Size></Contents>`,
    );
    const isTruncated = found.length > page.length;
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
    return xml(
      `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
    );
  };

  const listUploads = (query: URLSearchParams): Answer => {
    const found = [...uploads].filter(([, { key }]) => key.startsWith(query.get('prefix') ?? ''));
    const all = found.map(
      ([id, { key, begunAt }]) =>
        `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${new Date(begunAt).toISOString()}</Initiated></Upload>`,
    );
    return xml(
      `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${all.join('')}</ListMultipartUploadsResult>`,
    );
  };

  let server = createServer();
  const listen = async (port: number): Promise<void> => {
    server = createServer((request, response) => {
      handle(request, response).catch(() => request.socket.destroy());
    });
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  };
  const stop = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  const state: S3TestServer = {
    address: '',
    credentials,
    objects,
    uploads,
    requests: [],
    fault: () => undefined,
    clockAheadMs: 0,
    goAway: stop,
    comeBack: () => listen(port),
    close: stop,
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, { address: `s3://${BUCKET}/some/place?endpoint=http://127.0.0.1:${port}` });
}

interface Asked {
  readonly method: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
  readonly headers: IncomingMessage['headers'];
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

const ok = (headers: Answer['headers'] = {}): Answer => ({ status: 200, headers });
const xml = (text: string): Answer => ({
  status: 200,
  headers: { 'content-type': 'application/xml' },
  body: Buffer.from(text),
});
