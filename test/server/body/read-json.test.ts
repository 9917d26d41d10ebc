import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { deflateSync, gzipSync } from 'node:zlib';
import Anthropic from '@anthropic-ai/sdk';
import express from 'express';
import { assertAsyncProperty, fc } from '../../support/fast-check.ts';
import { answerErrors } from '../../../server/answer-errors.ts';
import { assignRequestId } from '../../../server/http/request-id.ts';
import { readJson } from '../../../server/body/read-json.ts';
import { createLogger } from '../../../server/log.ts';
import { route } from '../../../server/routing/router.ts';
import { createScrub } from '../../../server/auth/redaction.ts';
import { setScrub } from '../../../server/http/scrub.ts';
import { createIds } from '../../../store/index.ts';

/** A server that answers with the body that it read, and one whose clients must be quick. */
const servers: http.Server[] = [];

async function serve(timeoutMs?: number): Promise<string> {
  const app = express();
  setScrub(app, createScrub([]));
  app.use(assignRequestId(createIds()), readJson({ timeoutMs }));
  const answer: express.RequestHandler = (req, res) =>
    void res.json({ body: req.body === undefined ? 'none' : (req.body as unknown) });
  route(app, '/*path', { get: answer, post: answer, put: answer, delete: answer });
  app.use(answerErrors(createLogger('silent')));
  // Kept longer than the client keeps its connections, as the product does.
  const server = http.createServer({ keepAliveTimeout: 75_000 }, app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  return `http://127.0.0.1:${port}`;
}

let url: string;
beforeAll(async () => {
  url = await serve();
});
afterAll(() => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
});

interface Answer {
  readonly status: number;
  readonly body: { readonly body?: unknown; readonly error?: Record<string, unknown> };
}

async function post(
  body: RequestInit['body'],
  headers: Record<string, string> = {},
  at = '/v1/messages',
): Promise<Answer> {
  const response = await fetch(url + at, {
    method: 'POST',
    body: body ?? null,
    headers: { 'content-type': 'application/json', ...headers },
  });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const invalid = (message: string, details?: object): Answer => ({
  status: 400,
  body: expect.objectContaining({
    error: { type: 'invalid_request_error', message, ...(details && { details }) },
  }) as Answer['body'],
});
const tooLarge = {
  status: 413,
  body: expect.objectContaining({
    error: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  }) as unknown,
};
const NOT_JSON = 'The request body is not valid JSON';
const MIB = 1024 * 1024;

describe('what it takes', () => {
  it.each([
    ['an object', '{"a":[1,"é😀",null]}', { a: [1, 'é😀', null] }],
    ['a byte order mark before it', '\ufeff{"a":1}', { a: 1 }],
    ['the last of equal keys', '{"a":1,"a":2}', { a: 2 }],
    ['a pair of surrogates as escapes', '"\\ud83d\\uDE00"', '😀'],
    ['an escaped backslash before a u', '"\\\\ud800"', '\\ud800'],
    ['a text alone', '"a"', 'a'],
    ['nothing at all', '', 'none'],
  ])('%s', async (_what, sent, read) => {
    expect(await post(sent)).toEqual({ status: 200, body: { body: read } });
  });

  it('keys that every object has, as keys', async () => {
    const { body } = await post('{"__proto__":{"a":1},"constructor":2}');
    expect(JSON.stringify(body.body)).toBe('{"__proto__":{"a":1},"constructor":2}');
  });

  it('1024 levels', async () => {
    expect((await post('['.repeat(1024) + ']'.repeat(1024))).status).toBe(200);
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
  ])('%s', async (encoding, compress) => {
    const answer = await post(compress('{"a":1}'), { 'content-encoding': encoding });
    expect(answer.body).toEqual({ body: { a: 1 } });
  });

  it.each([
    ['application/json; charset=utf-8', Buffer.from('"é"')],
    ['application/json; charset="UTF-8"', Buffer.from('"é"')],
    ['application/json;charset=iso-8859-1', Buffer.from('"é"', 'latin1')],
    ['application/vnd.api+json', Buffer.from('"é"')],
  ])('%s', async (type, bytes) => {
    expect((await post(bytes, { 'content-type': type })).body).toEqual({ body: 'é' });
  });

  it('a large body whole, in turns', async () => {
    const large = {
      pictures: Array.from({ length: 20 }, () => 'QUJD'.repeat(50_000)),
      text: 'line\n"é😀"\t'.repeat(300_000),
      numbers: Array.from({ length: 100_000 }, (_value, index) => index / 7 - 5000),
    };
    const { body } = await post(JSON.stringify(large));
    expect(body.body).toEqual(large);
  });
});

describe('what it refuses', () => {
  const lone = '"\\ud800"';
  it.each([
    ['half a pair', lone, 'no low surrogate in string: line 1 column 2 (char 1)'],
    ['the other half', '"a\\udc00"', 'invalid high surrogate in string: line 1 column 3 (char 2)'],
    [
      'a number beyond a double',
      '[1e999]',
      'number is infinity when parsed as double: line 1 column 2 (char 1)',
    ],
    ['NaN', '{"a":NaN}', 'unexpected character, expected a JSON value: line 1 column 6 (char 5)'],
    [
      '1025 levels',
      '['.repeat(1025) + ']'.repeat(1025),
      'depth limit exceeded: line 1 column 1026 (char 1025)',
    ],
    [
      'bytes that are no UTF-8',
      Buffer.from('22ff22', 'hex'),
      'str is not valid UTF-8: surrogates not allowed: line 1 column 1 (char 0)',
    ],
    ['a comma too many', '{"a":1,}', 'trailing comma is not allowed: line 1 column 7 (char 6)'],
    ['a text that is cut', '{"a":"b', 'unexpected end of data: line 1 column 8 (char 7)'],
  ])('%s, in a small body and in a large one', async (_what, sent, fault) => {
    expect(await post(sent)).toEqual(invalid(`${NOT_JSON}: ${fault}`));
    const large = Buffer.concat([Buffer.from(`["${'x'.repeat(MIB)}",`), Buffer.from(sent), Buffer.from(']')]);
    expect((await post(large)).body.error?.['message']).toContain(fault.split(':')[0]);
  });

  it('a content type that is another', async () => {
    const answer = await post('{}', { 'content-type': 'text/plain' });
    expect(answer).toEqual(invalid('content-type: expected application/json, got text/plain'));
  });

  it('a character set that is another, in the SDK’s words', async () => {
    const client = new Anthropic({ baseURL: url, apiKey: 'k', maxRetries: 0 });
    const type = 'application/json; charset=utf-16';
    const asked = client.post('/v1/messages', { body: {}, headers: { 'content-type': type } });
    await expect(asked).rejects.toMatchObject({ status: 400, errorCode: 'unsupported_charset' });
  });

  it('an encoding that is another', async () => {
    const answer = await post('{}', { 'content-encoding': 'zstd' });
    expect(answer).toEqual(invalid('content-encoding: zstd is not supported; gzip and deflate are taken'));
  });

  it('what says that it is gzip and is not', async () => {
    const answer = await post('{}', { 'content-encoding': 'gzip' });
    expect(answer.status).toBe(400);
    expect(answer.body.error?.['message']).toMatch(/^The request body cannot be read: /);
  });

  it('a bomb, without blowing it up', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MIB));
    expect(bomb.length).toBeLessThan(MIB);
    expect(await post(bomb, { 'content-encoding': 'gzip' })).toEqual(tooLarge);
  });

  it('a body that is announced as too large, before it comes', async () => {
    const { port } = new URL(url);
    const request = http.request({ port, path: '/v1/messages', method: 'POST' });
    request.setHeader('content-length', 32 * MIB + 1).on('error', () => {});
    request.flushHeaders();
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([413, tooLarge.body]);
    request.destroy();
  });

  it('a body without a length that grows too large, long before its end', async () => {
    const { port } = new URL(url);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.write('POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n');
    const piece = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MIB, 'x'), Buffer.from('\r\n')]);
    let sent = 0;
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString())).on('error', () => {});
    const gone = new Promise((resolve) => socket.once('close', resolve));
    // It would go on for ever; whoever refuses it must not read on for ever.
    const pump = (): void => {
      while (!socket.destroyed && sent < 1024) {
        sent += 1;
        if (!socket.write(piece)) {
          socket.once('drain', pump);
          return;
        }
      }
    };
    pump();
    await gone;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('Request exceeds the maximum size');
    expect(sent).toBeLessThan(128);
  });

  it('a body that does not come, with the SDK’s code for it', async () => {
    const quick = await serve(50);
    const { port } = new URL(quick);
    const request = http.request({ port, path: '/v1/messages', method: 'POST' });
    request.setHeader('content-length', 100).on('error', () => {});
    request.write('{"model":');
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    expect([answer.statusCode, JSON.parse(await text(answer))]).toMatchObject([
      400,
      {
        error: {
          type: 'invalid_request_error',
          message: 'The request body did not arrive within 50 ms',
          details: { error_code: 'request_body_timeout' },
        },
      },
    ]);
    request.destroy();
  });
});

it('reads whatever JSON.parse reads as that does, small and large', async () => {
  const filler = 'x'.repeat(512 * 1024);
  await assertAsyncProperty(15, fc.jsonValue({ maxDepth: 4 }), async (value) => {
    const small = await post(JSON.stringify({ value }));
    const large = await post(JSON.stringify({ value, filler }));
    expect(small.body.body).toEqual(JSON.parse(JSON.stringify({ value })));
    expect(large.body.body).toEqual(JSON.parse(JSON.stringify({ value, filler })));
  });
});
