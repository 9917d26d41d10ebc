import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import Anthropic, { APIError, BadRequestError, NotFoundError, toFile } from '@anthropic-ai/sdk';
import { createFiles } from '../../sessions/index.ts';
import { createIds, openStore, type Store } from '../../store/index.ts';
import { ask, startServer, stopServers, type Running } from './harness.ts';
import { fileNamesBelow } from '../support/entries-below.ts';

afterAll(stopServers);

const VERSION = { 'anthropic-version': '2023-06-01' };
const SMALL_LIMIT = 200_000;

let server: Running;
let client: Anthropic;
let folder: string;
let now = Date.now();
let store: Store;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'files-test-'));
  store = await openStore({ dir: folder, now: () => now });
  server = await startServer({
    files: createFiles({ store, newId: createIds(), maxBytes: SMALL_LIMIT, now: () => now }),
  });
  client = new Anthropic({ baseURL: server.url, apiKey: 'unused', maxRetries: 0 });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What lies under the uploads' folder: bytes of files, and what is half written. */
const onDisk = (): string[] => fileNamesBelow(path.join(folder, 'files'));

const upload = (
  bytes: string | Uint8Array,
  name: string | null = 'a.txt',
  type?: string,
): ReturnType<typeof client.beta.files.upload> =>
  client.beta.files.upload({
    file: new File([bytes as string], name ?? '', type === undefined ? {} : { type }),
  });

/** A form as it goes over the wire, parts as given. */
function form(...parts: readonly (readonly [headers: string, body: string])[]): RequestInit {
  const body = parts.map(([headers, content]) => `--XX\r\n${headers}\r\n\r\n${content}\r\n`).join('');
  return {
    method: 'POST',
    headers: { ...VERSION, 'content-type': 'multipart/form-data; boundary=XX' },
    body: `${body}--XX--\r\n`,
  };
}
const FILE = 'content-disposition: form-data; name="file"; filename="a.txt"';

it('a snapshot of a sandbox is no file of the API', async () => {
  const staged = await store.files.stage(Readable.from([Buffer.from('archive')]), SMALL_LIMIT);
  await staged.keep({
    id: 'snap_1',
    filename: 'snap_1',
    mime_type: 'application/gzip',
    details: {},
  });
  for (const asked of [
    () => client.beta.files.retrieveMetadata('snap_1'),
    () => client.beta.files.download('snap_1'),
    () => client.beta.files.delete('snap_1'),
  ])
    await expect(asked()).rejects.toThrow(NotFoundError);
  for (const query of ['', '?limit=1000', '?ids[]=snap_1'])
    expect((await ask(`${server.url}/v1/files${query}`)).body).toMatchObject({ data: [] });
  expect(await store.files.delete('snap_1')).toBe(true);
});

describe('a file', () => {
  it('goes up, is described, comes down and goes away', async () => {
    const bytes = Buffer.from('Grüße an alle\n');
    const made = await upload(bytes, 'Grüße 世界.txt', 'text/plain');
    expect(made).toMatchObject({
      id: expect.stringMatching(/^file_[1-9A-Za-z]{24}$/) as string,
      type: 'file',
      filename: 'Grüße 世界.txt',
      mime_type: 'text/plain',
      size_bytes: bytes.length,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      downloadable: true,
      expires_at: null,
      scope: null,
    });
    expect(await client.files.retrieveMetadata(made.id)).toMatchObject({
      id: made.id,
      size_bytes: bytes.length,
    });
    const down = await client.files.download(made.id);
    expect(Buffer.from(await down.arrayBuffer()).equals(bytes)).toBe(true);
    expect(down.headers.get('content-type')).toBe('text/plain');
    // Never a page of this server's: what a file holds is not to be run here.
    expect(down.headers.get('content-disposition')).toMatch(/^attachment; filename=/);
    expect(await client.files.delete(made.id)).toMatchObject({ id: made.id, type: 'file_deleted' });
    await expect(client.files.retrieveMetadata(made.id)).rejects.toBeInstanceOf(NotFoundError);
    expect(onDisk()).toEqual([]);
  });

  it('may come as a stream of the disk, with a length that nobody told', async () => {
    const source = path.join(folder, 'source.bin');
    const bytes = Buffer.alloc(150_000, 7);
    writeFileSync(source, bytes);
    const made = await client.files.upload({ file: createReadStream(source) });
    expect(made).toMatchObject({ filename: 'source.bin', size_bytes: 150_000 });
    const down = await client.files.download(made.id);
    expect(Buffer.from(await down.arrayBuffer()).equals(bytes)).toBe(true);
    await client.files.delete(made.id);
  });

  it('may be empty', async () => {
    const made = await upload('', 'nothing');
    expect(made.size_bytes).toBe(0);
    expect((await (await client.files.download(made.id)).arrayBuffer()).byteLength).toBe(0);
    await client.files.delete(made.id);
  });

  it('is not sent again to who has it, and HEAD sends none of it', async () => {
    const { id } = await upload('bytes');
    const url = `${server.url}/v1/files/${id}/content`;
    const first = await fetch(url, { headers: VERSION });
    const etag = first.headers.get('etag') ?? '';
    await first.arrayBuffer();
    // Node's own fetch would add `cache-control: no-cache`, which asks for the bytes anyway.
    const again = httpRequest(url, { headers: { ...VERSION, 'if-none-match': etag } }).end();
    const [answer] = (await once(again, 'response')) as [IncomingMessage];
    expect(answer.statusCode).toBe(304);
    answer.resume();
    const head = await fetch(url, { method: 'HEAD', headers: VERSION });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
    await client.files.delete(id);
  });

  it('comes down by ranges, so that a download that broke off is taken up again', async () => {
    const { id } = await upload('the bytes of a file');
    const url = `${server.url}/v1/files/${id}/content`;
    const part = async (
      range: string,
      more: Record<string, string> = {},
    ): Promise<(string | number | null)[]> => {
      const answer = await fetch(url, { headers: { ...VERSION, range, ...more } });
      return [answer.status, answer.headers.get('content-range'), await answer.text()];
    };
    expect(await part('bytes=4-8')).toEqual([206, 'bytes 4-8/19', 'bytes']);
    expect(await part('bytes=13-')).toEqual([206, 'bytes 13-18/19', 'a file']);
    expect(await part('bytes=-4')).toEqual([206, 'bytes 15-18/19', 'file']);
    expect(await part('bytes=0-99')).toEqual([206, 'bytes 0-18/19', 'the bytes of a file']);
    expect(await part('bytes=1-2', { 'if-range': '"another"' })).toEqual([200, null, 'the bytes of a file']);
    const [status, range] = await part('bytes=19-');
    expect([status, range]).toEqual([416, 'bytes */19']);
    await client.files.delete(id);
  });

  it('expires when it was told to, bytes first', async () => {
    const { id, expires_at, created_at } = await client.files.upload({
      file: await toFile(Buffer.from('short-lived'), 'x.txt'),
      expires_in_seconds: 3600,
    });
    expect(Date.parse(expires_at ?? '') - Date.parse(created_at)).toBe(3_600_000);
    now += 3_600_000;
    const refused = await client.files.download(id).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Anthropic.Files.FileExpiredError);
    expect(refused).toMatchObject({ status: 404, errorCode: 'file_expired' });
    expect(await client.files.retrieveMetadata(id)).toMatchObject({ expires_at });
    await client.files.delete(id);
    expect(onDisk()).toEqual([]);
  });
});

describe('names', () => {
  it.each([
    ['dir/sub/a.txt', 'a.txt'],
    ['C:\\docs\\a.txt', 'a.txt'],
    ['', 'unnamed.txt'],
    ['..', 'unnamed.txt'],
    ['.hidden', '.hidden'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['👋'.repeat(255), '👋'.repeat(255)],
  ])('%j is kept as %j', async (sent, kept) => {
    const answer = await ask(
      `${server.url}/v1/files`,
      form([
        `content-disposition: form-data; name="file"; filename="${sent.replaceAll('\\', '\\\\')}"`,
        'text',
      ]),
    );
    expect(answer.body).toMatchObject({ filename: kept });
    await client.files.delete(String(answer.body['id']));
  });

  it.each(['<', '>', ':', '|', '?', '*', '\u0001', '\u001f'])('with %j is refused', async (character) => {
    await expect(upload('text', `a${character}b`)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('file: Invalid filename') as string,
    });
    expect(onDisk()).toEqual([]);
  });

  it('longer than 255 characters is refused', async () => {
    await expect(upload('text', 'x'.repeat(256))).rejects.toThrow(
      'it has 256 characters, at most 255 are allowed',
    );
  });

  it('may be missing, and so may the type', async () => {
    const answer = await ask(
      `${server.url}/v1/files`,
      form(['content-disposition: form-data; name="file"', '%PDF-1.7\n']),
    );
    expect(answer.body).toMatchObject({
      filename: 'unnamed.pdf',
      mime_type: 'application/pdf',
      size_bytes: 9,
    });
    await client.files.delete(String(answer.body['id']));
  });
});

describe('types', () => {
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  it.each([
    ['given', 'application/x-own', 'a.pdf', '%PDF-', 'application/x-own'],
    ['with a parameter', 'text/csv; charset=utf-8', 'a', 'x', 'text/csv'],
    ['of the bytes', 'application/octet-stream', 'a.txt', png, 'image/png'],
    ['of the bytes, under a default', 'text/plain', 'a.txt', png, 'image/png'],
    ['of the name', undefined, 'a.md', '# Title', 'text/markdown'],
    [
      'of the name, unless the bytes are no text',
      undefined,
      'a.md',
      Buffer.from([0, 1]),
      'application/octet-stream',
    ],
    ['of text', undefined, 'README', 'Grüße', 'text/plain'],
    ['of nothing known', undefined, 'a.xyz', Buffer.from([0xff, 0xfe]), 'application/octet-stream'],
    ['of nothing legal', 'no type at all', 'a.json', '{}', 'application/json'],
  ])('are those %s', async (_what, type, name, bytes, expected) => {
    const made = await upload(bytes, name, type);
    expect(made.mime_type).toBe(expected);
    await client.files.delete(made.id);
  });
});

describe('lists', () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const ids: string[] = [];
  beforeAll(async () => {
    for (const name of names) {
      ids.unshift((await upload(name, name)).id);
      // Ids of one millisecond are in no order.
      while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
      now = Date.now();
    }
  });
  afterAll(async () => {
    for (const id of ids) await client.files.delete(id);
  });

  it('come newest first, page by page, to the pagination helper of the SDK', async () => {
    const seen: string[] = [];
    for await (const { id } of client.files.list({ limit: 2 })) seen.push(id);
    expect(seen).toEqual(ids);
    const beta: string[] = [];
    for await (const { id } of client.beta.files.list({ limit: 3 })) beta.push(id);
    expect(beta).toEqual(ids);
  });

  it.each([
    ['limit=2', [0, 1], true],
    ['limit=2&after_id=1', [2, 3], true],
    ['limit=2&after_id=2', [3, 4], false],
    ['limit=2&before_id=3', [1, 2], true],
    ['limit=2&before_id=2', [0, 1], false],
    ['limit=2&before_id=1', [0], false],
    ['beta=true', [0, 1, 2, 3, 4], false],
  ])('%s holds %j', async (query, expected, more) => {
    const search = query.replace(
      /(after|before)_id=(\d)/,
      (_all, which: string, at: string) => `${which}_id=${ids[Number(at)] ?? ''}`,
    );
    const { body } = await ask(`${server.url}/v1/files?${search}`, { headers: VERSION });
    const data = body['data'] as { id: string }[];
    expect(data.map(({ id }) => ids.indexOf(id))).toEqual(expected);
    expect(body).toMatchObject({ has_more: more, first_id: data[0]?.id, last_id: data.at(-1)?.id });
  });

  it('hold the files that were asked for by their ids', async () => {
    const wanted = [ids[3] ?? '', ids[1] ?? '', 'file_unknown'];
    const page = await client.files.list({ ids: [...wanted, ids[1] ?? ''] });
    expect(page.data.map(({ id }) => id)).toEqual([ids[1], ids[3]]);
    expect(page.next_page).toBeNull();
  });

  it('hold no file of a session, for uploads belong to none', async () => {
    expect((await client.beta.files.list({ scope_id: 'sesn_1' })).data).toEqual([]);
  });

  it('go on when what was listed is deleted meanwhile', async () => {
    const extra = [];
    for (const name of ['x', 'y', 'z']) extra.push((await upload(name, name)).id);
    const seen = new Set<string>();
    for await (const { id } of client.files.list({ limit: 1 })) {
      if (extra.includes(id)) await client.files.delete(id);
      seen.add(id);
    }
    expect(seen.size).toBe(8);
  });

  it.each([
    ['limit=0', 'limit: Input should be greater than or equal to 1'],
    ['limit=1001', 'limit: Input should be less than or equal to 1000'],
    ['limit=x', 'limit: Input should be a valid integer, unable to parse string as an integer'],
    ['page=nonsense', 'page: Invalid page token'],
    ['after_id=msg_1', 'after_id: '],
    ['colour=red', 'colour: Extra inputs are not permitted'],
    ['ids=file_1&limit=3', 'ids: cannot be given together with limit'],
    [
      Array.from({ length: 101 }, (_, index) => `ids[]=file_${index}`).join('&'),
      'ids: List should have at most 100 items, not 101',
    ],
  ])('%s is refused', async (query, message) => {
    const { status, body } = await ask(`${server.url}/v1/files?${query}`, { headers: VERSION });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(message) as string },
    });
  });
});

describe('what is refused', () => {
  it('a file that is too large, announced or not', async () => {
    const large = Buffer.alloc(SMALL_LIMIT + 1);
    const told = await upload(large, 'large').catch((error: unknown) => error as APIError);
    expect(told).toBeInstanceOf(APIError);
    expect(told).toMatchObject({ status: 413, type: 'request_too_large' });
    const source = path.join(folder, 'large.bin');
    writeFileSync(source, large);
    await expect(client.files.upload({ file: createReadStream(source) })).rejects.toMatchObject({
      status: 413,
      message: expect.stringContaining(`File exceeds the maximum size of ${SMALL_LIMIT} bytes`) as string,
    });
    rmSync(source);
    // Unread: the answer comes although nothing of the body does.
    const request = httpRequest(`${server.url}/v1/files`, {
      method: 'POST',
      headers: {
        ...VERSION,
        'content-type': 'multipart/form-data; boundary=XX',
        'content-length': String(600 * 1024 * 1024),
      },
    });
    request.flushHeaders();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(413);
    request.on('error', () => undefined).destroy();
    expect((await upload(Buffer.alloc(SMALL_LIMIT), 'exact')).size_bytes).toBe(SMALL_LIMIT);
    for await (const { id } of client.files.list()) await client.files.delete(id);
  });

  it.each([
    [
      'no form',
      { method: 'POST', headers: { ...VERSION, 'content-type': 'application/json' }, body: '{}' },
      'content-type: expected multipart/form-data, got application/json',
    ],
    [
      'no content type',
      { method: 'POST', headers: { ...VERSION, 'content-type': '' }, body: 'x' },
      'content-type: expected multipart/form-data, got ',
    ],
    [
      'no boundary',
      { method: 'POST', headers: { ...VERSION, 'content-type': 'multipart/form-data' }, body: 'x' },
      'The form cannot be read: Multipart: Boundary not found',
    ],
    ['an empty form', form(), 'file: Field required'],
    [
      'a form without the file',
      form(['content-disposition: form-data; name="expires_in_seconds"', '3600']),
      'file: Field required',
    ],
    ['two files', form([FILE, 'one'], [FILE, 'two']), 'file: a form holds one file'],
    [
      'another file',
      form([FILE.replace('"file"', '"image"'), 'one']),
      'image: Extra inputs are not permitted',
    ],
    [
      'another field',
      form([FILE, 'one'], ['content-disposition: form-data; name="purpose"', 'x']),
      'purpose: Extra inputs are not permitted',
    ],
    [
      'a field twice',
      form(
        [FILE, 'one'],
        ['content-disposition: form-data; name="expires_in_seconds"', '3600'],
        ['content-disposition: form-data; name="expires_in_seconds"', '3600'],
      ),
      'expires_in_seconds: is given more than once',
    ],
    [
      'a field of any size',
      form([FILE, 'one'], ['content-disposition: form-data; name="expires_in_seconds"', '1'.repeat(2000)]),
      'expires_in_seconds: at most 1024 bytes are allowed',
    ],
    [
      'too short a life',
      form([FILE, 'one'], ['content-disposition: form-data; name="expires_in_seconds"', '3599']),
      'expires_in_seconds: Input should be greater than or equal to 3600',
    ],
    [
      'too long a life',
      form([FILE, 'one'], ['content-disposition: form-data; name="expires_in_seconds"', '7776001']),
      'expires_in_seconds: Input should be less than or equal to 7776000',
    ],
    [
      'a life that is no number',
      form([FILE, 'one'], ['content-disposition: form-data; name="expires_in_seconds"', 'soon']),
      'expires_in_seconds: Input should be a valid integer',
    ],
    [
      'a form that breaks off',
      { ...form(), body: `--XX\r\n${FILE}\r\n\r\nhalf a fi` },
      'The form cannot be read: ',
    ],
    [
      'an encoded body',
      {
        ...form([FILE, 'x']),
        headers: {
          ...VERSION,
          'content-type': 'multipart/form-data; boundary=XX',
          'content-encoding': 'gzip',
        },
      },
      'content-encoding: gzip is not taken here',
    ],
  ] satisfies [string, RequestInit, string][])('%s', async (_what, init, message) => {
    const { status, body } = await ask(`${server.url}/v1/files`, init);
    expect(body).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error', message: expect.stringContaining(message) as string },
    });
    expect(status).toBe(400);
  });

  it('a request without a version', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=XX' };
    const response = await fetch(`${server.url}/v1/files`, { ...form([FILE, 'x']), headers });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('anthropic-version: header is required');
  });

  it.each(['file_unknown', 'nonsense', '..%2f..%2fetc'])('the unknown file %s', async (id) => {
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/content'],
      ['DELETE', ''],
    ] as const) {
      const { status, body } = await ask(`${server.url}/v1/files/${id}${suffix}`, {
        method,
        headers: VERSION,
      });
      expect(status).toBe(404);
      expect(body).toMatchObject({
        error: { type: 'not_found_error', message: `File \`${decodeURIComponent(id)}\` not found.` },
      });
    }
  });

  it('a client that leaves half way', async () => {
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      `POST /v1/files HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nanthropic-version: 2023-06-01\r\n` +
        `content-type: multipart/form-data; boundary=XX\r\ncontent-length: 100000\r\n\r\n--XX\r\n${FILE}\r\n\r\nhalf`,
    );
    while (onDisk().length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    while (onDisk().length > 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await client.files.list()).data).toEqual([]);
  });

  it('a full disk, as the SDK knows it', async () => {
    const files = createFiles({
      store: {
        files: {
          ...store.files,
          stage: () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
        },
      },
      newId: createIds(),
    });
    const full = await startServer({ files });
    const other = new Anthropic({ baseURL: full.url, apiKey: 'unused', maxRetries: 0 });
    const refused = await other.files
      .upload({ file: await toFile(Buffer.from('x'), 'x') })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Anthropic.Files.StorageQuotaExceededError);
    expect(refused).toBeInstanceOf(BadRequestError);
  });

  it('leaves nothing of any of them', async () => {
    expect(onDisk()).toEqual([]);
    expect((await client.files.list()).data).toEqual([]);
  });
});

it('reads a package of this project back as it was', async () => {
  const bytes = readFileSync('package.json');
  const made = await upload(bytes, 'package.json');
  expect(made.mime_type).toBe('application/json');
  expect(await (await client.files.download(made.id)).json()).toEqual(JSON.parse(bytes.toString()));
  await client.files.delete(made.id);
});
